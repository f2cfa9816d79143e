export { Capacity } from "../screens/capacity";
export { CellPast } from "../screens/cell-past";
export { History } from "../screens/history";
export { Recent } from "../screens/recent";
