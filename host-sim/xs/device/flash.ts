import type { Partition } from "embedded:storage/flash";
import { BOARD } from "../protocol";
import { invoke } from "./link";

const flash = Object.freeze({
  open({ path }: { readonly path: string }): Partition {
    const status = invoke(BOARD, "slot", path) as ReturnType<Partition["status"]>;
    return { status: () => status, close: () => undefined };
  },
});
export default flash;
