/**
 * npm run check: no commit of the history has a secret. What was ever added counts: what a later commit deletes is still there for everybody who has the
 * repository. `node scripts/check-secrets.mjs [repository]`
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** What keys of well-known shapes look like; a private key's first line counts when key material follows. */
const SHAPES = {
  "private key": /^-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/,
  "AWS key": /\bAKIA[0-9A-Z]{16}\b/,
  "GitHub token": /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{60,})/,
  "GitLab token": /\bglpat-[\w-]{20}/,
  "npm token": /\bnpm_[A-Za-z0-9]{36}\b/,
  "Slack token": /\bxox[abprs]-[\w-]{20}/,
  "Google key": /\bAIza[\w-]{35}/,
  "Telegram bot": /\b\d{8,10}:AA[\w-]{33}\b/,
};
/** Made up, for tests. */
const MADE_UP = "123456789:AAbbccddeeffgghhiijjkkllmmnnooppqqr";
const KEY_MATERIAL = /^[A-Za-z0-9+/]{40,}={0,2}$/;

const repository = process.argv[2] ?? ".";
const git = spawn(
  "git",
  ["-C", repository, "log", "HEAD", "-p", "-m", "-U0", "--no-color", "--no-ext-diff", "--format=commit %H"],
  {
    stdio: ["ignore", "pipe", "inherit"],
  },
);
const ended = new Promise((resolve) => git.on("close", resolve));

let commit = "";
let path = "";
let begun = false;
let lines = 0;
/** @type {Set<string>} */
const found = new Set();
for await (const line of createInterface({ input: git.stdout, crlfDelay: Infinity })) {
  if (line.startsWith("commit ")) commit = line.slice(7, 15);
  else if (line.startsWith("+++ ")) path = line.slice(6);
  if (!line.startsWith("+") || line.startsWith("+++ ")) continue;
  lines++;
  const text = line
    .slice(1)
    .trim()
    .replace(/^["'`]|(?:\\n)?["'`],?(?: \+)?$/g, "");
  if (begun && KEY_MATERIAL.test(text)) found.add(`${commit} ${path}: private key`);
  begun = SHAPES["private key"].test(text);
  for (const [name, shape] of Object.entries(SHAPES))
    if (name !== "private key" && shape.test(text.replaceAll(MADE_UP, ""))) found.add(`${commit} ${path}: ${name}`);
}
if ((await ended) !== 0 || !lines) {
  console.error("check-secrets: the history cannot be read");
  process.exit(2);
}
for (const secret of found) console.error(secret);
console.log(`${lines} added lines of the history: ${found.size} secrets`);
process.exitCode = found.size ? 1 : 0;
