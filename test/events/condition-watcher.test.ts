/** Beginnings and ends of every row of the table, of the first, a middle and the last pack. Derived from the table: a row more needs no edit. */
import * as FIELDS from "jk-bms/field-table";
import { expect } from "vitest";
import { ALARMS_TABLE } from "../../src/catalogue/alarms";
import { FLAPPING, MOST_BEGINNINGS } from "../../src/conditions/limits";
import {
  bit,
  CONCERNS,
  EVENTS,
  holdOf,
  knownBy,
  LINGERING,
  OFFLINE,
  SETTINGS_UNREAD,
  type Concern,
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

/** Seconds between two replies. */
const INTERVAL = 1;

class Bench {
  now = 100_000;
  readonly packs: Pack[];
  readonly log: EventRing;
  readonly watcher: ConditionWatcher;

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
    this.watcher = new ConditionWatcher(this.log, { monitor, uptime, settings: { observe: () => undefined } });
  }

  /** Replies of all packs for so many seconds. */
  run(seconds: number): void {
    for (let second = 0; second < seconds; second += INTERVAL) {
      for (const pack of this.packs) if (pack.online) this.watcher.packUpdated(pack);
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

table(CONCERNS.filter(isTold))("each has its words in syslog, store and page, in each language", (code) => {
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
});
