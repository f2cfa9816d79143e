import { BOARD } from "../protocol";
import { invoke } from "./link";

/** Frozen, as the device has it in flash. */
export default Object.freeze(invoke(BOARD, "config"), true);
