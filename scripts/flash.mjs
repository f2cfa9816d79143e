/** npm run flash -- <board> [name=value …]: builds the firmware for a board and writes it to the one that is plugged in (UPLOAD_PORT). */
import { boardOf, buildBoard, mcconfigBoard } from "./moddable.mjs";
import { setUp } from "./setup.mjs";

const [board, rest] = boardOf(process.argv.slice(2));
await setUp();
await buildBoard(board, rest);
await mcconfigBoard(board, { parameters: ["-m", "-t", "deploy", ...rest], device: true });
