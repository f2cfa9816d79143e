/**
 * npm run build:esp32 -- <board> [--key FILE] [--plain[=pass,…]] [name=value …]: builds the firmware for a board of docs/boards.md. Fails
 * if the image does not fit its slot. With a key from `npm run keygen`, the image is signed and the firmware accepts
 * only updates signed with that key.
 */
import { readFileSync } from "node:fs";
import { publicKeyOf, readKey, signImage } from "./image-signing.mjs";
import { boardOf, buildBoard, checkFit } from "./moddable.mjs";
import { replaceFile } from "./replace-file.mjs";
import { setUp } from "./setup.mjs";
import { passesIn } from "./shrink/passes.mjs";

const { passes, rest: words } = passesIn(process.argv.slice(2));
const [board, rest] = boardOf(words);
const at = rest.indexOf("--key");
const [, file] = at < 0 ? [] : rest.splice(at, 2);
if (at >= 0 && file === undefined) {
  console.error("--key FILE: the file of npm run keygen");
  process.exit(2);
}
const key = file === undefined ? undefined : readKey(readFileSync(file));
await setUp();
const image = await buildBoard(board, key ? [...rest, `updateKey=${publicKeyOf(key)}`] : rest, passes);
if (key) {
  replaceFile(image, signImage(readFileSync(image), key));
  checkFit(image);
}
