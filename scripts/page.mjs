/** Builds the web interface's page into build/web, from where the simulator and the device builds take it. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { root } from "./setup.mjs";

const BUILDER = `${root}web/build.mjs`;
const PAGE = `${root}build/web`;

/** The files that manifest.json embeds. */
const FILES = ["index.html", "app.js", "app.css", "icon.svg"];

/** Quick: always done, so that the page is never an old one. */
export async function buildPage() {
  if (existsSync(BUILDER)) {
    const { buildWeb } = await import(BUILDER);
    await buildWeb({ out: PAGE, log: () => {} });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildPage();
  // mcconfig wants each file to be there.
  mkdirSync(PAGE, { recursive: true });
  for (const file of FILES)
    if (!existsSync(`${PAGE}/${file}.gz`)) writeFileSync(`${PAGE}/${file}.gz`, gzipSync("The page was not built.\n"));
}
