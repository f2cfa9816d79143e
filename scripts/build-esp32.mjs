/**
 * npm run build:esp32 -- <board> [--key FILE] [--plain[=pass,…]] [--write] [name=value …]: builds the firmware for a board of docs/boards.md. Fails
 * if the image does not fit its slot. --write: what it is made of becomes a table of docs/sizes.md. With a key from `npm run keygen`, the image is signed and the firmware accepts
 * only updates signed with that key.
 */
import { readFileSync } from "node:fs";
import { publicKeyOf, readKey, signImage } from "./image-signing.mjs";
import { measuredAt } from "./measured-at.mjs";
import { boardOf, buildBoard, checkFit, mapOf } from "./moddable.mjs";
import { replaceFile } from "./replace-file.mjs";
import { setUp } from "./setup.mjs";
import { passesIn } from "./shrink/passes.mjs";
import { linkedParts } from "./size/linked.mjs";
import { SOURCES, writeLinked } from "./size/table.mjs";

const { passes, rest: words } = passesIn(process.argv.slice(2));
const isWriting = words.includes("--write");
const [board, rest] = boardOf(words.filter((word) => word !== "--write"));
const at = rest.indexOf("--key");
const [, file] = at < 0 ? [] : rest.splice(at, 2);
if (at >= 0 && file === undefined) {
  console.error("--key FILE: the file of npm run keygen");
  process.exit(2);
}
const key = file === undefined ? undefined : readKey(readFileSync(file));
await setUp();
const image = await buildBoard(board, key ? [...rest, `updateKey=${publicKeyOf(key)}`] : rest, passes);
if (isWriting) writeLinked(board, linkedParts(readFileSync(mapOf(image), "utf8")), measuredAt(SOURCES));
if (key) {
  replaceFile(image, signImage(readFileSync(image), key));
  checkFit(image);
}
