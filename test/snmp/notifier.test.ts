/** What a start finds kept is no news, and its end is: of one pack, and of the first, a middle and the last of three. */
import { expect, it } from "vitest";
import { NONE, type Conditions } from "../../src/conditions/set";
import { bit } from "../../src/conditions/table";
import { EventRing } from "../../src/events/event-ring";
import { MAX_EVENTS } from "../../src/events/limits";
import { alarmRow, packRow } from "../../src/snmp/bank-mib";
import {
  ALARM_CLEARED,
  CAME_ONLINE,
  CONCERNS_CHANGED,
  OF_PACK,
  PACK_CONCERNS_CHANGED,
  SETTING_CHANGED,
  trapOf,
} from "../../src/snmp/bms-mib";
import type { SnmpContext } from "../../src/snmp/context";
import { COLD_START } from "../../src/snmp/mib-2";
import { Notifier } from "../../src/snmp/notifier";
import { TestMonitor } from "../support/bms/bms-link";
import { poweredBoard } from "../support/system/simulated-board";
import { NO_CONDITIONS } from "../support/fakes/no-conditions";
import { PLACES } from "../support/places";

const ROW = 11;
const ALARM = 1 << ROW;
const EMERGENCY = bit("emergency");

class Bench {
  readonly packs: TestMonitor[];
  /** By place, as kept over the restart. */
  alarms: readonly number[];
  readonly present: Conditions[];
  readonly log: EventRing;
  readonly #context: SnmpContext;
  readonly #notifier: Notifier;

  constructor(count: number, at: number) {
    this.packs = Array.from({ length: count }, (_, index) =>
      Object.assign(new TestMonitor(), {
        ...{ index, online: false, label: count > 1 ? index + 1 : undefined },
        identity: { address: index + 1, name: "", serial: "" },
      }),
    );
    this.alarms = this.packs.map(({ index }) => (index === at ? ALARM : 0));
    this.present = this.packs.map(({ index }) => (index === at ? EMERGENCY : NONE));
    poweredBoard();
    this.log = new EventRing({ uptime: () => 0, start: { restarts: 0, intact: false } });
    this.log.add("setting-changed\tcell_ovp_voltage\t3.4\t3.5\tV\t1\tmaster\t");
    this.#context = {
      state: { change: "" },
      pack: this.packs[0],
      device: {
        ...{ monitor: { packs: this.packs }, relay: { value: 0 }, centiseconds: () => 0, events: this.log },
        conditions: {
          ...NO_CONDITIONS,
          alarmsOf: (index: number) => this.alarms[index],
          presentOf: (index: number) => this.present[index] ?? NONE,
        },
      },
    } as unknown as SnmpContext;
    this.#notifier = new Notifier(this.#context);
  }

  /** The last sentence. */
  get change(): string {
    return this.#context.state.change;
  }

  /** What is sent: notification and row. */
  sent(): (readonly [string, number])[] {
    const all: (readonly [string, number])[] = [];
    this.#notifier.report(this.#context, { send: ({ trap, row = 0 }) => void all.push([trap, row]) });
    return all;
  }

  answer(words: readonly number[]): void {
    for (const pack of this.packs) pack.online = true;
    this.alarms = words;
  }
}

it("a setting that has changed is told as a sentence, once; what was before the start is not", () => {
  const bench = new Bench(3, 0);
  bench.log.add("setting-changed\tcell_ovp_voltage\t3.5\t3.6\tV\t1\tmaster\t");
  expect(bench.sent()).toEqual([
    [COLD_START, 0],
    [trapOf(SETTING_CHANGED), 0],
  ]);
  expect(bench.change).toBe("Pack 1: Setting changed (master): cell_ovp_voltage 3.5 -> 3.6 V.");
  expect(bench.sent()).toEqual([]);
  bench.log.add("bms-offline");
  for (let count = 0; count < MAX_EVENTS; count++) bench.log.add("setting-changed\t\t\t\t\t3\tmaster\t5");
  expect(bench.sent()).toEqual(Array(MAX_EVENTS).fill([trapOf(SETTING_CHANGED), 0]));
  expect(bench.change).toBe("Pack 3: Setting changed (master): 5.");
});

it.each(PLACES)("of %i packs that at %i", (count, at) => {
  for (const isOver of [false, true]) {
    const bench = new Bench(count, at);
    const pack = bench.packs[at]!;
    const words = bench.alarms;
    expect(bench.sent()).toEqual([[COLD_START, 0]]);
    const online = bench.packs.map((one, index) =>
      index ? [trapOf(OF_PACK + CAME_ONLINE), packRow(one)] : [trapOf(CAME_ONLINE), 0],
    );
    const cleared = at ? [trapOf(OF_PACK + ALARM_CLEARED), alarmRow(pack, ROW + 1)] : [trapOf(ALARM_CLEARED), ROW + 1];
    const over = at ? [trapOf(PACK_CONCERNS_CHANGED), packRow(pack)] : [trapOf(CONCERNS_CHANGED), 0];
    if (!isOver) {
      bench.answer(words);
      expect(bench.sent()).toEqual(online);
    }
    bench.present[at] = NONE;
    bench.answer(bench.packs.map(() => 0));
    const sent = bench.sent();
    expect(sent).toHaveLength(isOver ? count + 2 : 2);
    expect(sent).toEqual(expect.arrayContaining(isOver ? [...online, over, cleared] : [over, cleared]));
  }
});
