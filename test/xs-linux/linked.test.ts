/**
 * The firmware is linked for a PC as for the chip: preloaded, stripped of the built-in functions that it does not name, packed. The other
 * suites run on a program with the tests' probes, whose names keep more functions; here the product's own bundle starts and answers.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { ApiClient } from "../support/system/api-client";
import { TOKEN } from "../support/system/system";
import { LinuxSystem, programOf } from "../support/system/linux-system";
import { NO_MULTICAST } from "./linux-stage";

let running: LinuxSystem | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

it("the product's bundle starts, reads the pack and answers", async () => {
  const system = (running = await LinuxSystem.start({ program: programOf("PRODUCT_PROGRAM") }));
  const client = new ApiClient({ baseUrl: system.baseUrl, token: TOKEN });
  const ask = async (path: string): Promise<Record<string, unknown>> => {
    const { status, json } = await client.send({ path });
    expect(status).toBe(200);
    return (json as { data: Record<string, unknown> }).data;
  };
  await expect.poll(async () => ask("/api/bms/status")).toMatchObject({ online: true, cellCount: 16 });
  expect(await ask("/api")).toMatchObject({ bms: { online: true, cellCount: 16 } });
  expect(system.console.filter((line) => line.includes("Error") && !NO_MULTICAST.test(line))).toEqual([]);
});

it.each(["PRODUCT_PROGRAM", "BMS_PROGRAM"] as const)("%s has the engine's own functions on its stack", (name) => {
  const source = readFileSync(join(programOf(name).replace("/bin/lin/", "/tmp/lin/"), "mc.xs.c"), "utf8");
  const rows = /^static const xsHostBuilder gxBuilders\[\d+\] = \{\n([^]*?)^\};/m.exec(source)![1]!.split("\n");
  const stack = /^static const txSlot gxStack\[mxStackCount\] = \{\n([^]*?)^\};/m.exec(source)![1]!;
  const functions = [...stack.matchAll(/&gxBuilders\[(\d+)\]/g)].map(([, at]) => rows[Number(at)]);
  // That of regular expressions, which is stripped, and the iterator of arrays.
  expect(functions.sort()).toEqual([
    "\t{ fxDeadStrip, 1, xsID_exec },",
    "\t{ fx_Array_prototype_values, 0, xsID_values },",
  ]);
});

it("and calls them: `arguments` are iterated by the one on the stack", async () => {
  const system = (running = await LinuxSystem.start());
  expect(await system.program.order({ order: "spread", of: [280, 16] })).toEqual([280, 16]);
});
