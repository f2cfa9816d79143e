/**
 * Bit 4 of the alarm word, "fully charged" or cell over-voltage, at each start, when the settings that tell which are not read yet: nothing is told,
 * nothing switches and nothing is well. A cell above the usual limit of its chemistry is told at once.
 */
import { afterEach, expect, it } from "vitest";
import { WT32_PINS } from "../../host-sim/config";
import type { Request } from "../../host-sim/bms/request";
import { startBroker, type Listener, type TestBroker } from "../support/mqtt/broker";
import { parseExposition, sampleOf } from "../support/peers/exposition";
import { at } from "../support/bms/walked-pack";
import { System, turn } from "../support/system/system";

const BASE = "jk-bms/02005e100001";
const SECOND = 1_000;
const BIT_4 = 1 << 4;
const STARTS = 3;

let broker: TestBroker;
let listener: Listener;
let system: System;

afterEach(async () => {
  system.stop();
  await broker.stop();
});

/** Of the settings, by registers and as a frame. */
const readsSettings = ({ register, trigger, data }: Request): boolean =>
  register !== undefined && register >= 0x1000 && register < 0x1200 && (!trigger || data.length === 0);

interface Pack {
  readonly soc: number;
  /** Of all cells, mV. */
  readonly cells: number;
}

async function start({ soc, cells }: Pack): Promise<void> {
  broker = await startBroker();
  listener = await broker.client();
  system = await System.start({
    unpaced: true,
    bms: { evolving: false },
    board: {
      config: {
        settings: {
          bms: { readMode: "registers" },
          mqtt: { enabled: true, host: "127.0.0.1", port: broker.port, interval: 1 },
          relay: { mode: 1, source: "alarm", failSafe: "off", failSafeAfter: 60 },
        },
      },
    },
  });
  system.keepUp = () => broker.beat().then(turn);
  const { registers } = system.bms;
  registers.write("SOC", soc);
  registers.write("Alarms", BIT_4);
  registers.write("CellVolAve", cells);
  for (let cell = 0; cell < 16; cell++) registers.write("CellVol", cells, cell);
}

const telemetry = (): unknown => JSON.parse(listener.topics.get(`${BASE}/telemetry`) ?? "{}");
const alarmEvents = (): string[] =>
  listener.messages.filter(({ topic }) => topic === `${BASE}/alarm`).map(({ text }) => text);
const logged = (): string[] => system.probes.parts().log.filter((text) => text.startsWith("alarm-"));
const relay = (): 0 | 1 => system.board.pin(WT32_PINS.relay).level;

async function answered<Answer>(answer: Promise<Answer>): Promise<Answer> {
  let isDone = false;
  const done = answer.finally(() => (isDone = true));
  while (!isDone) {
    system.skip(1);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return done;
}

const metric = async (name: string, alarm?: string): Promise<number | undefined> =>
  sampleOf(
    parseExposition((await answered(system.get("/metrics"))).text),
    name,
    alarm === undefined ? undefined : { alarm },
  );

it("a full pack is neither in alarm nor well, at each start, until its settings are read", async () => {
  await start({ soc: 100, cells: 3_450 });
  for (let count = 1; count <= STARTS; count++) {
    const held = system.bms.faults.add({ kind: "no-answer", matching: readsSettings });
    if (count > 1) await system.powerCycle();
    const before = logged();
    listener.topics.delete(`${BASE}/telemetry`);
    await system.skipUntil("MQTT tells the charge", () => at(telemetry(), "soc") === 100, 60);
    await system.pass(5 * SECOND);
    expect(system.monitor().configurationLoaded).toBe(false);
    expect(at(telemetry(), "alarms")).toEqual([]);
    for (const alarm of ["fully_charged", "cell_overvoltage"]) expect(await metric("bms_alarm", alarm)).toBeUndefined();
    expect(await metric("bms_alarm", "cell_undervoltage")).toBe(0);
    expect(await metric("bms_well")).toBe(0);
    expect(logged()).toEqual(before);
    expect([relay(), system.probes.relay()]).toEqual([0, 0]);
    held();
    await system.skipUntil("it is full", () => String(at(telemetry(), "alarms")) === "fully_charged", 60);
    expect(logged()).toEqual([...before, "alarm-raised\tfully_charged"]);
    expect(relay()).toBe(0);
  }
  expect(alarmEvents().filter((text) => text.includes("cell_overvoltage"))).toEqual([]);
});

it("a pack at 63 % with a cell at 3.75 V is in alarm at once, before its settings are read", async () => {
  await start({ soc: 63, cells: 3_750 });
  system.bms.faults.add({ kind: "no-answer", matching: readsSettings });
  await system.skipUntil("MQTT tells it", () => String(at(telemetry(), "alarms")) === "cell_overvoltage", 60);
  expect(system.monitor().configurationLoaded).toBe(false);
  expect(await metric("bms_alarm", "cell_overvoltage")).toBe(1);
  expect(await metric("bms_alarm", "fully_charged")).toBe(0);
  expect(logged()).toEqual(["alarm-raised\tcell_overvoltage"]);
  await system.skipUntil("the relay follows", () => relay() === 1);
});
