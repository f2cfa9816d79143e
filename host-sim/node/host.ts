import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { lookup } from "node:dns";
import { existsSync, readFileSync } from "node:fs";
import { connect, createServer, isIP } from "node:net";
import { join } from "node:path";
import type { Host } from "../host-types";
import { root } from "../root.mjs";
import { files } from "./files";

let commit: string | undefined;

function gitCommit(): string {
  try {
    const git = (...parameters: string[]): string =>
      execFileSync("git", parameters, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    return git("rev-parse", "--short=12", "HEAD") || "unknown";
  } catch {
    return "unknown";
  }
}

/** The board on Node. */
export const host: Host = {
  files,
  build: () => (commit ??= gitCommit()),
  print: (text) => void process.stdout.write(text),
  soon: (callback) => void setImmediate(callback),
  sha256: (text) => createHash("sha256").update(text).digest(),
  resource(path, folder = join(root, "build/web")) {
    const file = [folder, join(root, "src/notify")].map((place) => join(place, path)).find(existsSync);
    return file === undefined ? undefined : readFileSync(file);
  },
  isIP: (address) => isIP(address) !== 0,
  lookup: (name, done) => lookup(name, { family: 4 }, (error, address) => done(error ? undefined : address)),
  connect: (address, port) => connect({ host: address, port, allowHalfOpen: true }),
  createServer: (highWaterMark) => createServer({ pauseOnConnect: true, allowHalfOpen: true, highWaterMark }),
};
