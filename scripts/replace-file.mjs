import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Replaces a file atomically: concurrent readers, including another run of the same program, see either the old or the
 * new content.
 */
export function replaceFile(path, content) {
  const unfinished = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(unfinished, content);
  renameSync(unfinished, path);
}
