import { BOARD } from "../protocol";
import { invoke } from "./link";

/** Frozen, as in the device's flash. */
export default Object.freeze(invoke(BOARD, "config"), true);
