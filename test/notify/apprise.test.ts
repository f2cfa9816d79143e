/** Debian's apprise sends what services.test.ts compares with. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { runProgram } from "../support/run-program";

it("apprise itself sends the requests that were captured", async () => {
  const { code, stdout, output } = await runProgram("/usr/bin/python3", ["test/fixtures/apprise/capture.py"]);
  expect(code, output).toBe(0);
  expect(JSON.parse(stdout)).toEqual(JSON.parse(readFileSync("test/fixtures/apprise/requests.json", "utf8")));
});
