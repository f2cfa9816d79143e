/**
 * A queue to XS that is full for a while: the port's message waits, and comes when there is room. The SDK's own UART class loses it, and never
 * calls back again (modules/io/serial/esp32/serial.c).
 */
import { expect, it } from "vitest";
import type { MonitorState } from "../support/system/probes";
import { System } from "../support/system/system";

const SECOND = 1_000;
const POLLS = 100;

it.each(["registers", "frames"] as const)(
  "a serial port that cannot call for a second: no poll is lost, read by %s",
  async (readMode) => {
    const system = await System.start({ board: { config: { httpPort: 0, settings: { bms: { readMode } } } } });
    try {
      await system.untilLoaded();
      const statistics = (): NonNullable<MonitorState["statistics"]> => system.probes.monitor().statistics!;
      system.board.refusals.interrupts = true;
      system.skip(SECOND);
      system.board.refusals.interrupts = false;
      const before = { ...statistics(), ...system.board.uart };
      system.skip(POLLS * SECOND);
      const after = { ...statistics(), ...system.board.uart };
      expect([after.timeouts, after.crcErrors, after.overflows]).toEqual([
        before.timeouts,
        before.crcErrors,
        before.overflows,
      ]);
      expect(after.replies - before.replies).toBeGreaterThanOrEqual(POLLS);
      expect(system.probes.monitor().online).toBe(true);
    } finally {
      system.stop();
    }
  },
);
