export { Bank } from "../screens/bank";
export { About } from "../screens/about";
export { Capacity } from "../screens/capacity";
export { CellPast } from "../screens/cell-past";
export { Kiosk } from "../screens/kiosk";
export { History } from "../screens/history";
export { Recent } from "../screens/recent";
