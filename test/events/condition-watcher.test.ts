/** Beginnings and ends of every row of the table, of the first, a middle and the last pack. Derived from the table: a row more needs no edit. */
import * as FIELDS from "jk-bms/field-table";
import { expect } from "vitest";
import { ALARMS_TABLE } from "../../src/catalogue/alarms";
import { FLAPPING, MOST_BEGINNINGS, WEAK_SIGNAL } from "../../src/conditions/limits";
import {
  bit,
  CONCERNS,
  DEVICE,
  DEVICE_CONDITIONS,
  DEVICE_EVENTS,
  DEVICE_ROW,
  deviceBit,
  EVENTS,
  holdOf,
  knownBy,
  LINGERING,
  OFFLINE,
  SETTINGS_UNREAD,
  type Concern,
  type DeviceCondition,
  severityOf as severityOfCondition,
} from "../../src/conditions/table";
import { ConditionWatcher } from "../../src/events/condition-watcher";
import { EventRing } from "../../src/events/event-ring";
import { packOf, partsOf, wordsOf } from "../../src/events/words";
import { CODES } from "../../src/events/record-bytes";
import { severityOf } from "../../src/syslog/severity";
import { messageText } from "../../web/messages";
import { en } from "../../web/texts/en";
import { pt } from "../../web/texts/pt";
import { TestMonitor } from "../support/bms/bms-link";
import { StillMonitor } from "../support/bms/still-monitor";
import { table } from "../support/table";
import { poweredBoard } from "../support/system/simulated-board";

class Pack extends TestMonitor {
  bits = 0;
  override get concerns(): number {
    return this.bits;
  }
}

/** Seconds between two replies, and two looks at the device. */
const INTERVAL = 1;

/** What brings each condition of the device up. */
const DEVICE_TROUBLES: Readonly<Record<DeviceCondition, (device: TroubledDevice) => void>> = {
  "clock-unknown": (device) => (device.now = undefined),
  "clock-doubtful": (device) => (device.sntp.isDoubted = true),
  "storage-failed": (device) => (device.settings.problems = ["unwritable\trelay"]),
  "weak-wifi": (device) => (device.network.rssi = WEAK_SIGNAL - 1),
  "part-failed": (device) => (device.parts.problems = ["part-failed\tled\tin use"]),
};

class TroubledDevice {
  now: number | undefined = 1_800_000_000;
  sntp = { isDoubted: false };
  settings = { problems: [] as string[], time: { server: "a" }, observe: () => undefined };
  network = { type: "Wi-Fi" as const, rssi: WEAK_SIGNAL as number | undefined };
  parts = { problems: [] as string[] };
  time(): number | undefined {
    return this.now;
  }

  /** What is wrong with it is over. */
  mend(): void {
    const { now, sntp, settings, network, parts } = new TroubledDevice();
    Object.assign(this, { now, sntp, settings, network, parts });
  }
}

class Bench {
  now = 100_000;
  readonly packs: Pack[];
  readonly log: EventRing;
  readonly watcher: ConditionWatcher;
  readonly device = new TroubledDevice();

  constructor(count: number) {
    poweredBoard();
    this.packs = Array.from({ length: count }, (_, index) => {
      const pack = Object.assign(new Pack(), { index, label: count > 1 ? index + 1 : undefined });
      pack.telemetry.set(FIELDS.alarmCode, 0);
      return pack;
    });
    const uptime = (): number => this.now;
    this.log = new EventRing({ uptime, start: { intact: false, restarts: 0 } });
    const monitor = Object.assign(new StillMonitor(this.packs[0], ...this.packs.slice(1)), {
      observe: () => undefined,
    });
    this.watcher = new ConditionWatcher(this.log, Object.assign(this.device, { monitor, uptime }));
  }

  /** Replies of all packs for so many seconds. */
  run(seconds: number): void {
    for (let second = 0; second < seconds; second += INTERVAL) {
      for (const pack of this.packs) if (pack.online) this.watcher.packUpdated(pack);
      this.watcher.look();
      this.now += INTERVAL;
    }
  }

  /** What has been logged since the last call. */
  told(): string[] {
    const { log } = this;
    const all = Array.from({ length: log.length }, (_, index) => log.at(index).text);
    return all.splice(this.#told, (this.#told = all.length));
  }
  #told = 0;

  has(index: number, code: Concern): boolean {
    return (this.watcher.presentOf(index) & bit(code)) !== 0;
  }
}

const whole = 2 * Math.max(...CONCERNS.map((_, row) => holdOf(row))) + 2;
const isTold = (code: Concern): boolean => (EVENTS & bit(code)) !== 0;

/** Alone, and the first, the middle and the last of three packs. */
const PLACES = [
  [1, 0],
  [3, 0],
  [3, 1],
  [3, 2],
] as const;

/** A row of each of these for each place. */
const everywhere = <Code>(codes: readonly Code[]): [number, number, Code][] =>
  PLACES.flatMap(([count, at]) => codes.map((code): [number, number, Code] => [count, at, code]));

/** A bench of so many packs, the one that something happens to, and how an event names it. */
function placed(count: number, at: number): { bench: Bench; pack: Pack; whose: string } {
  const bench = new Bench(count);
  bench.run(2);
  return { bench, pack: bench.packs[at]!, whose: count > 1 ? `\t${at + 1}` : "" };
}

table(everywhere(CONCERNS))("each begins and ends once, after its hold", (count, at, code) => {
  const { bench, pack, whose } = placed(count, at);
  const row = CONCERNS.indexOf(code);
  const hold = holdOf(row);
  const expected = (how: string): string[] => (isTold(code) ? [`condition-${how}\t${code}${whose}`] : []);
  pack.bits = bit(code);
  const began = bench.now;
  if (hold) {
    bench.run(hold);
    expect([bench.has(at, code), bench.told()]).toEqual([false, []]);
  }
  bench.run(1);
  expect([bench.has(at, code), bench.told()]).toEqual([true, expected("raised")]);
  expect(bench.watcher.sinceOf(at, row)).toBe(began);
  expect(pack.kept).toBe(LINGERING & bit(code));
  bench.run(whole);
  expect([bench.has(at, code), bench.told()]).toEqual([true, []]);
  for (const other of bench.packs) if (other !== pack) expect(bench.has(other.index, code)).toBe(false);
  pack.bits = 0;
  if (hold) {
    bench.run(hold);
    expect([bench.has(at, code), bench.told()]).toEqual([true, []]);
  }
  bench.run(1);
  expect([bench.has(at, code), bench.told()]).toEqual([false, expected("cleared")]);
  bench.run(whole);
  expect(bench.told()).toEqual([]);
});

table(everywhere(CONCERNS.filter(isTold)))(
  "each stays while it cannot be judged, and is no news",
  (count, at, code) => {
    const { bench, pack, whose } = placed(count, at);
    pack.bits = bit(code);
    bench.run(whole);
    expect(bench.told()).toEqual([`condition-raised\t${code}${whose}`]);
    for (const unknown of [OFFLINE, SETTINGS_UNREAD]) {
      if (knownBy(unknown) & bit(code)) continue;
      pack.bits = unknown;
      pack.online = unknown !== OFFLINE;
      bench.watcher.packOnlineChanged(pack);
      bench.run(whole);
      expect(bench.has(at, code)).toBe(true);
      pack.online = true;
      pack.bits = bit(code);
      bench.run(whole);
      expect(bench.told().filter((text) => text.includes(code))).toEqual([]);
    }
  },
);

table(everywhere(CONCERNS.filter(isTold)))("none has begun again when it can be judged again", (count, at, code) => {
  const { bench, pack, whose } = placed(count, at);
  const [unknown] = [SETTINGS_UNREAD, OFFLINE].filter((bits) => !(knownBy(bits) & bit(code)));
  if (unknown === undefined) return;
  pack.bits = bit(code);
  bench.run(whole);
  for (let round = 0; round <= MOST_BEGINNINGS; round++)
    for (const bits of [unknown, bit(code)]) {
      pack.bits = bits;
      bench.run(2);
    }
  bench.told();
  pack.bits = 0;
  bench.run(holdOf(CONCERNS.indexOf(code)) + 1);
  expect(bench.told()).toEqual([`condition-cleared\t${code}${whose}`]);
});

table(everywhere(CONCERNS.filter(isTold)))("one that flaps is one event, until it is calm", (count, at, code) => {
  const { bench, pack, whose } = placed(count, at);
  const hold = holdOf(CONCERNS.indexOf(code));
  for (let round = 0; round < MOST_BEGINNINGS; round++)
    for (const bits of [bit(code), 0]) {
      pack.bits = bits;
      bench.run(hold + 1);
    }
  expect(bench.told()).toHaveLength(2 * MOST_BEGINNINGS);
  const rounds = 5;
  for (let round = 0; round < rounds; round++)
    for (const bits of [bit(code), 0]) {
      pack.bits = bits;
      bench.run(Math.min(hold + 1, FLAPPING / 20));
    }
  pack.bits = bit(code);
  bench.run(hold + 1);
  pack.bits = 0;
  bench.run(FLAPPING - 1);
  expect(bench.told()).toEqual([`condition-raised\t${code}${whose}`]);
  bench.run(2);
  expect(bench.told()).toEqual([`condition-cleared\t${code}${whose}`]);
});

table(everywhere(CONCERNS))("one that flaps is there whenever it is found", (count, at, code) => {
  const { bench, pack } = placed(count, at);
  const hold = holdOf(CONCERNS.indexOf(code));
  for (let round = 0; round <= 2 * MOST_BEGINNINGS; round++) {
    pack.bits = bit(code);
    bench.run(hold + 1);
    expect(bench.has(at, code)).toBe(true);
    pack.bits = 0;
    bench.run(hold + 1);
  }
});

table(everywhere(CONCERNS))("one that comes and goes at its limit is kept until it is over", (count, at, code) => {
  const { bench, pack } = placed(count, at);
  const hold = holdOf(CONCERNS.indexOf(code));
  const kept = LINGERING & bit(code);
  expect(kept !== 0).toBe(hold > 0 && code !== "settings-unread");
  // Not often enough to flap.
  for (let round = 0; round < MOST_BEGINNINGS; round++) {
    pack.bits = bit(code);
    bench.run(1);
    expect(pack.kept).toBe(kept);
    pack.bits = 0;
    bench.run(hold);
    expect(pack.kept).toBe(kept);
  }
  expect(bench.told()).toEqual([]);
  bench.run(1);
  expect(bench.packs.map((one) => one.kept)).toEqual(bench.packs.map(() => 0));
  // What cannot be judged stays as it is.
  const [unknown] = [SETTINGS_UNREAD, OFFLINE].filter((bits) => !(knownBy(bits) & bit(code)));
  if (unknown === undefined) return;
  pack.bits = bit(code);
  bench.run(1);
  pack.bits = unknown;
  bench.run(whole);
  expect(pack.kept & bit(code)).toBe(kept);
});

table(everywhere(CONCERNS.filter(isTold)))(
  "one that lasts for no longer than a reply is nothing",
  (count, at, code) => {
    const { bench, pack } = placed(count, at);
    pack.bits = bit(code);
    // However long ago the reply was: one observation is none.
    if (holdOf(CONCERNS.indexOf(code))) {
      bench.run(1);
      bench.now += 600;
    }
    pack.bits = 0;
    bench.run(whole);
    expect(bench.told()).toEqual([]);
  },
);

const COUNTS = [1, 3] as const;
const ofDevice = COUNTS.flatMap((count) => DEVICE_CONDITIONS.map((code, row) => [count, code, row] as const));

table(ofDevice)("beside so many packs each of the device begins and ends once, after its hold", (count, code, row) => {
  const bench = new Bench(count);
  const hold = holdOf(DEVICE_ROW + row);
  const has = (): boolean => (bench.watcher.presentOf(DEVICE) & deviceBit(code)) !== 0;
  const expected = (how: string): string[] => (DEVICE_EVENTS & (1 << row) ? [`condition-${how}\t${code}`] : []);
  bench.run(2);
  DEVICE_TROUBLES[code](bench.device);
  const began = bench.now;
  bench.run(hold);
  expect([has(), bench.told()]).toEqual([false, []]);
  bench.run(1);
  expect([bench.watcher.presentOf(DEVICE), bench.told()]).toEqual([deviceBit(code), expected("raised")]);
  expect(bench.watcher.sinceOf(DEVICE, row)).toBe(began);
  bench.run(hold + FLAPPING);
  expect([has(), bench.told()]).toEqual([true, []]);
  for (const { index } of bench.packs) expect(bench.watcher.presentOf(index)).toBe(0);
  bench.device.mend();
  bench.run(hold);
  expect([has(), bench.told()]).toEqual([true, []]);
  bench.run(1);
  expect([has(), bench.told()]).toEqual([false, expected("cleared")]);
  bench.run(hold + FLAPPING);
  expect(bench.told()).toEqual([]);
});

table(COUNTS.map((count) => [count]))("a weak signal stays while there is none, and is over with a cable", (count) => {
  const bench = new Bench(count);
  const hold = holdOf(DEVICE_ROW + DEVICE_CONDITIONS.indexOf("weak-wifi"));
  bench.device.network.rssi = WEAK_SIGNAL - 1;
  bench.run(hold + 2);
  expect(bench.told()).toEqual(["condition-raised\tweak-wifi"]);
  expect(bench.watcher.measurementOf(deviceBit("weak-wifi"))).toEqual([WEAK_SIGNAL - 1, WEAK_SIGNAL]);
  bench.device.network.rssi = undefined;
  bench.run(2 * hold);
  expect(bench.told()).toEqual([]);
  Object.assign(bench.device.network, { type: "Ethernet" });
  bench.run(hold + 1);
  expect(bench.told()).toEqual(["condition-cleared\tweak-wifi"]);
});

table(ofDevice)("each of the device stays when the packs of the settings change", (count, code, row) => {
  const bench = new Bench(count);
  DEVICE_TROUBLES[code](bench.device);
  bench.run(holdOf(DEVICE_ROW + row) + 2);
  const since = bench.watcher.sinceOf(DEVICE, row);
  bench.told();
  bench.watcher.settingsChanged("packs");
  expect(bench.watcher.presentOf(DEVICE)).toBe(deviceBit(code));
  bench.run(2);
  expect([bench.watcher.sinceOf(DEVICE, row), bench.told()]).toEqual([since, []]);
});

/** Two share a bit of the alarm word, and whether the pack is full decides which it is. */
const alarms = ALARMS_TABLE.map(({ name }) => name).filter(
  (name) => name !== "fully_charged" && name !== "cell_overvoltage",
);
table(everywhere(alarms))("each alarm begins and ends", (count, at, name) => {
  const { bench, pack, whose } = placed(count, at);
  const row = ALARMS_TABLE.findIndex((alarm) => alarm.name === name);
  pack.telemetry.set(FIELDS.alarmCode, 1 << row);
  bench.run(3);
  expect(bench.told()).toEqual([`alarm-raised\t${name}${whose}`]);
  pack.telemetry.set(FIELDS.alarmCode, 0);
  bench.run(3);
  expect(bench.told()).toEqual([`alarm-cleared\t${name}${whose}`]);
});

table([...CONCERNS.filter(isTold), ...DEVICE_CONDITIONS])(
  "each has its words in syslog, store and page, in each language",
  (code) => {
    for (const how of ["raised", "cleared"] as const) {
      expect(CODES).toContain(`condition-${how}`);
      for (const pack of ["", "7"]) {
        const text = `condition-${how}\t${code}${pack && `\t${pack}`}`;
        const parts = partsOf({ text });
        expect(packOf(parts) ?? "").toBe(pack);
        expect(wordsOf(parts)).toMatch(new RegExp(`^${pack && "Pack 7: "}[A-Z].*: ${code}$`));
        for (const t of [en, pt]) {
          const shown = messageText(text, t)!;
          expect(shown).toContain((t.concerns as Record<string, string>)[code]);
          expect(shown.includes("7")).toBe(pack !== "");
        }
      }
    }
    expect(severityOf("condition-raised", code)).toBe({ fault: 3, warning: 4, notice: 5 }[severityOfCondition(code)]);
    expect(severityOf("condition-cleared", code)).toBe(5);
  },
);
