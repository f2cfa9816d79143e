/** The repository's files as seen by the checks of docs and comments. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";

export class Repository {
  /** @param {Map<string, string>} files contents by path */
  constructor(files) {
    this.files = files;
    this.folders = new Set();
    this.names = new Set();
    for (const path of files.keys()) {
      this.names.add(basename(path));
      for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) this.folders.add(folder);
    }
  }

  /** Tracked and untracked files, without those that git ignores. */
  static here() {
    const list = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" });
    const files = new Map();
    for (const path of list.split("\n").filter(Boolean).sort()) {
      const text = textOf(path);
      if (text !== undefined) files.set(path, text);
    }
    return new Repository(files);
  }

  has(path) {
    return this.files.has(path) || this.folders.has(path);
  }

  /** Paths with one of the given extensions. */
  paths(...endings) {
    return [...this.files.keys()].filter((path) => endings.some((ending) => path.endsWith(ending)));
  }
}

/** Undefined for a file whose deletion has not been committed yet. */
function textOf(path) {
  try {
    return /\.(png|ico|gz)$/.test(path) ? "" : readFileSync(path, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}
