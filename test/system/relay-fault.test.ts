/** The relay's rule "any fault" on the whole device, of the first, a middle and the last pack. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { serialNumberAt } from "../../host-sim/bms/simulated-bms";
import { System, turn } from "../support/system/system";

const COUNT = 3;
/** Virtual seconds: another serial number is read within a minute, and twice. */
const PATIENCE = 300;
const FAIL_SAFE_AFTER = 10;

let system: System;

async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let second = 0; !(await condition()); second++) {
    if (second > PATIENCE) throw new Error(`${PATIENCE} s went by in vain until ${what}`);
    system.skip(1_000);
    await turn();
  }
}
const isOn = (): boolean => system.probes.relay() === 1;
const online = async (): Promise<number> => {
  const { data } = (await system.get("/api/packs")).json as { data: { bank: { online: number } } };
  return data.bank.online;
};

beforeEach(async () => {
  system = await System.start({
    bank: { count: COUNT, timeFactor: 0, evolving: false },
    board: {
      config: {
        settings: {
          relay: { mode: 1, source: "fault", failSafe: "on", failSafeAfter: FAIL_SAFE_AFTER },
          packs: { further: [2, 3].map((address) => ({ address, name: `Pack ${address}` })) },
        },
      },
    },
  });
  await until("all are online", async () => (await online()) === COUNT);
  await until("nothing is wrong", () => !isOn());
});
afterEach(() => system.stop());

it.each([0, 1, 2])("pack %i", async (at) => {
  const pack = system.bank!.packs[at]!;
  const { registers } = pack;
  // What is no fault switches nothing.
  registers.write("TimeEmergency", 600);
  system.skip(30_000);
  expect(isOn()).toBe(false);
  registers.write("TimeEmergency", 0);

  registers.write("Alarms", 1 << 11);
  await until("an alarm switches it on", isOn);
  const before = system.probes.start().restarts;
  system.probes.restart();
  await until("it has started again", () => system.probes.start().restarts > before);
  await until("it is on again", async () => (await online()) === COUNT && isOn());
  registers.write("Alarms", 0);
  await until("its end switches it off", () => !isOn());

  registers.writeText("SerialNumber", "OTHER\x00000");
  await until("an exchange switches it on", isOn);
  registers.writeText("SerialNumber", `${serialNumberAt(at + 1)}\x00000`);
  await until("it is off once the pack is back", () => !isOn());

  pack.setOnline(false);
  await until("it is silent", async () => (await online()) === COUNT - 1);
  expect(isOn()).toBe(false);
  system.skip(FAIL_SAFE_AFTER * 1_000);
  expect(isOn()).toBe(true);
  pack.setOnline(true);
  await until("it answers again", () => !isOn());
});
