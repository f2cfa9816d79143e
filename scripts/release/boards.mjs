/** The boards, a line each. */
import { BOARDS } from "../moddable.mjs";

console.log(BOARDS.join("\n"));
