export { Bank } from "../screens/bank";
