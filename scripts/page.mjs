/** Builds the web interface's page into build/web, where the simulator and the device builds read it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { root, setUp } from "./setup.mjs";

const BUILDER = `${root}web/build.mjs`;
const PAGE = `${root}build/web`;

/** Fast enough to run every time, so that the page is never stale. `without`: parts to leave out, parts.mjs. */
export async function buildPage(without = /** @type {readonly string[]} */ ([])) {
  if (existsSync(BUILDER)) {
    const { buildWeb } = await import(pathToFileURL(BUILDER).href);
    await buildWeb({ out: PAGE, log: () => {}, without });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await setUp();
  // page.mjs [part …]: without these parts, parts.mjs.
  await buildPage(process.argv.slice(2));
  // mcconfig requires every file to exist.
  mkdirSync(PAGE, { recursive: true });
  const { data } = JSON.parse(readFileSync(`${root}manifest.json`, "utf8"));
  for (const file of data["*"])
    if (file.startsWith("./build/web/") && !existsSync(`${root}${file}.gz`))
      writeFileSync(`${root}${file}.gz`, gzipSync("The page was not built.\n"));
}
