import { ANSWER_HEADER, BOARD, OPERATION } from "../protocol";
import { call } from "./link";

const RNG = Object.freeze({
  get: (byteLength: number): ArrayBuffer => call(OPERATION.random, BOARD, byteLength).slice(ANSWER_HEADER),
});
export default RNG;
