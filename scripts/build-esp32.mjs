/** npm run build:esp32 -- <board> [name=value …]: builds the firmware for a board of docs/boards.md. An image that does not fit its slot is an error. */
import { boardOf, buildBoard } from "./moddable.mjs";
import { setUp } from "./setup.mjs";

const [board, rest] = boardOf(process.argv.slice(2));
await setUp();
await buildBoard(board, rest);
