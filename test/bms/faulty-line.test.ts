/** The monitor on the real bus and a line with faults: whatever happens, no write is called applied unless the BMS holds it. */
import * as FIELDS from "jk-bms/field-table";
import { readRaw, registerOf } from "jk-bms/fields";
import { expect, it } from "vitest";
import { SoloMonitor } from "../support/bms/solo-monitor";
import { WRITE_TIMEOUT } from "../../src/bms/limits.ts";
import type { BmsSettings } from "../../src/settings/types.ts";
import { Random } from "../fuzz/random";
import { FakeBms, sealed } from "../support/bms/fake-bms";
import { lineBoard } from "../support/bms/line";
import { PackOnLine } from "../support/bms/pack-on-line";
import fc, { runs } from "../support/property";

/** ms from a request to its reply; the master waits for 160. */
const LATE = [0, 100, 150, 170, 390, 800, 1500];
const GAPS = [30, 75, 300, 1000];
const READ_MODES = ["auto", "registers", "frames"] as const;
const EXCEPTIONS = [1, 2, 3, 4, 5, 6];
/** The switches at 0x1114 that no command changes. */
const OTHER_SWITCHES = 0xffff & ~0x12;
const STEPS = 150;
/** Time after which everything works again: two pauses of the settings, and a write. */
const RECOVERY = 70_000;

function live(seed: number): string[] {
  const random = new Random(seed);
  const problems: string[] = [];
  const board = lineBoard({ console: (text) => problems.push(text) });
  const { clock, wire } = board;
  const fake = new FakeBms(board);
  const switches = fake.word(registerOf(FIELDS.switchWord)) & OTHER_SWITCHES;
  let faulty = true;
  fake.instead = (request, usual) => {
    fake.delay = faulty && random.once(4) ? random.of(LATE) : 10;
    if (!faulty || !usual) return undefined;
    switch (random.below(16)) {
      case 0:
      case 1:
        return null;
      case 2:
        return usual.slice(0, random.below(usual.length) + 1);
      case 3: {
        const damaged = usual.slice();
        damaged[random.below(damaged.length)]! ^= 1 << random.below(8);
        return damaged;
      }
      case 4:
        return sealed(1, (request[1] as number) | 0x80, random.of(EXCEPTIONS));
      case 5:
        return sealed(2, ...usual.subarray(1, -2));
      case 6:
        // Another master's reply to a read of the same length.
        if (request[1] !== 3) return undefined;
        return sealed(1, 3, 2 * (request[5] as number), ...random.bytes(2 * (request[5] as number)));
      default:
        return undefined;
    }
  };
  let settings: BmsSettings = {
    address: 1,
    baud: 115200,
    interval: 1000,
    readMode: random.of(READ_MODES),
    gap: random.of(GAPS),
    mode: "poll",
  };
  const monitor = new SoloMonitor({
    settings,
    opener: new PackOnLine(board),
  });
  const change = (changes: Partial<BmsSettings>): void => monitor.apply((settings = { ...settings, ...changes }));
  /** Reads what the BMS holds. */
  const held = {
    cell_ovp_voltage: () => fake.word(registerOf(FIELDS.cellOvpVoltage) + 2),
    charge_mos: () => fake.word(registerOf(FIELDS.chargeEnabled) + 2),
    emergency: () => Number(fake.word(registerOf(FIELDS.emergencyTime)) > 0),
    display_always_on: () => (fake.word(registerOf(FIELDS.switchWord)) >> 4) & 1,
  };
  const names = Object.keys(held) as (keyof typeof held)[];
  const write = (): void => {
    const name = random.of(names);
    const value = name === "cell_ovp_voltage" ? 3_500 + random.below(200) : random.below(2);
    const since = clock.now;
    const ended = ({ outcome }: { outcome: string }, sentence: string): void => {
      if (clock.now - since > WRITE_TIMEOUT) problems.push(`late: ${sentence}`);
      const applied = ["confirmed", "no-reply-applied", "refused-applied"].includes(outcome);
      if (applied && held[name]() !== value) problems.push(`the BMS holds ${held[name]()}: ${sentence}`);
    };
    if (name === "cell_ovp_voltage") monitor.writes.parameter(monitor.pack, name, value / 1000, "API", ended);
    else monitor.writes.command(monitor.pack, name, value === 1, "API", ended);
  };

  monitor.shared.proved = () => {
    problems.push("two packs at its address");
    return false;
  };
  monitor.start();
  for (let step = 0; step < STEPS; step++) {
    clock.runFor(random.below(600));
    fake.ignoresWrites = random.once(6);
    if (random.once(3)) write();
    if (random.once(10)) wire.bms.send(random.bytes(random.below(300)));
    if (random.once(60)) change({ gap: random.of(GAPS), readMode: random.of(READ_MODES) });
    if (random.once(60)) change({ address: 3 - settings.address });
    if ((fake.word(registerOf(FIELDS.switchWord)) & OTHER_SWITCHES) !== switches)
      problems.push("other switches changed");
  }

  faulty = fake.ignoresWrites = false;
  change({ address: 1, gap: 75 });
  clock.runFor(RECOVERY);
  if (!monitor.pack.online || !monitor.pack.configurationLoaded) problems.push("does not recover");
  monitor.parameter("cell_ovp_voltage", 3.6);
  clock.runFor(WRITE_TIMEOUT);
  if (!monitor.lastCommandOk || readRaw(monitor.pack.setup, FIELDS.cellOvpVoltage) !== 3600)
    problems.push(`does not write: ${monitor.lastCommand}`);
  monitor.close();
  return problems;
}

it("no write is called applied unless the BMS holds it, each ends in time, and all works again after the faults", () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      expect(live(seed)).toEqual([]);
    }),
    // The example: two replies of others looked like a countdown.
    { numRuns: runs(30), examples: [[398739107]] },
  );
});
