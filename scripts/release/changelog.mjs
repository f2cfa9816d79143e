/** Reads and updates CHANGELOG.md, in the format of https://keepachangelog.com/en/1.1.0/. */

export const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

const HEADING = /^## \[([^\]]+)\](?: - (\d{4}-\d{2}-\d{2}))?$/gm;

/**
 * The sections, newest first: version (including "Unreleased"), date, text without the heading. Throws if the file is
 * malformed.
 */
export function sectionsOf(text) {
  const found = [...text.matchAll(HEADING)];
  if (found[0]?.[1] !== "Unreleased") throw new Error("CHANGELOG.md does not start with ## [Unreleased]");
  return found.map((match, at) => ({
    version: match[1],
    date: match[2],
    text: text.slice(match.index + match[0].length, found[at + 1]?.index ?? text.length).trim(),
  }));
}

/** The section of a version. Throws if it is missing or empty. */
export function sectionOf(text, version) {
  const section = sectionsOf(text).find((one) => one.version === version);
  if (!section) throw new Error(`CHANGELOG.md has no section for ${version}`);
  if (!section.text) throw new Error(`The section ${version} of CHANGELOG.md is empty: there is nothing to release`);
  return section.text;
}

/**
 * The file with the unreleased section renamed to `version`. Throws if that section is empty or the version has already
 * been released.
 */
export function released(text, version, date) {
  if (!VERSION.test(version)) throw new Error(`${version} is not a version such as 1.2.3`);
  if (sectionsOf(text).some((one) => one.version === version)) throw new Error(`${version} is in CHANGELOG.md already`);
  sectionOf(text, "Unreleased");
  return text.replace("## [Unreleased]\n", `## [Unreleased]\n\n## [${version}] - ${date}\n`);
}

/** Whether `version` is later than `before`. */
export function isNewer(version, before) {
  const [one, other] = [version, before].map((text) => text.split(".").map(Number));
  const at = one.findIndex((part, index) => part !== other[index]);
  return at >= 0 && one[at] > other[at];
}
