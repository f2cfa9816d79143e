/** The message that a protection limit was changed: by somebody else, of each pack its own, in both languages, over a restart. */
import { describe, expect, it } from "vitest";
import type { EventText } from "../../src/events/types";
import { GATHER } from "../../src/notify/limits";
import { MAX_EVENTS } from "../../src/events/limits";
import { Bench } from "./bench";

const NAMES = { 1: "Left", 4: "", 7: "Right" } as const;
const PLACES = [
  [1, "Left"],
  [4, "Pack 4"],
  [7, "Right"],
] as const;

function startBank(settings = {}): Bench {
  const bench = new Bench(settings);
  for (const pack of bench.monitor.makeBank(NAMES)) bench.healthy(pack);
  bench.start();
  bench.pass(10);
  return bench;
}

const changed = (pack: number | "", by: string, name = "cell_ovp_voltage", values = "3.65\t3.6\tV"): EventText =>
  `setting-changed\t${name}\t${values}\t${pack}\t${by}\t`;
const OVP = "Another master has changed a protection limit: cell_ovp_voltage 3.65 → 3.6 V.";

it.each(PLACES)("of pack %i of several: with its name, once, and without an end", (address, name) => {
  const bench = startBank();
  bench.events.add(changed(address, "master"));
  bench.pass(GATHER + 2);
  expect(bench.got[0]!.body).toMatchObject({
    event: "setting-changed",
    state: "raised",
    packs: [address],
    alarm: null,
  });
  expect(bench.got[0]!.urgent).toBe(false);
  expect(bench.texts()).toEqual([`${name}: ${OVP}`]);
  bench.pass(7_200);
  expect(bench.said()).toEqual([]);
});

it("of one pack alone: at once, without a name", () => {
  const bench = new Bench().start();
  bench.pass(10);
  bench.events.add(changed("", "unknown", "charge_otp", "70\t65.5\tC"));
  bench.pass(2);
  expect(bench.texts()).toEqual(["A protection limit was changed: charge_otp 70 → 65.5 °C."]);
});

it("in several packs: one message, and what differs is said of each", () => {
  const bench = startBank();
  for (const [address] of PLACES) bench.events.add(changed(address, "master"));
  bench.pass(GATHER + 2);
  expect(bench.texts()).toEqual([`Left, Pack 4, Right: ${OVP}`]);
  bench.pass(7_200);
  bench.events.add(changed(1, "master"));
  bench.events.add(changed(7, "unknown", "mos_otp", "100\t90\tC"));
  bench.pass(GATHER + 2);
  expect(bench.texts()).toEqual([
    "Left, Right: A protection limit was changed: cell_ovp_voltage 3.65 → 3.6 V; mos_otp 100 → 90 °C.",
  ]);
});

it("of many at once: how many they are", () => {
  const bench = startBank();
  bench.events.add("setting-changed\t\t\t\t\t4\tmaster\t5");
  bench.pass(GATHER + 2);
  expect(bench.texts()).toEqual(["Pack 4: Another master has changed a protection limit: 5."]);
});

it.each([
  ["what this device has set", changed(4, "device")],
  ["what is no protection limit", changed(4, "master", "balance_trigger_voltage", "0.01\t0.02\tV")],
  ["a switch, which is a condition", changed(4, "unknown", "charge_mos", "on\toff\t")],
] as const)("nothing of %s", (_, text) => {
  const bench = startBank();
  bench.events.add(text);
  bench.pass(7_200);
  expect(bench.said()).toEqual([]);
});

it("is off with the alarms", () => {
  const bench = startBank({ alarms: false });
  bench.events.add(changed(4, "master"));
  bench.pass(7_200);
  expect(bench.said()).toEqual([]);
});

it.each([
  [changed(4, "master"), "Bateria 4: Outro mestre alterou um limite de proteção: cell_ovp_voltage 3,65 → 3,6 V."],
  [
    changed(4, "unknown", "charge_utp", "-2.5\t0\tC"),
    "Bateria 4: Um limite de proteção foi alterado: charge_utp -2,5 → 0 °C.",
  ],
  ["setting-changed\t\t\t\t\t4\tmaster\t5", "Bateria 4: Outro mestre alterou um limite de proteção: 5."],
] as [EventText, string][])("in Portuguese: %j", (text, sentence) => {
  const bench = startBank({ language: "pt" });
  bench.events.add(text);
  bench.pass(GATHER + 2);
  expect(bench.texts()).toEqual([sentence]);
});

describe("while no message can be sent", () => {
  it("it waits, and after a restart it is sent", () => {
    const bench = startBank();
    bench.network.online = false;
    bench.events.add(changed(7, "master"));
    bench.pass(GATHER + 2);
    bench.network.online = true;
    bench.restart();
    bench.pass(10);
    expect(bench.texts()).toEqual([`Right: ${OVP} That was before the device restarted.`]);
  });

  it("and the log goes on: it is said without the values", () => {
    const bench = startBank();
    bench.network.online = false;
    bench.events.add(changed(7, "master"));
    bench.pass(GATHER + 2);
    for (let event = 0; event < MAX_EVENTS; event++) bench.events.add("button");
    bench.network.online = true;
    bench.pass(10);
    expect(bench.texts()).toEqual(["Right: A protection limit was changed: ?."]);
  });
});
