import { SimulatedBoard } from "../board";

const RNG = Object.freeze({
  get(byteLength: number): ArrayBuffer {
    return Uint8Array.from(SimulatedBoard.current.random(byteLength)).buffer;
  },
});
export default RNG;
