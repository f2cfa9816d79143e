/**
 * notes.mjs TAG: prints the changelog section of a release. Fails if the tag does not match the version being built.
 */
import { readFileSync } from "node:fs";
import { sectionOf } from "./changelog.mjs";

const read = (name) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
const [tag] = process.argv.slice(2);
const { version } = JSON.parse(read("package.json"));
try {
  if (tag !== `v${version}`) throw new Error(`The tag is ${tag}, the version in package.json ${version}.`);
  console.log(sectionOf(read("CHANGELOG.md"), version));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
