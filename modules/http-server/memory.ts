import { NAME_BYTES } from "./fields";
import { INPUT_BYTES, MAX_KEPT_BYTES } from "./limits";
import { NUMBERS_BYTES, type Numbers, numbersIn } from "./numbers";

/** The layout of a connection's bytes: what is kept of the head (the body after it, if it fits), a field name, bytes just read. */
export const NAME_START = MAX_KEPT_BYTES;
export const INPUT_START = NAME_START + NAME_BYTES;
const BYTES = INPUT_START + INPUT_BYTES;

/** All that the functions which take a request apart work on: two views of one buffer, made once for each connection. */
export interface Memory {
  readonly bytes: Uint8Array;
  readonly numbers: Numbers;
}

export function makeMemory(): Memory {
  const buffer = new ArrayBuffer(NUMBERS_BYTES + BYTES);
  return { bytes: new Uint8Array(buffer, NUMBERS_BYTES, BYTES), numbers: numbersIn(buffer) };
}
