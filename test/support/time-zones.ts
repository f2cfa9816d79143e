/** The installed time zone database (Debian's tzdata). */
import { readFileSync } from "node:fs";

const DATABASE = "/usr/share/zoneinfo";
const [header = "", ...lines] = readFileSync(`${DATABASE}/tzdata.zi`, "utf8").split("\n");

/** "2025b" */
export const DATABASE_VERSION = header.replace("# version ", "");

/** Of every zone, by all of its names; zic(8) has the form of the lines. */
export const ZONE_NAMES: readonly string[] = lines.flatMap((line) => {
  const [kind, first = "", second = ""] = line.split(" ");
  // A computer that has not been set up.
  if (first === "Factory") return [];
  return kind === "Z" ? [first] : kind === "L" ? [second] : [];
});

/** The rule of today's law, the footer of the zone's file: RFC 9636 section 3.3. */
export const footerOf = (name: string): string =>
  readFileSync(`${DATABASE}/${name}`, "latin1").trimEnd().split("\n").at(-1) ?? "";
