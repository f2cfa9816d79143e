import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { runProgram } from "../support/run-program";

const FILE = "docs/BMS-MONITOR-MIB.txt";

it("is generated from the tables", async () => {
  const { code, stdout } = await runProgram("node", ["scripts/mib.mjs", "--stdout"]);
  expect(code).toBe(0);
  expect(stdout).toBe(readFileSync(FILE, "utf8"));
});

it("has a row of a table and of a group on a line each, with nothing aligned: a longer row does not change the others", () => {
  const text = readFileSync(FILE, "utf8");
  const lists = [...text.matchAll(/(?:SEQUENCE|OBJECTS|NOTIFICATIONS) +\{\n([^}]*)\n *\}/g)].map(([, rows]) => rows!);
  expect(lists.length).toBeGreaterThan(8);
  for (const row of lists.flatMap((rows) => rows.split("\n")))
    expect(row).toMatch(/^ +(?:, )?\w+(?: (?:OCTET STRING|\w+))?$/);
});

it("passes smilint at level 3", async () => {
  const lint = (file: string): ReturnType<typeof runProgram> =>
    runProgram("env", ["SMIPATH=test/fixtures/mibs", "smilint", "-c", "/dev/null", "-l", "3", file]);
  expect(await lint(FILE)).toMatchObject({ code: 0, output: "" });
  // The module is found, and so are those that it imports.
  expect((await lint("docs/no-such-file.txt")).output).not.toBe("");
});
