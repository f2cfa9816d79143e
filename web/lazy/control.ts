export { Control } from "../screens/control";
