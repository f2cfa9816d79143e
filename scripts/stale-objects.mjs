/**
 * The SDK's makefiles compile a C file again when it changes, but not when a header or a flag does: the objects of an older retained.h make an
 * image that ends at each start. So all objects go when one of these has changed.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

const FOLDERS = ["boards", "linux", "modules"];
/** Flags and definitions stand in manifests. */
const isMeant = (name) => name.endsWith(".h") || basename(name) === "manifest.json";

function digestOf(root) {
  const hash = createHash("sha256");
  const names = FOLDERS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  for (const name of ["manifest.json", ...names].filter(isMeant).sort())
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(root, name)))
      .update("\0");
  return hash.digest("hex");
}

/**
 * @param {string} output folder of the SDK's objects
 * @param {string} root of the repository
 * @returns {number} of objects that are gone
 */
export function removeStaleObjects(output, root) {
  const note = join(output, "headers");
  const digest = digestOf(root);
  if (existsSync(note) && readFileSync(note, "utf8") === digest) return 0;
  const objects = existsSync(join(output, "tmp"))
    ? readdirSync(join(output, "tmp"), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".o"))
    : [];
  for (const name of objects) rmSync(join(output, "tmp", name));
  mkdirSync(output, { recursive: true });
  writeFileSync(note, digest);
  return objects.length;
}
