/**
 * Checks docs and comments against the repository: links, pictures, commands, paths, numbers that name a limit, and citations in
 * comments. --write updates the numbers.
 */
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { setUp } from "./setup.mjs";

await setUp();
const { bundle } = await import("./bundle.mjs");
const {
  brokenCommands,
  brokenComments,
  brokenLinks,
  brokenPaths,
  brokenPictures,
  platformCalls,
  platformModules,
  Repository,
  unnamed,
  withNumbers,
  wrongRegisters,
} = await import("./docs/checks.mjs");

const PROTOCOL = "docs/jk-modbus.md";
const PLATFORM = "docs/platform.md";
/** This project's modules that are not in modules/. */
const OWN = ["firmware"];

const repository = Repository.here();
const { scripts } = JSON.parse(repository.files.get("package.json"));
const { limits, OPTIONS, REGISTERS } = await import(
  pathToFileURL(await bundle("scripts/docs/facts.mjs", "docs-facts")).href
);

const write = process.argv.includes("--write");
const problems = [];
const pages = repository.paths(".md");
for (const path of pages) {
  problems.push(...brokenLinks(repository, path));
  problems.push(...brokenCommands(repository, path, { scripts, options: OPTIONS }));
  problems.push(...brokenPaths(repository, path));
  const text = repository.files.get(path);
  const { fresh, problems: stale } = withNumbers(path, text, limits);
  if (write && fresh !== text) writeFileSync(path, fresh);
  problems.push(...(write ? withNumbers(path, fresh, limits).problems : stale));
}
problems.push(...brokenPictures(repository));
const sources = repository
  .paths(".ts", ".tsx", ".mjs", ".js")
  .filter((path) => !path.startsWith("host-sim/xs/engine/"));
problems.push(...brokenComments(repository, sources));

problems.push(...wrongRegisters(PROTOCOL, repository.files.get(PROTOCOL), REGISTERS));

const device = (...endings) =>
  repository.paths(...endings).filter((path) => /^(boards|modules|src)\//.test(path) && !path.includes("/example/"));
const texts = (paths) => paths.map((path) => repository.files.get(path));
const folders = repository.paths("").flatMap((path) => /^modules\/([^/]+)\//.exec(path)?.[1] ?? []);
const asked = [
  ...platformCalls(texts(device(".c"))),
  ...platformModules(texts(device(".ts")), [...new Set(folders), ...OWN]),
];
problems.push(...unnamed(PLATFORM, repository.files.get(PLATFORM), asked));

for (const problem of [...new Set(problems)]) console.error(problem);
console.log(`${pages.length} pages, ${sources.length} sources: ${problems.length} problems`);
if (problems.length) process.exitCode = 1;
