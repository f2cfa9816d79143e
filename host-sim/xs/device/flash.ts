import type { Flash } from "embedded:storage/flash";
import { BOARD } from "../protocol";
import { invoke } from "./link";

const flash = Object.freeze({
  open({ path }: { readonly path: string }): Flash {
    const status = invoke(BOARD, "slot", path) as ReturnType<Flash["status"]>;
    return { status: () => status, close: () => undefined };
  },
});
export default flash;
