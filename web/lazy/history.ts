export { Bank } from "../screens/bank";
export { History } from "../screens/history";
export { Recent } from "../screens/recent";
