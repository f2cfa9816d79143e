import { BOARD } from "../protocol";
import { invoke } from "./link";

const Net = {
  get: (what: string, mode?: string): unknown => invoke(BOARD, "net", what, mode),
  choose: (bssid: string): unknown => invoke(BOARD, "chooseAccessPoint", bssid),
};
export default Net;
