export { Device } from "../screens/device";
export { SetUp } from "../screens/set-up";
