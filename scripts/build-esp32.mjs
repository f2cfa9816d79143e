/** npm run build:esp32 -- <board> [name=value …]: builds the firmware for a board of docs/boards.md. */
import { boardOf, mcconfigBoard } from "./moddable.mjs";
import { setUp } from "./setup.mjs";

const [board, rest] = boardOf(process.argv.slice(2));
await setUp();
await mcconfigBoard(board, { parameters: ["-m", "-t", "build", ...rest], device: true });
