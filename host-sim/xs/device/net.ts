import { BOARD } from "../protocol";
import { invoke } from "./link";

const Net = {
  get: (what: string, mode?: string): unknown => invoke(BOARD, "net", what, mode),
};
export default Net;
