export { History } from "../screens/history";
export { Recent } from "../screens/recent";
