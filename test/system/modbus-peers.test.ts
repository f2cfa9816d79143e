/** Programs of others that speak Modbus TCP: mbpoll, pymodbus. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { freePort } from "../support/free-port";
import { runProgram } from "../support/run-program";
import { System } from "../support/system/system";

const PYMODBUS = fileURLToPath(new URL("../peers/pymodbus-tcp.py", import.meta.url));

let system: System;
let port: number;

beforeEach(async () => {
  port = await freePort();
  system = await System.start({ board: { config: { settings: { modbus: { enabled: true, port } } } } });
  await system.untilLoaded();
});

afterEach(() => system.stop());

it("mbpoll reads what docs/modbus.md says, by its lines", async () => {
  const lines = readFileSync("docs/modbus.md", "utf8").match(/^mbpoll .*#=> .*$/gm) ?? [];
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    const [command = "", expected = ""] = line.split(/\s+#=> /);
    const { stdout } = await runProgram("mbpoll", command.replace("1502", `${port}`).split(/\s+/).slice(1));
    expect(stdout).toContain(expected);
  }
});

it("pymodbus reads both maps, and is refused what is refused", async () => {
  const { stdout } = await runProgram("/usr/bin/python3", [PYMODBUS, `${port}`]);
  expect(JSON.parse(stdout)).toEqual({
    ...{ suns: [0x5375, 0x6e53], charge: 55, end: [0xffff, 0] },
    ...{ nowhere: 2, unit: 11, write: 1, writes: 1 },
  });
});
