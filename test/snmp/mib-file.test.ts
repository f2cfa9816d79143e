import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { runProgram } from "../support/run-program";

const FILE = "docs/BMS-MONITOR-MIB.txt";

it("is generated from the tables", async () => {
  const { code, stdout } = await runProgram("node", ["scripts/mib.mjs", "--stdout"]);
  expect(code).toBe(0);
  expect(stdout).toBe(readFileSync(FILE, "utf8"));
});

it("passes smilint at level 3", async () => {
  const lint = (file: string): ReturnType<typeof runProgram> =>
    runProgram("env", ["SMIPATH=test/fixtures/mibs", "smilint", "-c", "/dev/null", "-l", "3", file]);
  expect(await lint(FILE)).toMatchObject({ code: 0, output: "" });
  // The module is found, and so are those that it imports.
  expect((await lint("docs/no-such-file.txt")).output).not.toBe("");
});
