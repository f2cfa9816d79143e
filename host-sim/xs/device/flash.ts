import type { Flash } from "embedded:storage/flash";
import { BOARD } from "../protocol";
import { invoke, transfer } from "./link";

const flash = Object.freeze({
  open({ path }: { readonly path: string }): Flash {
    const status = invoke(BOARD, "slot", path) as ReturnType<Flash["status"]>;
    return {
      status: () => status,
      close: () => undefined,
      read(buffer, at) {
        buffer.set(transfer(BOARD, ["flashRead", path, buffer.length, at])!);
        return buffer.length;
      },
      write: (bytes, at) => void transfer(BOARD, ["flashWrite", path, at], bytes),
      eraseBlock: (first, end = first + 1) => void invoke(BOARD, "flashErase", path, first, end),
    };
  },
});
export default flash;
