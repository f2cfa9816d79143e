/** How soon all settings are loaded at a first start, with nothing lost: settings and device information have to come twice. */
import { describe, expect, it } from "vitest";
import { bankOf } from "../../host-sim/bms/packs";
import { BANK_SETTINGS } from "../support/bms/bank-writes";
import { lineBoard } from "../support/bms/line";
import { PackOnLine } from "../support/bms/pack-on-line";
import { SoloMonitor } from "../support/bms/solo-monitor";

/** ms from the start until the settings of all packs are loaded. */
function loaded(count: number, baud: 115_200 | 9_600): number {
  const board = lineBoard({ baud });
  const { clock, wire } = board;
  const bank = bankOf({ clock, wire, count, baud, evolving: false });
  const monitor = new SoloMonitor({
    settings: { ...BANK_SETTINGS, baud, mode: "poll", readMode: "registers" },
    opener: new PackOnLine(board),
    packs: bank.packs.map((_, place) => ({ address: place + 1, name: "", serial: "" })),
  });
  monitor.start();
  const began = clock.now;
  while (!monitor.packs.every(({ configurationLoaded }) => configurationLoaded)) clock.runFor(100);
  const time = clock.now - began;
  monitor.close();
  bank.close();
  return time;
}

describe("at a first start all settings are loaded", () => {
  // ms with a single look at each block (6927607b), and how much later two of them may be.
  it.each([
    [1, 115_200, 800, 1_000],
    [8, 115_200, 18_700, 6_000],
    [15, 115_200, 58_200, 11_000],
    [15, 9_600, 174_900, 16_000],
  ] as const)("of %i packs at %i baud after %i ms and at most %i more", (count, baud, before, more) => {
    expect(loaded(count, baud)).toBeLessThanOrEqual(before + more);
  });
});
