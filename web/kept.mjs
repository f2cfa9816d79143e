/** Results that take long to make, kept in a folder below .cache under the digest of all that they follow from. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../scripts/replace-file.mjs";

/** Results kept in a folder: some dozens of builds. */
const KEEP = 200;

/** The bytes; undefined if there are none, or not those that `isWhole` accepts. */
function read(path, isWhole) {
  try {
    const bytes = readFileSync(path);
    return isWhole(bytes) ? bytes : undefined;
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
 * @param {object} result
 * @param {string} result.folder
 * @param {readonly (string | Buffer)[]} result.from what the result follows from
 * @param {(bytes: Buffer) => boolean} result.isWhole false, or throws: what is kept is damaged
 * @param {() => Promise<Buffer>} result.make
 * @returns {Promise<Buffer>}
 */
export async function kept({ folder, from, isWhole, make }) {
  const hash = createHash("sha256");
  for (const part of from) hash.update(part);
  const path = join(folder, hash.digest("hex"));
  const present = read(path, isWhole);
  if (present) return present;
  const made = await make();
  replaceFile(path, made);
  dropOldest(folder);
  return made;
}
