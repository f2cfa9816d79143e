/** The scan of the history for secrets, on repositories made here. */
import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "secrets-"));
  git("init", "-q");
});
afterEach(() => rmSync(folder, { recursive: true }));

function git(...parameters: string[]): void {
  const { status, stderr } = spawnSync(
    "git",
    ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@a.example", "-c", "commit.gpgsign=false", ...parameters],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(stderr);
}
function commit(text: string): void {
  writeFileSync(join(folder, "settings.txt"), text);
  git("add", ".");
  git("commit", "-qm", "change");
}
const scan = (): { status: number | null; said: string } => {
  const { status, stdout, stderr } = spawnSync("node", ["scripts/check-secrets.mjs", folder], { encoding: "utf8" });
  return { status, said: stdout + stderr };
};

const filler = (count: number): string => "a1B2c3D4e5F6g7H8i9J0".repeat(4).slice(0, count);
const pem = (): string =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();

// Put together here, so that this file has none.
it.each([
  ["private key", pem()],
  ["private key", `const key =\n  "${pem().split("\n").slice(0, 2).join('" +\n  "')}"`],
  ["AWS key", `AKIA${filler(16).toUpperCase()}`],
  ["GitHub token", `token: ghp_${filler(36)}`],
  ["GitLab token", `glpat-${filler(20)}`],
  ["npm token", `npm_${filler(36)}`],
  ["Slack token", `xoxb-${filler(24)}`],
  ["Google key", `AIza${filler(35)}`],
  ["Telegram bot", `${"1".repeat(9)}:AA${filler(33)}`],
])("%s: found, although a later commit has deleted it", (name, secret) => {
  commit("nothing\n");
  commit(`${secret}\n`);
  commit("nothing again\n");
  const { status, said } = scan();
  expect([status, said]).toEqual([1, expect.stringMatching(new RegExp(`^\\w{8} settings\\.txt: ${name}$`, "m"))]);
});

it("a history without one passes, also with a certificate and with the words alone", () => {
  commit(`-----BEGIN CERTIFICATE-----\n${filler(64)}\n-----END CERTIFICATE-----\n`);
  commit("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
  commit(`sha256 ${"0123456789abcdef".repeat(4)}\n`);
  expect(scan()).toEqual({ status: 0, said: "7 added lines of the history: 0 secrets\n" });
});

it("a folder without a history fails, rather than passing unread", () => {
  expect(scan().status).toBe(2);
});
