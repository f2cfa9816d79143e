import type { Flash } from "embedded:storage/flash";
import { SimulatedBoard } from "../board";
import { SECTOR_BYTES } from "../nor-flash";

/** Typical of NOR flash, ms: the chip runs nothing else from it meanwhile. */
const SECTOR_ERASE = 45;

/** What only has a size. */
const refused = (): never => {
  throw new Error("not simulated");
};

/** The SDK's flash partitions, as far as the firmware uses them: the inactive application slot, of which only the size is, and "history". */
const flash = Object.freeze({
  open({ path }: { readonly path: string }): Flash {
    const board = SimulatedBoard.current;
    const statusOf = (size: number, blockLength: number): ReturnType<Flash["status"]> => ({
      size,
      blockLength,
      blocks: size / blockLength,
    });
    if (path === "nextota") {
      const { size, blockLength } = board.slots;
      const status = (): ReturnType<Flash["status"]> => statusOf(size, blockLength);
      return { status, close: () => undefined, read: refused, write: refused, eraseBlock: refused };
    }
    if (path !== "history" || board.refusals.history) throw new Error("can't find partition");
    const { history } = board;
    return {
      status: () => statusOf(history.bytes.length, SECTOR_BYTES),
      close: () => undefined,
      read: (buffer, at) => history.read(buffer, at),
      write: (bytes, at) => history.write(bytes, at),
      eraseBlock(first, end = first + 1) {
        board.script.busyFor((end - first) * SECTOR_ERASE);
        history.eraseBlock(first, end);
      },
    };
  },
});
export default flash;
