/** The monitor on the real bus at the longest gap that the settings allow, with a BMS that answers. */
import { expect, it } from "vitest";
import { SoloMonitor } from "../support/bms/solo-monitor";
import { WRITE_TIMEOUT } from "../../src/bms/limits.ts";
import { MAX_GAP } from "../../src/settings/limits.ts";
import { FakeBms } from "../support/bms/fake-bms";
import { lineBoard } from "../support/bms/line";
import { PackOnLine } from "../support/bms/pack-on-line";

const INTERVAL = 1_000;
/** Virtual ms between two moments at which a write comes. */
const STEP = 130;

it.each(["auto", "registers", "frames"] as const)(
  "with %s a write is confirmed whenever it comes, also when it has to wait for a poll",
  (readMode) => {
    const board = lineBoard();
    const { clock } = board;
    new FakeBms(board);
    const settings = {
      address: 1,
      baud: 115_200 as const,
      interval: INTERVAL,
      readMode,
      gap: MAX_GAP,
      mode: "poll" as const,
    };
    const monitor = new SoloMonitor({
      settings,
      opener: new PackOnLine(board),
    });
    monitor.start();
    clock.runFor(60_000);
    expect(monitor.pack.configurationLoaded).toBe(true);
    const endings = new Set<string>();
    for (let wait = 0; wait < 10_000; wait += STEP) {
      clock.runFor(wait % 3_000);
      if (wait % (2 * STEP)) monitor.parameter("cell_ovp_voltage", 3.5 + (wait % 100) / 1_000);
      else monitor.command("display_always_on", wait % (4 * STEP) === 0);
      clock.runFor(WRITE_TIMEOUT);
      endings.add(monitor.lastCommand.replace(/.*: /, ""));
    }
    expect([...endings]).toEqual(["confirmed by the BMS."]);
    monitor.close();
  },
);
