export { Clock } from "../device/clock";
export { Search } from "../device/search";
export { Repair } from "../device/system";
export { Device } from "../screens/device";
export { RelayScreen } from "../screens/relay";
export { SetUp } from "../screens/set-up";
