/** npm run build:esp32 -- <board> [name=value …]: builds the firmware for a board of docs/boards.md. */
import { boardOf, mcconfig } from "./moddable.mjs";

const [board, rest] = boardOf(process.argv.slice(2));
mcconfig(`esp32/${board}`, { parameters: ["-m", "-t", "build", ...rest], device: true });
