/**
 * Generates THIRD-PARTY-NOTICES: what the images, the device's page and the page that flashes contain of others, with all licences;
 * --check only compares (exit 1: out of date).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../host-sim/specifiers.mjs";
import { REVIEWED } from "./notices/check-linked.mjs";
import { COMPONENTS, SDK_WITHOUT_HEADER, WITHOUT_HEADER_TEXT } from "./notices/components.mjs";
import { setUp } from "./setup.mjs";

await setUp();
const { packagesOfFlashPage, packagesOfPage } = await import("./notices/npm.mjs");

const FILE = join(root, "THIRD-PARTY-NOTICES");
const LINE = "=".repeat(80);

const tidy = (text) =>
  text
    .replace(/\r\n/g, "\n")
    .replace(/[ \t]+$/gm, "")
    .replace(/^\n+|\n+$/g, "");

/** Titles by text, so that each text is there once. */
const texts = new Map();
function take(text, title) {
  const found = tidy(text);
  texts.set(found, [...(texts.get(found) ?? []), title]);
}

const heading = (title) => `${LINE}\n${title}\n${LINE}\n`;

function componentsText() {
  for (const { name, texts: files } of COMPONENTS)
    for (const file of files) take(readFileSync(join(root, `LICENSES/${file}.txt`), "utf8"), name);
  return COMPONENTS.map(({ name, of, licence, notice = [] }) =>
    [`${name}`, `  of ${of === "IDF_VERSION" ? "ESP-IDF" : "the Moddable SDK"} ${REVIEWED[of]}: ${licence}`]
      .concat(notice.map((line) => `  ${line}`))
      .join("\n"),
  ).join("\n\n");
}

function packagesText(packages) {
  for (const { name, text } of packages) take(text, name);
  return packages.map(({ name, version, licence }) => `${name} ${version}: ${licence}`).join("\n");
}

const text = [
  "JK BMS Monitor is under the MIT licence (LICENSE). What it is distributed with has licences of its own.",
  "docs/licences.md says what they ask of those who pass an image on.",
  "",
  heading("In the images, linked"),
  componentsText(),
  "",
  heading("Files without a licence of their own"),
  [WITHOUT_HEADER_TEXT[0], ...SDK_WITHOUT_HEADER.map((file) => `  ${file}`)].join("\n"),
  WITHOUT_HEADER_TEXT.slice(1).join("\n"),
  "",
  heading("In the images, as the web page"),
  packagesText(await packagesOfPage()),
  "",
  heading("On the page that flashes"),
  packagesText(packagesOfFlashPage()),
  "",
  ...[...texts].map(([text, titles]) => `${heading([...new Set(titles)].join("\n"))}\n${text}\n`),
].join("\n");

if (process.argv[2] !== "--check") writeFileSync(FILE, text);
else if (readFileSync(FILE, "utf8") !== text) {
  console.error("THIRD-PARTY-NOTICES is out of date: run npm run generate");
  process.exitCode = 1;
}
