/**
 * The SDK's UART marks its event as told even if the queue to XS had no room for it (modules/io/serial/esp32/serial.c): the port never calls
 * back again. The link does not depend on it: its timer reads the FIFO too.
 */
import { expect, it } from "vitest";
import type { MonitorState } from "../support/probes";
import { System } from "../support/system";

const SECOND = 1_000;
const POLLS = 100;

it.each(["registers", "frames"] as const)(
  "a serial port that never calls back again: no poll is lost, read by %s",
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
