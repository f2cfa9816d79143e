/**
 * npm run release -- X.Y.Z: sets the version (in package.json, its single source, and the lockfile), moves the
 * "Unreleased" section of CHANGELOG.md under that version with today's date, commits both and tags the commit vX.Y.Z. The
 * address of the project, in package.json too, becomes that of the remote "origin".
 * It does not push.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { addressOf, withAddress } from "./homepage.mjs";
import { isNewer, released, VERSION } from "./release/changelog.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const git = (...parameters) => execFileSync("git", parameters, { encoding: "utf8" }).trim();

/** Empty: there is none. */
function remote() {
  try {
    return git("remote", "get-url", "origin");
  } catch {
    return "";
  }
}

function release(version) {
  if (!version || !VERSION.test(version)) throw new Error("npm run release -- X.Y.Z (semver.org)");
  const product = JSON.parse(readFileSync("package.json", "utf8"));
  const { version: before } = product;
  const address = addressOf(remote());
  if (!address) throw new Error('There is no remote "origin" at GitHub: docs/releasing.md, Before the first release.');
  const tag = `v${version}`;
  // The first release uses the initial version in package.json.
  const tagged = git("tag", "--list", "v*") !== "";
  if (tagged ? !isNewer(version, before) : version !== before && !isNewer(version, before))
    throw new Error(`${version} is not newer than ${before}`);
  if (git("status", "--porcelain")) throw new Error("There are uncommitted changes.");
  if (git("tag", "--list", tag)) throw new Error(`The tag ${tag} exists already.`);

  const changelog = released(readFileSync("CHANGELOG.md", "utf8"), version, new Date().toISOString().slice(0, 10));
  for (const path of ["package.json", "package-lock.json"]) {
    const text = JSON.parse(readFileSync(path, "utf8"));
    const file = path === "package.json" ? withAddress(text, address) : text;
    file.version = version;
    if (file.packages) file.packages[""].version = version;
    writeFileSync(path, `${JSON.stringify(file, null, 2)}\n`);
  }
  writeFileSync("CHANGELOG.md", changelog);
  git("add", "package.json", "package-lock.json", "CHANGELOG.md");
  git("commit", "--quiet", "--message", `Release ${version}`);
  git("tag", "--annotate", tag, "--message", `Release ${version}`);
  console.log(`${tag} is tagged. To publish it: git push origin HEAD ${tag}`);
}

try {
  release(process.argv[2]);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
