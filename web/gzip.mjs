/** gzip by Zopfli, 3 % smaller than zlib's best. It takes a second for the whole page, so results are kept. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { gunzipSync } from "node:zlib";
import { root } from "../host-sim/specifiers.mjs";
import { replaceFile } from "../scripts/replace-file.mjs";

const CACHE = `${root}.cache/gzip`;
/** Results kept: some dozens of builds. */
const KEEP = 200;
const OPTIONS = { numiterations: 15 };
const { version } = JSON.parse(readFileSync(`${root}node_modules/@gfx/zopfli/package.json`, "utf8"));

async function compress(content) {
  const options = { workerData: { content, options: OPTIONS }, execArgv: [] };
  const worker = new Worker(new URL("gzip-worker.mjs", import.meta.url), options);
  const [compressed] = await once(worker, "message");
  // RFC 1952, OS byte: "unknown", since the result is the same everywhere.
  compressed[9] = 0xff;
  return Buffer.from(compressed);
}

/** The kept result; undefined if there is none, or not of this content. */
function kept(path, content) {
  try {
    const compressed = readFileSync(path);
    return gunzipSync(compressed).equals(content) ? compressed : undefined;
  } catch {
    return undefined;
  }
}

function dropOldest(folder) {
  const written = (name) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const results = readdirSync(folder).map((name) => ({ name, at: written(name) }));
  results.sort((a, b) => b.at - a.at);
  for (const { name } of results.slice(KEEP)) rmSync(join(folder, name), { force: true });
}

/**
 * @param {string} text
 * @param {string} [folder] where results are kept
 * @returns {Promise<Buffer>} the same bytes on every machine
 */
export async function gzip(text, folder = CACHE) {
  const content = Buffer.from(text);
  const name = createHash("sha256")
    .update(`${version} ${JSON.stringify(OPTIONS)} `)
    .update(content)
    .digest("hex");
  const path = join(folder, name);
  const present = kept(path, content);
  if (present) return present;
  const compressed = await compress(content);
  replaceFile(path, compressed);
  dropOldest(folder);
  return compressed;
}
