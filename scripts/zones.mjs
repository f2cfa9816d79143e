/**
 * Writes web/zone-table.ts, the page's list of time zones: each zone of the time zone database that a country has, with the rule of today's
 * law. Run it where a new version of the database is installed (Debian's tzdata), and before a release.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { replaceFile } from "./replace-file.mjs";
import { root } from "./setup.mjs";

const DATABASE = "/usr/share/zoneinfo";
export const FILE = `${root}web/zone-table.ts`;

export const installedVersion = () => /^# version (\S+)/.exec(readFileSync(`${DATABASE}/tzdata.zi`, "utf8"))?.[1];

/** The footer of a file of the database, RFC 9636 section 3.3. */
const ruleOf = (name) => readFileSync(`${DATABASE}/${name}`, "latin1").trimEnd().split("\n").at(-1) ?? "";

/** Names of the same rule share a line, and those of the same area a column. */
export function zoneTable() {
  const names = readFileSync(`${DATABASE}/zone.tab`, "utf8")
    .split("\n")
    .filter((line) => line && !line.startsWith("#"))
    .map((line) => line.split("\t")[2] ?? "");
  /** @type {Map<string, Map<string, string[]>>} */
  const rules = new Map();
  for (const name of ["UTC", ...names].sort()) {
    const rule = ruleOf(name);
    const areas = rules.get(rule) ?? new Map();
    const end = name.lastIndexOf("/") + 1;
    areas.set(name.slice(0, end), [...(areas.get(name.slice(0, end)) ?? []), name.slice(end)]);
    rules.set(rule, areas);
  }
  const lines = [...rules].map(([rule, areas]) =>
    [rule, ...[...areas].map(([area, places]) => area + places.join())].join("|"),
  );
  return `// Made by scripts/zones.mjs from the time zone database: not to be edited.
/** Version of the database. */
export const VERSION = ${JSON.stringify(installedVersion())};
/** A rule a line, then its zones by area: \`GMT0|Africa/Abidjan,Accra|Atlantic/Reykjavik\`. */
export const TABLE = \`\\
${lines.join("\n")}\`;
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) replaceFile(FILE, zoneTable());
