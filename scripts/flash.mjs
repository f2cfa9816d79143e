/**
 * npm run flash -- <board> [name=value …]: builds the firmware for a board and flashes it over USB or serial
 * (UPLOAD_PORT).
 */
import { boardOf, buildBoard, mcconfigBoard } from "./moddable.mjs";
import { setUp } from "./setup.mjs";

const [board, rest] = boardOf(process.argv.slice(2));
await setUp();
const { accessPointOn, firstStartText } = await import("./first-start.mjs");
await buildBoard(board, rest);
await mcconfigBoard(board, { parameters: ["-m", "-t", "deploy", ...rest], device: true });

const SECONDS = 30;
const { UPLOAD_PORT } = process.env;
if (UPLOAD_PORT) {
  const found = await accessPointOn(UPLOAD_PORT, SECONDS).catch(({ message }) => console.error(message));
  console.log(
    found ? firstStartText(found) : "No access point was opened: the device knows a network, or is on a cable.",
  );
} else
  console.log(
    "With UPLOAD_PORT set, the access point's password would be shown here; it is on the console at 115,200 baud.",
  );
