import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import type { HostFiles } from "../host-types";

const temporaryOf = (path: string): string => `${path}.${process.pid}.tmp`;

/** At the start, not only with the first setting that is lost. */
function tryToWrite(path: string): void {
  const temporary = temporaryOf(path);
  try {
    closeSync(openSync(temporary, "w", 0o600));
    rmSync(temporary);
  } catch (error) {
    throw new Error(`storage file ${path} cannot be written: ${(error as Error).message}`);
  }
}

/** On the disk when a call returns. A kill at any moment leaves either the old text or the new one. */
export const files: HostFiles = {
  readText(path) {
    tryToWrite(path);
    try {
      return readFileSync(path, "utf8");
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") return undefined;
      if (code === "EISDIR") throw new Error(`storage file ${path} is a directory: name a file`);
      throw new Error(`storage file ${path} cannot be read: ${(error as Error).message}`);
    }
  },
  writeText(path, text) {
    const temporary = temporaryOf(path);
    const file = openSync(temporary, "w", 0o600);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
    const folder = openSync(dirname(path), "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  },
  rename: renameSync,
  readBytes(path, initial) {
    if (!existsSync(path)) writeFileSync(path, initial);
    return readFileSync(path);
  },
  patch(path, bytes, at, length) {
    const file = openSync(path, "r+");
    try {
      writeSync(file, bytes, at, length, at);
    } finally {
      closeSync(file);
    }
  },
};
