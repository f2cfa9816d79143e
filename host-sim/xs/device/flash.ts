import type { Flash } from "embedded:storage/flash";
import { BOARD } from "../protocol";
import { invoke } from "./link";

const flash = Object.freeze({
  open({ path }: { readonly path: string }): Flash {
    const status = invoke(BOARD, "slot", path) as ReturnType<Flash["status"]>;
    return {
      status: () => status,
      close: () => undefined,
      read(buffer, at) {
        buffer.set(invoke(BOARD, "flashRead", path, buffer.length, at) as number[]);
        return buffer.length;
      },
      write: (bytes, at) => void invoke(BOARD, "flashWrite", path, [...bytes], at),
      eraseBlock: (first, end = first + 1) => void invoke(BOARD, "flashErase", path, first, end),
    };
  },
});
export default flash;
