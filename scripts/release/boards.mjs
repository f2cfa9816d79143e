/** Prints the boards, one per line. */
import { BOARDS } from "../moddable.mjs";

console.log(BOARDS.join("\n"));
