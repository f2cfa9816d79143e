/** Whether a board's build links only what components.mjs lists, so that THIRD-PARTY-NOTICES is complete. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ARCHIVES, SDK_HEADER, SDK_REVIEWED } from "./components.mjs";

const SOURCE = /(?:\$\(MODDABLE\)|<sdk>)\/([\w./~-]+\.(?:c|h|js|ts))(?![\w.])/g;

/** Sources of the SDK in a makefile of mcconfig that have neither the SDK's header nor an entry. */
export function unreviewedFiles(makefile, sdk) {
  const files = new Set([...makefile.replaceAll(`${sdk}/`, "<sdk>/").matchAll(SOURCE)].map(([, file]) => file));
  return [...files].filter((file) => {
    const path = join(sdk, file);
    return existsSync(path) && !SDK_REVIEWED.includes(file) && !SDK_HEADER.test(readFileSync(path, "utf8"));
  });
}

/** Static libraries in a linker's map that have no entry. */
export function unreviewedArchives(map) {
  const names = new Set([...map.matchAll(/([^\s/(]+\.a)\(/g)].map(([, name]) => name));
  return [...names].filter((name) => !ARCHIVES.some(([pattern]) => pattern.test(name)));
}

/** The tag of a clone, or what version.txt says where it is none: ESP-IDF's archives have that file. */
function versionOf(folder) {
  const git = ["-c", `safe.directory=${folder}`, "-C", folder, "describe", "--tags"];
  const { stdout } = spawnSync("git", git, { encoding: "utf8" });
  const text = join(folder, "version.txt");
  return stdout?.trim() || (existsSync(text) && readFileSync(text, "utf8").trim()) || "of unknown version";
}

/** The versions that were reviewed, by their names in scripts/ci/versions. */
export const REVIEWED = Object.fromEntries(
  [...readFileSync(new URL("../ci/versions", import.meta.url), "utf8").matchAll(/^(\w+)=(.*)$/gm)].map(
    ([, name, version]) => [name, version],
  ),
);

/**
 * Problems of a build, a line each.
 * @param {object} build
 * @param {string} build.makefile path of mcconfig's makefile
 * @param {string} build.map path of the linker's map
 * @param {string} build.sdk where the Moddable SDK is installed
 * @param {string} build.idf where ESP-IDF is installed
 */
export function problemsOf({ makefile, map, sdk, idf }) {
  const versions = [
    ["the Moddable SDK", versionOf(sdk), REVIEWED.MODDABLE_VERSION],
    ["ESP-IDF", versionOf(idf), REVIEWED.IDF_VERSION],
  ].filter(([, found, wanted]) => found !== wanted);
  const unknown = [
    ...unreviewedFiles(readFileSync(makefile, "utf8"), sdk),
    ...unreviewedArchives(readFileSync(map, "utf8")),
  ];
  return [
    ...versions.map(([name, found, wanted]) => `licences were reviewed for ${name} ${wanted}, this is ${found}`),
    ...unknown.map((name) => `its licence was not reviewed: ${name}`),
  ].map((problem) => `${problem} (scripts/notices/components.mjs)`);
}
