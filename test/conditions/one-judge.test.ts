/** Nothing but the table of conditions judges a value of the BMS: what else compares one stands in docs/architecture.md, with the command. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const [, section = ""] =
  /^## Where a value is judged$([^]*?)^## /m.exec(readFileSync("docs/architecture.md", "utf8")) ?? [];
const [, command = ""] = /^```sh\n(.*)\n```$/m.exec(section) ?? [];

it("all that the command finds is in the list, and nothing else", () => {
  const { status, stdout } = spawnSync("sh", ["-c", command], { encoding: "utf8" });
  expect(status).toBe(0);
  const found = stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(":")[0]);
  const listed = [...section.matchAll(/^- .*$/gm)].flatMap(([line]) =>
    [...line.matchAll(/`(src[^`]*)`/g)].map(([, path]) => path),
  );
  expect([...new Set(found)].toSorted()).toEqual(listed.toSorted());
});

it("the command finds a comparison where there is one", () => {
  const { stdout } = spawnSync("sh", ["-c", command.replace(/ ':!.*$/, "")], { encoding: "utf8" });
  for (const path of ["src/conditions/judgement.ts", "src/packs/comparison.ts"]) expect(stdout).toContain(`${path}:`);
});
