export { Clock } from "../device/clock";
export { Repair } from "../device/system";
export { Device } from "../screens/device";
export { RelayScreen } from "../screens/relay";
export { SetUp } from "../screens/set-up";
