import { BOARD } from "../protocol";
import { invoke } from "./link";

export default function verify(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  return invoke(BOARD, "verify", [...key], [...message], [...signature]) as boolean;
}
