/** The one time of program and BMS, on which the other suites rest: no machine is too slow for it. */
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { FIRST_BYTE_TIMEOUT } from "modbus/limits";
import { LinuxSystem } from "../support/system/linux-system";
import type { MonitorState } from "../support/system/probes";

const SECOND = 1_000;
/** Real time that one of the two stands still. */
const PAUSE = 3 * FIRST_BYTE_TIMEOUT;

let system: LinuxSystem;
afterEach(() => system.stop());

const monitor = async (): Promise<MonitorState> =>
  (await system.program.order({ order: "probe", name: "monitor", parameters: [] })) as MonitorState;

it.each([
  ["the program", (stopped: boolean) => system.program.signal(stopped ? "SIGSTOP" : "SIGCONT")],
  ["the serial line", (stopped: boolean) => system.pty.signal(stopped ? "SIGSTOP" : "SIGCONT")],
])("no BMS request times out while %s stands still", async (_, stop) => {
  system = await LinuxSystem.start({ unpaced: true, settings: { bms: { readMode: "registers" } } });
  await system.run(10 * SECOND);
  const before = (await monitor()).statistics!;
  expect(before.replies).toBeGreaterThan(3);
  for (let count = 0; count < 3; count++) {
    const run = system.run(1_500);
    await wait(count);
    stop(true);
    await wait(PAUSE);
    stop(false);
    await run;
  }
  const { online, statistics } = await monitor();
  expect([online, statistics!.timeouts, statistics!.crcErrors]).toEqual([true, 0, 0]);
  expect(statistics!.replies).toBeGreaterThan(before.replies);
});

it("ten minutes pass faster than real time, and equally for both", async () => {
  system = await LinuxSystem.start({
    unpaced: true,
    settings: { bms: { readMode: "registers", interval: 5 * SECOND } },
  });
  await system.run(10 * SECOND);
  const before = { at: system.clock.now, replies: (await monitor()).statistics!.replies };
  await system.run(600 * SECOND);
  expect(system.clock.now - before.at).toBe(600 * SECOND);
  const polls = (await monitor()).statistics!.replies - before.replies;
  expect(polls).toBeGreaterThanOrEqual(119);
});
