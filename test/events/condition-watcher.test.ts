/** Beginnings and ends of every row of the table, of the first, a middle and the last pack. Derived from the table: a row more needs no edit. */
import * as FIELDS from "jk-bms/field-table";
import { describe, expect, it } from "vitest";
import { ALARMS_TABLE } from "../../src/catalogue/alarms";
import { FLAPPING, LEARNING, LOOK_EVERY, MOST_BEGINNINGS, WEAK_SIGNAL } from "../../src/conditions/limits";
import { common, has, hasAny, NONE, plus, without, type Conditions } from "../../src/conditions/set";
import { OFFLINE, SETTINGS_UNREAD } from "../../src/conditions/rows";
import {
  ALARM_ROW,
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
  LEARNED,
  LINGERING,
  SLOW,
  type Concern,
  type DeviceCondition,
  severityOf as severityOfCondition,
} from "../../src/conditions/table";
import { ConditionWatcher } from "../../src/events/condition-watcher";
import { EventRing } from "../../src/events/event-ring";
import { packOf, partsOf, wordsOf } from "../../src/events/words";
import { EDGES_EACH } from "../../src/events/limits";
import { CODES } from "../../src/events/record-bytes";
import {
  CONDITIONS_AT,
  CONDITIONS_SUBJECTS,
  CONDITIONS_TIMES,
  claimRetained,
  TODAY_ROWS,
} from "../../src/runtime/retained";
import { severityOf } from "../../src/syslog/severity";
import { messageText } from "../../web/messages";
import { en } from "../../web/texts/en";
import { pt } from "../../web/texts/pt";
import { TestMonitor } from "../support/bms/bms-link";
import { StillMonitor } from "../support/bms/still-monitor";
import { everywhere, PLACES } from "../support/places";
import { table } from "../support/table";
import { poweredBoard } from "../support/system/simulated-board";

class Pack extends TestMonitor {
  bits = NONE;
  override get concerns(): Conditions {
    return this.bits;
  }
}

/** Seconds from UTC to the owner's time. */
const OFFSET = -3 * 3_600;
const DAY = 86_400;
/** Seconds between two replies, and two looks at the device. */
const INTERVAL = LOOK_EVERY;

/** What brings each condition of the device up. */
const DEVICE_TROUBLES: Readonly<Record<DeviceCondition, (device: TroubledDevice) => void>> = {
  "clock-unknown": (device) => (device.knowsTime = false),
  "clock-doubtful": (device) => (device.sntp.isDoubted = true),
  "storage-failed": (device) => (device.settings.problems = ["unwritable\trelay"]),
  "weak-wifi": (device) => (device.network.rssi = WEAK_SIGNAL - 1),
  "part-failed": (device) => (device.parts.problems = ["part-failed\tled\tin use"]),
};

class TroubledDevice {
  /** s since 1970, when it was started. */
  started = 1_800_000_000;
  knowsTime = true;
  sntp = { isDoubted: false };
  settings = { problems: [] as string[], time: { server: "a" }, observe: () => undefined };
  network = { type: "Wi-Fi" as const, rssi: WEAK_SIGNAL as number | undefined };
  parts = { problems: [] as string[] };
  readonly uptime: () => number;

  constructor(uptime: () => number) {
    this.uptime = uptime;
  }

  offsetAt(): number {
    return OFFSET;
  }

  time(): number | undefined {
    return this.knowsTime ? this.started + this.uptime() : undefined;
  }

  /** What is wrong with it is over. */
  mend(): void {
    const { knowsTime, sntp, settings, network, parts } = new TroubledDevice(this.uptime);
    Object.assign(this, { knowsTime, sntp, settings, network, parts });
  }
}

class Bench {
  now = 100_000;
  readonly board = poweredBoard();
  readonly device = new TroubledDevice(() => this.now);
  packs!: Pack[];
  log!: EventRing;
  watcher!: ConditionWatcher;

  constructor(readonly count: number) {
    claimRetained();
    this.begin(false, {});
  }

  /** The device starts; `intact`: with the memory of the run before. */
  private begin(intact: boolean, known: object): void {
    const { count } = this;
    this.packs = Array.from({ length: count }, (_, index) => {
      const identity = { address: index + 1, name: "", serial: "" };
      const pack = Object.assign(new Pack(), { index, identity, label: count > 1 ? index + 1 : undefined, ...known });
      pack.telemetry.set(FIELDS.alarmCode, 0);
      pack.telemetry.valid = pack.online;
      return pack;
    });
    const { uptime } = this.device;
    const start = { intact, restarts: 0 };
    this.log = new EventRing({ uptime, start: { intact: false, restarts: 0 } });
    this.#told = [];
    const { log } = this;
    const add = log.add.bind(log);
    log.add = (text) => {
      this.#told.push(text);
      add(text);
    };
    const monitor = Object.assign(new StillMonitor(this.packs[0], ...this.packs.slice(1)), {
      observe: () => undefined,
    });
    this.watcher = new ConditionWatcher(this.log, Object.assign(this.device, { monitor, start }));
  }

  /** The device restarts, and needs some seconds; no pack has answered yet. */
  restart(intact = true): void {
    this.device.started += this.now + 7;
    this.now = 0;
    this.begin(intact, { online: false, bits: OFFLINE });
  }

  /** Other packs at the same places, of which nothing is wrong. */
  replace(): void {
    for (const pack of this.packs) {
      const { address } = pack.identity;
      Object.assign(pack, { bits: NONE, kept: NONE, identity: { ...pack.identity, address: (address + 1) % 16 } });
    }
    this.watcher.settingsChanged("packs");
  }

  /** All packs answer, with what is wrong with each. */
  answer(bits: readonly Conditions[]): void {
    this.packs.forEach((pack, index) => {
      Object.assign(pack, { online: true, bits: bits[index] });
      pack.telemetry.valid = true;
    });
  }

  /** When it began, s since 1970. */
  sinceOf(index: number, row: number): number | undefined {
    const since = this.watcher.sinceOf(index, row);
    return since === undefined ? undefined : this.device.started + since;
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
    return this.#told.splice(0);
  }
  #told: string[] = [];

  has(index: number, code: Concern): boolean {
    return hasAny(this.watcher.presentOf(index), bit(code));
  }
}

/** Those that have to last for long are nobody's concern before: test/conditions/further-row.test.ts. */
const QUICK = CONCERNS.filter((code) => !hasAny(SLOW, bit(code)));
const whole = 2 * Math.max(...QUICK.map((code) => holdOf(CONCERNS.indexOf(code)))) + 2;
const isTold = (code: Concern): boolean => hasAny(EVENTS, bit(code));

/** A bench of so many packs, the one that something happens to, and how an event names it. */
function placed(count: number, at: number): { bench: Bench; pack: Pack; whose: string } {
  const bench = new Bench(count);
  bench.run(2);
  return { bench, pack: bench.packs[at]!, whose: count > 1 ? `\t${at + 1}` : "" };
}

table(everywhere(QUICK))("each begins and ends once, after its hold", (count, at, code) => {
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
  expect(pack.kept).toBe(common(LINGERING, bit(code)));
  bench.run(whole);
  expect([bench.has(at, code), bench.told()]).toEqual([true, []]);
  for (const other of bench.packs) if (other !== pack) expect(bench.has(other.index, code)).toBe(false);
  pack.bits = NONE;
  if (hold) {
    bench.run(hold);
    expect([bench.has(at, code), bench.told()]).toEqual([true, []]);
  }
  bench.run(1);
  expect([bench.has(at, code), bench.told()]).toEqual([false, expected("cleared")]);
  bench.run(whole);
  expect(bench.told()).toEqual([]);
});

table(PLACES)("a pack that answers more often is looked at once in so long, and when an alarm changes", (count, at) => {
  const { bench, pack } = placed(count, at);
  let isLooked = false;
  Object.defineProperty(pack, "found", {
    get() {
      isLooked = true;
      return pack.bits;
    },
  });
  const reply = (): boolean => {
    isLooked = false;
    bench.watcher.packUpdated(pack);
    return isLooked;
  };
  for (const expected of [true, false, true, false]) {
    expect(reply()).toBe(expected);
    bench.now += LOOK_EVERY / 2;
  }
  bench.now -= LOOK_EVERY / 2;
  expect(reply()).toBe(false);
  pack.telemetry.set(FIELDS.alarmCode, 1);
  expect([reply(), bench.watcher.alarmsOf(at)]).toEqual([true, 1]);
});

table(everywhere(QUICK.filter(isTold)))("each stays while it cannot be judged, and is no news", (count, at, code) => {
  const { bench, pack, whose } = placed(count, at);
  pack.bits = bit(code);
  bench.run(whole);
  expect(bench.told()).toEqual([`condition-raised\t${code}${whose}`]);
  for (const unknown of [OFFLINE, SETTINGS_UNREAD]) {
    if (hasAny(knownBy(unknown), bit(code))) continue;
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
});

table(everywhere(QUICK.filter(isTold)))("none has begun again when it can be judged again", (count, at, code) => {
  const { bench, pack, whose } = placed(count, at);
  const [unknown] = [SETTINGS_UNREAD, OFFLINE].filter((bits) => !hasAny(knownBy(bits), bit(code)));
  if (unknown === undefined) return;
  pack.bits = bit(code);
  bench.run(whole);
  for (let round = 0; round <= MOST_BEGINNINGS; round++)
    for (const bits of [unknown, bit(code)]) {
      pack.bits = bits;
      bench.run(2);
    }
  bench.told();
  pack.bits = NONE;
  bench.run(holdOf(CONCERNS.indexOf(code)) + 1);
  expect(bench.told()).toEqual([`condition-cleared\t${code}${whose}`]);
});

/** What has to last for longer is calm by then. */
const canFlap = (code: Concern): boolean => isTold(code) && holdOf(CONCERNS.indexOf(code)) < FLAPPING;
table(everywhere(QUICK.filter(canFlap)))("one that flaps is one event, until it is calm", (count, at, code) => {
  const { bench, pack, whose } = placed(count, at);
  const hold = holdOf(CONCERNS.indexOf(code));
  for (let round = 0; round < MOST_BEGINNINGS; round++)
    for (const bits of [bit(code), NONE]) {
      pack.bits = bits;
      bench.run(hold + 1);
    }
  expect(bench.told()).toHaveLength(2 * MOST_BEGINNINGS);
  const rounds = 5;
  for (let round = 0; round < rounds; round++)
    for (const bits of [bit(code), NONE]) {
      pack.bits = bits;
      bench.run(Math.min(hold + 1, FLAPPING / 20));
    }
  pack.bits = bit(code);
  bench.run(hold + 1);
  pack.bits = NONE;
  bench.run(FLAPPING);
  expect(bench.told()).toEqual([`condition-raised\t${code}${whose}`]);
  bench.run(INTERVAL);
  expect(bench.told()).toEqual([`condition-cleared\t${code}${whose || "\t"}\t${MOST_BEGINNINGS + rounds + 1}`]);
});

table(everywhere(QUICK))("one that flaps is there whenever it is found", (count, at, code) => {
  const { bench, pack } = placed(count, at);
  const hold = holdOf(CONCERNS.indexOf(code));
  for (let round = 0; round <= 2 * MOST_BEGINNINGS; round++) {
    pack.bits = bit(code);
    bench.run(hold + 1);
    expect(bench.has(at, code)).toBe(true);
    pack.bits = NONE;
    bench.run(hold + 1);
  }
});

table(everywhere(QUICK))("one that comes and goes at its limit is kept until it is over", (count, at, code) => {
  const { bench, pack } = placed(count, at);
  const hold = holdOf(CONCERNS.indexOf(code));
  const kept = common(LINGERING, bit(code));
  expect(kept !== NONE).toBe(hold > 0 && code !== "settings-unread");
  // Not often enough to flap.
  for (let round = 0; round < MOST_BEGINNINGS; round++) {
    pack.bits = bit(code);
    bench.run(1);
    expect(pack.kept).toBe(kept);
    pack.bits = NONE;
    bench.run(hold);
    expect(pack.kept).toBe(kept);
  }
  expect(bench.told()).toEqual([]);
  bench.run(1);
  expect(bench.packs.map((one) => one.kept)).toEqual(bench.packs.map(() => 0));
  // What cannot be judged stays as it is.
  const [unknown] = [SETTINGS_UNREAD, OFFLINE].filter((bits) => !hasAny(knownBy(bits), bit(code)));
  if (unknown === undefined) return;
  pack.bits = bit(code);
  bench.run(1);
  pack.bits = unknown;
  bench.run(whole);
  expect(common(pack.kept, bit(code))).toBe(kept);
});

table(everywhere(QUICK.filter(isTold)))("one that lasts for no longer than a reply is nothing", (count, at, code) => {
  const { bench, pack } = placed(count, at);
  pack.bits = bit(code);
  // However long ago the reply was: one observation is none.
  if (holdOf(CONCERNS.indexOf(code))) {
    bench.run(1);
    bench.now += 600;
  }
  pack.bits = NONE;
  bench.run(whole);
  expect(bench.told()).toEqual([]);
});

const COUNTS = [1, 3] as const;
const ofDevice = COUNTS.flatMap((count) => DEVICE_CONDITIONS.map((code, row) => [count, code, row] as const));

table(ofDevice)("beside so many packs each of the device begins and ends once, after its hold", (count, code, row) => {
  const bench = new Bench(count);
  const hold = holdOf(DEVICE_ROW + row);
  const isThere = (): boolean => hasAny(bench.watcher.presentOf(DEVICE), deviceBit(code));
  const expected = (how: string): string[] => (has(DEVICE_EVENTS, row) ? [`condition-${how}\t${code}`] : []);
  bench.run(2);
  DEVICE_TROUBLES[code](bench.device);
  const began = bench.now;
  bench.run(hold);
  expect([isThere(), bench.told()]).toEqual([false, []]);
  bench.run(1);
  expect([bench.watcher.presentOf(DEVICE), bench.told()]).toEqual([deviceBit(code), expected("raised")]);
  expect(bench.watcher.sinceOf(DEVICE, row)).toBe(began);
  bench.run(hold + FLAPPING);
  expect([isThere(), bench.told()]).toEqual([true, []]);
  for (const { index } of bench.packs) expect(bench.watcher.presentOf(index)).toBe(0);
  bench.device.mend();
  bench.run(hold);
  expect([isThere(), bench.told()]).toEqual([true, []]);
  bench.run(1);
  expect([isThere(), bench.told()]).toEqual([false, expected("cleared")]);
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
  bench.replace();
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

table(everywhere(alarms))("an alarm that flaps is one event, until it is calm", (count, at, name) => {
  const { bench, pack, whose } = placed(count, at);
  const row = ALARMS_TABLE.findIndex((alarm) => alarm.name === name);
  const come = (): unknown => pack.telemetry.set(FIELDS.alarmCode, 1 << row);
  const go = (): unknown => pack.telemetry.set(FIELDS.alarmCode, 0);
  const change = (rounds: number): void => {
    for (let round = 0; round < rounds; round++)
      for (const next of [come, go]) {
        next();
        bench.run(INTERVAL);
      }
  };
  change(MOST_BEGINNINGS);
  expect(bench.told()).toEqual(
    Array(MOST_BEGINNINGS)
      .fill([`alarm-raised\t${name}${whose}`, `alarm-cleared\t${name}${whose}`])
      .flat(),
  );
  const began = bench.now;
  const rounds = 7;
  change(rounds);
  bench.run(FLAPPING - 2 * INTERVAL);
  expect([bench.told(), bench.watcher.alarmsOf(at), bench.watcher.sinceOf(at, ALARM_ROW + row)]).toEqual([
    [`alarm-raised\t${name}${whose}`],
    1 << row,
    began,
  ]);
  bench.run(2 * INTERVAL);
  const times = MOST_BEGINNINGS + rounds;
  expect([bench.told(), bench.watcher.alarmsOf(at)]).toEqual([[`alarm-cleared\t${name}${whose || "\t"}\t${times}`], 0]);
  expect(bench.watcher.todayOf(at, ALARM_ROW + row)).toBe(times);
  // Calm for that long, it counts anew.
  bench.run(FLAPPING);
  change(1);
  expect(bench.told()).toEqual([`alarm-raised\t${name}${whose}`, `alarm-cleared\t${name}${whose}`]);
});

table(everywhere(alarms))("since when an alarm is there stays over a restart", (count, at, name) => {
  const { bench, pack } = placed(count, at);
  const row = ALARMS_TABLE.findIndex((alarm) => alarm.name === name);
  pack.telemetry.set(FIELDS.alarmCode, 1 << row);
  const began = bench.device.started + bench.now;
  bench.run(whole);
  expect(bench.sinceOf(at, ALARM_ROW + row)).toBe(began);
  for (let restart = 0; restart < 2; restart++) {
    bench.restart();
    expect(bench.sinceOf(at, ALARM_ROW + row)).toBe(began);
    bench.answer(bench.packs.map(() => NONE));
    bench.packs[at]!.telemetry.set(FIELDS.alarmCode, 1 << row);
    bench.run(whole);
    expect(bench.sinceOf(at, ALARM_ROW + row)).toBe(began);
  }
});

const toldEverywhere = everywhere(QUICK.filter(isTold));
/** Longer than any row has to last, and than the first minutes after a start. */
const long = LEARNING + FLAPPING;

table(toldEverywhere)(
  "what stands over a restart begins no second time, and since when it does stays",
  (count, at, code) => {
    const { bench, pack, whose } = placed(count, at);
    const row = CONCERNS.indexOf(code);
    const bits = bench.packs.map((one) => (one === pack ? bit(code) : NONE));
    bench.answer(bits);
    bench.run(whole);
    expect(bench.told()).toEqual([`condition-raised\t${code}${whose}`]);
    const since = bench.sinceOf(at, row);
    for (let restart = 0; restart < 2; restart++) {
      bench.restart();
      expect([bench.has(at, code), bench.sinceOf(at, row)]).toEqual([true, since]);
      bench.run(30);
      // The settings are read last; what takes minutes is not found until then.
      bench.answer(bits.map((one) => plus(common(one, without(knownBy(SETTINGS_UNREAD), LEARNED)), SETTINGS_UNREAD)));
      bench.run(60);
      bench.answer(bits.map((one) => without(one, LEARNED)));
      bench.run(LEARNING - bench.now);
      bench.answer(bits);
      bench.run(long);
      expect(bench.told().filter((text) => text.includes(code))).toEqual([]);
      for (const { index } of bench.packs) expect(bench.has(index, code)).toBe(index === at);
      expect(bench.sinceOf(at, row)).toBe(since);
    }
    bench.answer(bits.map(() => NONE));
    bench.run(whole);
    expect(bench.told()).toEqual([`condition-cleared\t${code}${whose}`]);
  },
);

table(toldEverywhere)(
  "each pack learns what was there before a restart, but not after a power cut",
  (count, at, code) => {
    const { bench, pack } = placed(count, at);
    pack.bits = bit(code);
    bench.run(whole);
    bench.restart();
    expect(bench.packs.map(({ resumed }) => resumed)).toEqual(
      bench.packs.map(({ index }) => (index === at ? bit(code) : NONE)),
    );
    bench.restart(false);
    expect(bench.packs.map(({ resumed }) => resumed)).toEqual(bench.packs.map(() => 0));
  },
);

table(toldEverywhere)("what is over after a restart is told, and is not there any more", (count, at, code) => {
  const { bench, pack, whose } = placed(count, at);
  pack.bits = bit(code);
  bench.run(whole);
  bench.restart();
  bench.run(30);
  expect(bench.told()).toEqual([]);
  bench.answer(bench.packs.map(() => NONE));
  const known = hasAny(LEARNED, bit(code)) ? LEARNING : bench.now;
  bench.run(known - bench.now + holdOf(CONCERNS.indexOf(code)));
  expect([bench.has(at, code), bench.told()]).toEqual([true, []]);
  expect(bench.packs[at]!.kept).toBe(common(LINGERING, bit(code)));
  bench.run(2);
  expect([bench.has(at, code), bench.told()]).toEqual([false, [`condition-cleared\t${code}${whose}`]]);
  expect(bench.packs[at]!.kept).toBe(0);
  bench.run(long);
  expect(bench.told()).toEqual([]);
});

table(everywhere(alarms))("an alarm that stands over a restart is no news; its end is", (count, at, name) => {
  const { bench, pack, whose } = placed(count, at);
  const word = 1 << ALARMS_TABLE.findIndex((alarm) => alarm.name === name);
  pack.telemetry.set(FIELDS.alarmCode, word);
  bench.run(3);
  bench.restart();
  bench.packs[at]!.telemetry.set(FIELDS.alarmCode, word);
  bench.run(3);
  expect(bench.watcher.alarmsOf(at)).toBe(word);
  bench.answer(bench.packs.map(() => NONE));
  bench.run(3);
  expect(bench.told()).toEqual([]);
  bench.restart();
  bench.answer(bench.packs.map(() => NONE));
  bench.run(3);
  expect(bench.told()).toEqual([`alarm-cleared\t${name}${whose}`]);
});

table(ofDevice)("of the device likewise", (count, code, row) => {
  const bench = new Bench(count);
  bench.run(2);
  DEVICE_TROUBLES[code](bench.device);
  const hold = holdOf(DEVICE_ROW + row);
  bench.run(hold + 1);
  expect(bench.told()).toEqual([`condition-raised\t${code}`]);
  const since = bench.sinceOf(DEVICE, row);
  bench.restart();
  bench.run(long);
  expect([bench.watcher.presentOf(DEVICE), bench.told()]).toEqual([deviceBit(code), []]);
  expect(bench.sinceOf(DEVICE, row)).toBe(code === "clock-unknown" ? undefined : since);
  bench.restart();
  bench.device.mend();
  bench.run(hold + 1);
  expect([bench.watcher.presentOf(DEVICE), bench.told()]).toEqual([0, [`condition-cleared\t${code}`]]);
});

/** With them a pack can be judged. */
const EVERY = QUICK.map((code) => bit(code)).reduce(plus);

it("of more than there is room for the time is not known, and none is told again", () => {
  const bench = new Bench(5);
  const codes = QUICK.filter(isTold).slice(0, Math.ceil((CONDITIONS_TIMES + 1) / bench.count));
  const all = codes.map((code) => bit(code)).reduce(plus);
  const answers = bench.packs.map(() => all);
  bench.answer(answers);
  bench.run(whole);
  bench.told();
  bench.restart();
  const known = bench.packs.flatMap(({ index }) =>
    codes.filter((code) => bench.sinceOf(index, CONCERNS.indexOf(code)) !== undefined),
  );
  expect(known).toHaveLength(CONDITIONS_TIMES);
  bench.answer(answers);
  bench.run(long);
  expect(bench.told()).toEqual([]);
});

describe.each([1, 3])("of %i packs with everything at once, more than the pool has room for", (count) => {
  const FULL = "part-failed\tconditions\tno room for the times of all";
  const codes = QUICK.filter((code) => code !== "offline" && code !== "settings-unread");
  const told = (how: string): string[] =>
    codes.filter(isTold).flatMap((code) => {
      const one = `condition-${how}\t${code}`;
      return count > 1 ? Array.from({ length: count }, (_, at) => `${one}\t${at + 1}`) : one;
    });
  const all = codes.map((code) => bit(code)).reduce(plus);
  /** In turns, since what has to last keeps its place. */
  const turns = Math.ceil((count * codes.length) / (EDGES_EACH * (1 + count))) + 1;

  it("each begins and ends once, some since when is not known, and that is said once", () => {
    const bench = new Bench(count);
    bench.run(2);
    bench.answer(bench.packs.map(() => all));
    bench.run(turns * whole);
    expect(bench.packs.map(({ index }) => bench.watcher.presentOf(index))).toEqual(bench.packs.map(() => all));
    const raised = bench.told();
    expect(raised.filter((text) => text === FULL)).toHaveLength(1);
    expect(raised.filter((text) => text !== FULL).sort()).toEqual(told("raised").sort());
    const since = bench.packs.flatMap(({ index }) => codes.map((code) => bench.sinceOf(index, CONCERNS.indexOf(code))));
    expect(since.filter((time) => time !== undefined).length).toBeLessThanOrEqual(EDGES_EACH * (1 + count));
    expect(since).toContain(undefined);
    bench.answer(bench.packs.map(() => NONE));
    bench.run(turns * whole);
    expect(bench.packs.map(({ index, kept }) => [bench.watcher.presentOf(index), kept])).toEqual(
      bench.packs.map(() => [NONE, NONE]),
    );
    expect(bench.told().sort()).toEqual(told("cleared").sort());
  });

  it("what lasts for less than its hold is nothing", () => {
    const bench = new Bench(count);
    bench.run(2);
    bench.answer(bench.packs.map(() => all));
    bench.run(2);
    bench.answer(bench.packs.map(() => NONE));
    bench.run(turns * whole);
    expect(bench.told().filter((text) => text !== FULL)).toEqual([]);
  });
});

it("the pool has room for as many as it says", () => {
  const bench = new Bench(3);
  bench.run(2);
  const codes = QUICK.filter((code) => code !== "offline" && code !== "settings-unread");
  const ofOne = (EDGES_EACH * (1 + bench.count)) / 2;
  const sets = [codes.slice(0, ofOne), codes.slice(-ofOne), []].map((some) =>
    some.reduce((set, code) => plus(set, bit(code)), NONE),
  );
  bench.answer(sets);
  bench.run(whole);
  expect(bench.packs.map(({ index }) => bench.watcher.presentOf(index))).toEqual(sets);
  expect(bench.told().filter((text) => text.startsWith("part-failed"))).toEqual([]);
  // Another one takes the place of the oldest.
  bench.answer([...sets.slice(0, 2), bit("spread")]);
  bench.run(whole);
  expect([bench.has(2, "spread"), bench.watcher.sinceOf(2, CONCERNS.indexOf("spread"))]).not.toContain(undefined);
  expect(bench.told().filter((text) => text.startsWith("part-failed"))).toHaveLength(1);
});

/** The row of a condition, or of an alarm. */
const begun = [
  [
    "emergency",
    CONCERNS.indexOf("emergency"),
    (pack: Pack, isOn: boolean) => (pack.bits = isOn ? bit("emergency") : NONE),
  ],
  [
    "cell_undervoltage",
    ALARM_ROW + ALARMS_TABLE.findIndex(({ name }) => name === "cell_undervoltage"),
    (pack: Pack, isOn: boolean) => pack.telemetry.set(FIELDS.alarmCode, isOn ? 1 << 11 : 0),
  ],
] as const;
const comeAndGo = (bench: Bench, turn: (isOn: boolean) => void, times: number): void => {
  for (let time = 0; time < times; time++) {
    turn(true);
    bench.run(5);
    turn(false);
    // Long enough not to flap.
    bench.now += FLAPPING;
    bench.run(5);
  }
};

table(PLACES.flatMap(([count, at]) => begun.map((row) => [count, at, ...row] as const)))(
  "each counts how often it has begun today, over a restart too, until midnight",
  (count, at, _, row, make) => {
    const { bench } = placed(count, at);
    const turn = (isOn: boolean): void => void make(bench.packs[at]!, isOn);
    const counts = (): (number | undefined)[] => bench.packs.map(({ index }) => bench.watcher.todayOf(index, row));
    const only = (times: number): number[] => bench.packs.map(({ index }) => (index === at ? times : 0));
    bench.device.started = DAY - OFFSET - bench.now + 20_000 * DAY;
    expect(counts()).toEqual(only(0));
    comeAndGo(bench, turn, 2);
    expect(counts()).toEqual(only(2));
    bench.restart();
    bench.answer(bench.packs.map(() => NONE));
    expect(counts()).toEqual(only(2));
    comeAndGo(bench, turn, 1);
    turn(true);
    bench.run(5);
    expect(counts()).toEqual(only(4));
    // What stands over a restart begins no second time.
    bench.restart();
    bench.answer(bench.packs.map(() => NONE));
    turn(true);
    bench.run(5);
    expect(counts()).toEqual(only(4));
    // 23:59:59 by the owner's time.
    bench.device.started = 2 * DAY - 1 - OFFSET - bench.now + 20_000 * DAY;
    expect(counts()).toEqual(only(4));
    bench.device.started++;
    expect(counts()).toEqual(only(0));
    turn(false);
    bench.now += FLAPPING;
    bench.run(5);
    comeAndGo(bench, turn, 1);
    expect(counts()).toEqual(only(1));
  },
);

table(PLACES.map((place) => [...place]))("no start counts as silence, and each silence once", (count, at) => {
  const { bench } = placed(count, at);
  const row = CONCERNS.indexOf("offline");
  const counts = (): (number | undefined)[] => bench.packs.map(({ index }) => bench.watcher.todayOf(index, row));
  const only = (times: number): number[] => bench.packs.map(({ index }) => (index === at ? times : 0));
  const answer = (pack: Pack, isOn: boolean): void => {
    Object.assign(pack, { online: isOn, bits: isOn ? NONE : OFFLINE });
    pack.telemetry.valid ||= isOn;
    bench.watcher.packOnlineChanged(pack);
  };
  for (const silences of [0, 1, 2]) {
    bench.restart();
    expect(bench.packs.map(({ index }) => bench.has(index, "offline"))).toEqual(bench.packs.map(() => true));
    expect(counts()).toEqual(only(silences));
    for (const pack of bench.packs) answer(pack, true);
    answer(bench.packs[at]!, false);
    expect([bench.has(at, "offline"), counts()]).toEqual([true, only(silences + 1)]);
    // It is silent while the device restarts: it began before.
    bench.restart();
    expect(counts()).toEqual(only(silences + 1));
    for (const pack of bench.packs) answer(pack, true);
  }
});

it("without a clock what begins is counted from the start on, and then is of the day", () => {
  const { bench, pack } = placed(3, 1);
  const row = CONCERNS.indexOf("emergency");
  const turn = (isOn: boolean): void => void (pack.bits = isOn ? bit("emergency") : NONE);
  bench.device.knowsTime = false;
  comeAndGo(bench, turn, 2);
  expect(bench.watcher.todayOf(1, row)).toBe(2);
  bench.device.knowsTime = true;
  expect(bench.watcher.todayOf(1, row)).toBe(2);
  bench.device.started += DAY;
  expect(bench.watcher.todayOf(1, row)).toBe(0);
});

it("the device counts what is wrong with itself", () => {
  const bench = new Bench(3);
  const row = DEVICE_CONDITIONS.indexOf("storage-failed");
  for (let time = 0; time < 2; time++) {
    DEVICE_TROUBLES["storage-failed"](bench.device);
    bench.run(holdOf(DEVICE_ROW + row) + 2);
    bench.device.mend();
    bench.run(holdOf(DEVICE_ROW + row) + 2);
  }
  const [pack] = bench.packs;
  pack!.bits = bit("emergency");
  bench.run(5);
  const counts = (): unknown[] => [
    bench.watcher.todayOf(DEVICE, row),
    bench.watcher.todayOf(0, CONCERNS.indexOf("emergency")),
  ];
  expect(counts()).toEqual([2, 1]);
  bench.watcher.settingsChanged("packs");
  expect(counts()).toEqual([2, 1]);
  bench.replace();
  expect(counts()).toEqual([0, 0]);
});

it("when more have begun than there is room for, nothing is known of the others", () => {
  const bench = new Bench(3);
  const all = without(EVERY, plus(OFFLINE, SETTINGS_UNREAD));
  bench.answer([all, all, all]);
  bench.run(whole);
  const counts = bench.packs.flatMap(({ index }) => CONCERNS.map((_, row) => bench.watcher.todayOf(index, row)));
  expect(counts.filter((count) => count === 1)).toHaveLength(TODAY_ROWS);
  expect(counts.filter((count) => count === undefined)).toHaveLength(counts.length - TODAY_ROWS);
});

it("sixteen packs have each their own", () => {
  const bench = new Bench(CONDITIONS_SUBJECTS - 1);
  const bits = bench.packs.map((_, index) => (index % 3 ? bit("emergency") : bit("spread")));
  bench.answer(bits);
  bench.run(whole);
  bench.restart();
  expect(bench.packs.map(({ index }) => without(bench.watcher.presentOf(index), OFFLINE))).toEqual(bits);
});

table([[1], [3]] as const)("noise, and another firmware's, is nothing", (count) => {
  for (const spoil of ["bytes", "map"] as const) {
    const { bench, pack } = placed(count, count - 1);
    pack.bits = bit("emergency");
    bench.run(whole);
    if (spoil === "bytes") bench.board.kept[CONDITIONS_AT]! ^= 1;
    bench.restart(spoil === "bytes");
    expect(bench.watcher.presentOf(count - 1)).toBe(OFFLINE);
  }
});

table([[1], [3]] as const)("without a clock it is not known since when, and none is told again", (count) => {
  const { bench } = placed(count, count - 1);
  bench.device.knowsTime = false;
  const bits = bench.packs.map(() => bit("emergency"));
  bench.answer(bits);
  bench.run(whole);
  bench.restart();
  bench.answer(bits);
  bench.device.knowsTime = true;
  bench.run(long);
  expect(bench.told().filter((text) => text.includes("emergency"))).toEqual([]);
  expect(bench.sinceOf(count - 1, CONCERNS.indexOf("emergency"))).toBeUndefined();
});

it("packs that are no longer in the settings have left nothing", () => {
  const { bench, pack } = placed(3, 1);
  pack.bits = bit("emergency");
  bench.run(whole);
  bench.replace();
  bench.restart();
  expect(bench.packs.map(({ index }) => bench.watcher.presentOf(index))).toEqual([OFFLINE, OFFLINE, OFFLINE]);
});

table([...QUICK.filter(isTold), ...DEVICE_CONDITIONS])(
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
