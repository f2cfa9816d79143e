export { History } from "../screens/history";
