/** Messages of a bank: each pack's own, and what comes to several at once in one. */
import * as FIELDS from "jk-bms/field-table";
import { beforeEach, describe, expect, it } from "vitest";
import { GATHER, MAX_DAILY, MAX_KEPT_PACKS, PAUSES, RESERVED_DAILY } from "../../src/notify/limits";
import { ALARMS_TABLE } from "../../src/catalogue/alarms";
import { hasAny, NONE, type Conditions } from "../../src/conditions/set";
import { OFFLINE } from "../../src/conditions/rows";
import { bit, CONCERNS, MESSAGES, severityOf, OWNED, ownedHold } from "../../src/conditions/table";
import { en } from "../../web/texts/en";
import type { TestMonitor } from "../support/bms/bms-link";
import { inTurn } from "../support/property";
import { Bench } from "./bench";

/** s: a value has to be beyond its threshold for so long. */
const HOLD = ownedHold(OWNED.indexOf("soc"));

const HOUR = 3_600;
const NAMES = { 1: "Left", 4: "", 7: "Right" } as const;
const UNDERVOLTAGE = "cell_undervoltage";
const ALARM = "Alarm: Cell voltage too low.";
const CLEARED = "Alarm cleared: Cell voltage too low.";

let bench: Bench;
let packs: TestMonitor[];

function start(settings = {}, names: Readonly<Record<number, string>> = NAMES): void {
  bench = new Bench({ soc: 15, temperature: 50, spread: 200, offlineAfter: 120, ...settings });
  packs = bench.monitor.makeBank(names);
  for (const pack of packs) bench.healthy(pack);
  bench.start();
  bench.pass(10);
}

beforeEach(() => start());

const PLACES = [
  ["first", 0, "Left"],
  ["middle", 1, "Pack 4"],
  ["last", 2, "Right"],
] as const;

/** What it is, the sentences, the seconds until it is told, and what makes it so, and good again. */
type Case = readonly [
  name: string,
  told: string,
  over: string,
  delay: number,
  set: (pack: TestMonitor, bad: boolean) => void,
];

const CASES: readonly Case[] = [
  [
    ...(["offline", "The BMS stopped responding.", "The BMS is responding.", 120 + GATHER] as const),
    (pack: TestMonitor, bad: boolean): void => void (pack.online = !bad),
  ],
  [
    ...(["alarm", ALARM, CLEARED, 0] as const),
    (pack: TestMonitor, bad: boolean): void => bench.alarm(UNDERVOLTAGE, bad, pack),
  ],
  ...CONCERNS.filter((code) => hasAny(MESSAGES, bit(code))).map(
    (code) =>
      [
        `condition: ${code}`,
        en.messages["condition-raised"](en.concerns[code as keyof typeof en.concerns]),
        en.messages["condition-cleared"](en.concerns[code as keyof typeof en.concerns]),
        severityOf(code) === "fault" ? 0 : GATHER,
        (pack: TestMonitor, bad: boolean): void => bench.condition(code, bad, pack),
      ] as const,
  ),
  [
    ...([
      "charge",
      "State of charge: 3 %, below 15 %.",
      "State of charge: 60 %, back above 15 %.",
      HOLD + GATHER,
    ] as const),
    (pack: TestMonitor, bad: boolean): void => void pack.telemetry.set(FIELDS.soc, bad ? 3 : 60),
  ],
  [
    "temperature",
    "Battery temperature: 78 °C, above 50 °C.",
    "Battery temperature: 21 °C, back below 50 °C.",
    HOLD + GATHER,
    (pack: TestMonitor, bad: boolean): void => void pack.telemetry.set(FIELDS.battery1Temperature, bad ? 780 : 200),
  ],
  [
    "spread",
    "Cell voltage difference: 443 mV, above 200 mV.",
    "Cell voltage difference: 0 mV, back below 200 mV.",
    HOLD + GATHER,
    (pack: TestMonitor, bad: boolean): void => void pack.telemetry.setCells([3_000, bad ? 3_443 : 3_000]),
  ],
];

/** Each case of one of the packs, in `npm run soak` of each. */
describe.each(PLACES)("the %s pack", (place, index, name) => {
  const cases = CASES.filter((_, at) => inTurn(PLACES, at).some(([one]) => one === place));
  it.each(cases)("%s: told with its name, and when it is over", (_cause, told, over, delay, set) => {
    const pack = packs[index]!;
    set(pack, true);
    bench.pass(Math.max(0, delay - 2));
    expect(bench.said()).toEqual([]);
    bench.pass(4);
    expect(bench.got[0]!.body["packs"]).toEqual([pack.label]);
    expect(bench.texts()).toEqual([`${name}: ${told}`]);
    set(pack, false);
    bench.pass(GATHER + 2);
    expect(bench.texts()).toEqual([`${name}: ${over}`]);
    bench.pass(3 * HOUR);
    expect(bench.said()).toEqual([]);
  });
});

it("the webhook's code of a pack that is silent", () => {
  packs[2]!.online = false;
  bench.pass(120 + GATHER + 2);
  expect(bench.got[0]!.body).toMatchObject({ event: "pack-offline", packs: [7] });
});

describe("the same in several packs", () => {
  it("within 30 s is one message that names them, and so is its end", () => {
    for (const [at, pack] of packs.entries()) {
      bench.alarm(UNDERVOLTAGE, true, pack);
      bench.pass(at < 2 ? GATHER / 2 - 2 : 0);
    }
    bench.pass(GATHER);
    // The first at once.
    expect(bench.got.map(({ body }) => body["packs"])).toEqual([[1], [4, 7]]);
    expect(bench.texts()).toEqual([`Left: ${ALARM}`, `Pack 4, Right: ${ALARM}`]);
    for (const pack of packs) {
      bench.alarm(UNDERVOLTAGE, false, pack);
      bench.pass(GATHER / 2 - 2);
    }
    bench.pass(GATHER);
    expect(bench.texts()).toEqual([`Left, Pack 4, Right: ${CLEARED}`]);
  });

  it("each has its own beginning and end", () => {
    bench.alarm(UNDERVOLTAGE, true, packs[0]);
    bench.pass(GATHER + 2);
    bench.alarm(UNDERVOLTAGE, true, packs[1]);
    bench.pass(PAUSES[1]!);
    expect(bench.texts()).toEqual([`Left: ${ALARM}`, `Pack 4: ${ALARM}`]);
    bench.alarm(UNDERVOLTAGE, false, packs[0]);
    bench.pass(PAUSES[1]! + GATHER + 2);
    expect(bench.texts()).toEqual([`Pack 4: ${ALARM} It lasts.`, `Left: ${CLEARED}`]);
    bench.alarm(UNDERVOLTAGE, false, packs[1]);
    bench.pass(PAUSES[1]! + 2);
    expect(bench.texts()).toEqual([`Pack 4: ${CLEARED}`]);
  });

  it("a fault that is new of a pack waits only to be gathered, however often others have had it", () => {
    for (let turn = 0; turn < 8; turn++) {
      bench.alarm(UNDERVOLTAGE, true, packs[0]);
      bench.pass(HOUR / 4);
      bench.alarm(UNDERVOLTAGE, false, packs[0]);
      bench.pass(HOUR / 60);
    }
    bench.got.length = 0;
    bench.alarm(UNDERVOLTAGE, true, packs[2]);
    bench.pass(GATHER - 2);
    expect(bench.texts()).toEqual([]);
    bench.pass(4);
    expect(bench.texts().join()).toContain("Right");
  });

  it("says the worst value", () => {
    packs[0]!.telemetry.set(FIELDS.soc, 9);
    packs[1]!.telemetry.set(FIELDS.soc, 3);
    packs[2]!.telemetry.set(FIELDS.soc, 11);
    bench.pass(HOLD + GATHER + 2);
    expect(bench.texts()).toEqual(["Left, Pack 4, Right: State of charge: 3 %, below 15 %."]);
  });

  it("counts how often one of them had it", () => {
    for (const pack of packs) bench.alarm(UNDERVOLTAGE, true, pack);
    bench.pass(GATHER + 2);
    expect(bench.got[0]!.body["count"]).toBe(1);
  });
});

it("what a protection blocks is not told beside the alarm that is the reason, nor once that is over", () => {
  const [, pack] = packs;
  bench.alarm(UNDERVOLTAGE, true, pack);
  bench.condition("discharging-blocked", true, pack);
  bench.pass(HOUR / 2);
  expect(bench.texts().filter((text) => text.includes("Discharging"))).toEqual([]);
  // The watcher still has it, the pack's replies do not.
  bench.condition("discharging-blocked", false, pack);
  bench.present[1] = bit("discharging-blocked");
  bench.alarm(UNDERVOLTAGE, false, pack);
  bench.pass(HOUR);
  expect(bench.texts().filter((text) => text.includes("Discharging"))).toEqual([]);
});

it("the end of a condition is not told while it is unknown, nor before it can have been found again", () => {
  const over = en.messages["condition-cleared"](en.concerns.emergency);
  const [, pack] = packs;
  bench.condition("emergency", true, pack);
  bench.pass(GATHER + 2);
  bench.got.length = 0;
  bench.present.length = 0;
  (pack as { chosen?: Conditions }).chosen = OFFLINE;
  bench.restart();
  bench.pass(100);
  expect(bench.texts()).toEqual([]);
  (pack as { chosen?: Conditions }).chosen = NONE;
  bench.pass(HOLD - 2);
  expect(bench.texts()).toEqual([]);
  bench.pass(HOLD + GATHER);
  expect(bench.texts()).toEqual([`Pack 4: ${over}`]);
});

it.each(PLACES)(
  "the end of a condition is told of all packs but the %s, which is silent, and of that when it is back",
  (_, silent) => {
    const over = en.messages["condition-cleared"](en.concerns.emergency);
    for (const pack of packs) bench.condition("emergency", true, pack);
    bench.pass(GATHER + 2);
    bench.got.length = 0;
    const pack = packs[silent] as unknown as { chosen: Conditions };
    pack.chosen = OFFLINE;
    bench.pass(10);
    for (const other of packs) if (other !== packs[silent]) bench.condition("emergency", false, other);
    bench.pass(PAUSES[1]!);
    const others = PLACES.filter(([, index]) => index !== silent).map(([, , name]) => name);
    expect(bench.texts().filter((text) => text.endsWith(over))).toEqual([`${others.join(", ")}: ${over}`]);
    bench.condition("emergency", false, packs[silent]);
    bench.pass(HOLD - 2);
    expect(bench.texts().filter((text) => text.endsWith(over))).toEqual([]);
    bench.pass(HOLD + PAUSES[1]!);
    expect(bench.texts().filter((text) => text.endsWith(over))).toEqual([`${PLACES[silent][2]}: ${over}`]);
  },
);

it("what was told of a pack is known after a restart", () => {
  bench.alarm(UNDERVOLTAGE, true, packs[1]);
  bench.pass(GATHER + 2);
  bench.got.length = 0;
  bench.restart();
  bench.alarm(UNDERVOLTAGE, true, packs[2]);
  bench.pass(PAUSES[1]! + 2);
  expect(bench.texts()).toEqual([`Right: ${ALARM}`]);
  for (const pack of [packs[1], packs[2]]) bench.alarm(UNDERVOLTAGE, false, pack);
  bench.pass(PAUSES[1]! + 2);
  expect(bench.texts()).toEqual([`Pack 4, Right: ${CLEARED}`]);
});

it.each([MAX_KEPT_PACKS - 1, MAX_KEPT_PACKS, MAX_KEPT_PACKS + 1])(
  "of %d causes at once, with a last one that may not fit",
  (count) => {
    const rows = ALARMS_TABLE.filter(({ fault }) => fault).slice(0, count);
    for (const { name } of rows) {
      bench.alarm(name, true, packs[1]);
      bench.pass(GATHER + 2);
    }
    expect(new Set(bench.got.map(({ body }) => body["alarm"])).size).toBe(count);
    bench.got.length = 0;
    bench.restart();
    bench.pass(2 * PAUSES[1]!);
    const { name } = rows.at(-1)!;
    // One that is forgotten is told as if it were new.
    const state = bench.got.find(({ body }) => body["alarm"] === name)?.body["state"];
    expect(state).toBe(count > MAX_KEPT_PACKS ? "raised" : "again");
  },
);

it("a pack that is taken out of the settings is not told of again", () => {
  packs[1]!.online = false;
  bench.pass(120 + GATHER + 2);
  expect(bench.texts()).toEqual(["Pack 4: The BMS stopped responding."]);
  bench.monitor.endBank();
  bench.pass(HOUR);
  expect(bench.said()).toEqual([]);
});

it("of the alarm of a pack that goes silent nothing is over", () => {
  bench.alarm(UNDERVOLTAGE, true, packs[1]);
  bench.pass(GATHER + 2);
  packs[1]!.online = false;
  bench.pass(60);
  expect(bench.texts()).toEqual([`Pack 4: ${ALARM}`]);
});

it("fifteen packs that lose their link and come back ten times in a day leave messages for what else happens", () => {
  start({}, Object.fromEntries(Array.from({ length: 15 }, (_, address) => [address, `Pack ${address}`])));
  for (let turn = 0; turn < 10; turn++) {
    for (const pack of packs) {
      pack.online = false;
      bench.pass(1);
    }
    bench.pass(HOUR);
    for (const pack of packs) {
      pack.online = true;
      bench.pass(1);
    }
    bench.pass(HOUR);
  }
  bench.pass(HOUR);
  const names = packs.map(({ label }) => `Pack ${label}`).join(", ");
  const texts = bench.texts();
  expect(texts.filter((text) => text === `${names}: The BMS stopped responding.`).length).toBe(10);
  expect(texts.filter((text) => text === `${names}: The BMS is responding.`).length).toBe(10);
  expect(bench.notify.today).toBeLessThanOrEqual(MAX_DAILY - RESERVED_DAILY);
});
