import { describe, expect, it, type TestContext } from "vitest";
import { FAULT_KINDS, type FaultOrder } from "../../host-sim/bms/faults";
import type { Stage, Whole } from "./whole";

const READ_MODES = ["registers", "frames"] as const;
const FC16 = 0x10;
const SECOND = 1000;
const OFFLINE_LIMIT = 5 * SECOND;
const WRITE_LIMIT = 5 * SECOND;
/** Time by which the settings are loaded. */
const LOADED = 6 * SECOND;

/** Every how many requests the line fails, so that polls still get through. */
const SOMETIMES = 3;

/** Sample interval of the BMS's own pack voltage, ms; the BMS measures every 500 ms. */
const LOOK = 100;

/** Line faults only: frames are lost or corrupted, the BMS itself behaves. */
const LINE_FAULTS = (Object.keys(FAULT_KINDS) as FaultOrder["kind"][]).filter(
  (kind) => kind !== "refuse" && kind !== "ignore-write",
);
/** Faults that leave no valid reply when applied to every request. (Echo, and noise around a reply, leave one.) */
const DEADLY: readonly FaultOrder["kind"][] = ["no-answer", "bad-crc", "truncated", "wrong-address"];

const isParameter = (request: { function: number; trigger?: unknown }): boolean =>
  request.function === FC16 && !request.trigger;

/** Runs for `seconds`; every pack voltage published meanwhile must be one that the BMS had. Returns how many were published. */
async function runTruly(whole: Whole, seconds: number): Promise<number> {
  const { bms, clock, probes } = whole;
  const held = new Set<number>();
  const look = (): void => {
    held.add(bms.registers.read("BatVol"));
    next = clock.after(LOOK, look);
  };
  let next = clock.after(0, look);
  await probes.watchPackVoltage();
  await whole.run(seconds * SECOND);
  const published = await probes.packVoltages();
  clock.cancel(next);
  expect(published.filter((voltage) => !held.has(voltage))).toEqual([]);
  return published.length;
}

/** Line faults against the firmware, in both read modes. */
export function faultSuite({ name, start }: Stage): void {
  describe.each(READ_MODES)(`line faults, read by %s, ${name}`, (readMode) => {
    const started = async ({ onTestFinished }: TestContext): Promise<Whole> => {
      const whole = await start({ settings: { bms: { readMode } }, bms: { timeFactor: 60 } });
      onTestFinished(() => whole.stop());
      return whole;
    };

    it.for(LINE_FAULTS)("%s now and then: stays online, and publishes only what the BMS said", async (kind, test) => {
      const whole = await started(test);
      await whole.run(3 * SECOND);
      expect((await whole.probes.monitor()).online).toBe(true);
      whole.bms.faults.add({ kind, every: SOMETIMES });
      expect(await runTruly(whole, 60)).toBeGreaterThan(10);
      expect((await whole.probes.monitor()).online).toBe(true);
      expect(whole.bms.faults.list[0]?.struck).toBeGreaterThan(10);
    });

    it.for(DEADLY)(
      "%s permanently: goes offline in time, and online again when the line recovers",
      async (kind, test) => {
        const whole = await started(test);
        await whole.run(3 * SECOND);
        const mend = whole.bms.faults.add({ kind });
        await whole.run(OFFLINE_LIMIT - SECOND);
        expect((await whole.probes.monitor()).online).toBe(true);
        await whole.run(4 * SECOND);
        expect(await whole.probes.monitor()).toMatchObject({ online: false, configurationLoaded: false });
        mend();
        await whole.run(20 * SECOND);
        expect(await whole.probes.monitor()).toMatchObject({ online: true, configurationLoaded: true });
      },
    );

    it.for(LINE_FAULTS)(
      "%s at the first attempt of a write: still confirmed, and applied in the BMS",
      async (kind, test) => {
        const { bms, probes, run } = await started(test);
        await run(LOADED);
        bms.faults.add({ kind, times: 1, matching: isParameter });
        expect(await probes.writeParameter("cell_ovp_voltage", 3.601)).toBeUndefined();
        await run(WRITE_LIMIT);
        expect(await probes.monitor()).toMatchObject({ pending: false, lastCommandOk: true });
        expect(bms.registers.read("VolCellOV")).toBe(3601);
      },
    );

    it.for(DEADLY)(
      "%s at every attempt of a write: resolved in time, not reported as confirmed",
      async (kind, test) => {
        const { bms, probes, run } = await started(test);
        await run(LOADED);
        bms.faults.add({ kind, matching: isParameter });
        expect(await probes.writeCommand("charge_mos", false)).toBeUndefined();
        await run(WRITE_LIMIT);
        const { pending, lastCommand, lastCommandOk } = await probes.monitor();
        expect({ pending, lastCommandOk }).toEqual({ pending: false, lastCommandOk: false });
        // The report gives the value read back: these faults lose the reply, and the BMS may or may not have applied the write.
        const held = bms.registers.read("BatChargeEN") ? "holds on." : "holds off, as asked.";
        const matches =
          kind === "wrong-address"
            ? /^charge_mos off: (no confirming reply|the reply does not match the write); the BMS /
            : /^charge_mos off: no confirming reply; the BMS /;
        expect(lastCommand).toMatch(matches);
        if (lastCommand.includes("no confirming reply")) expect(lastCommand).toContain(held);
      },
    );

    it('a write without any reply: the outcome is unknown, never "unchanged"', async (test) => {
      const { bms, probes, run } = await started(test);
      await run(LOADED);
      let written = false;
      bms.faults.add({ kind: "no-answer", matching: (request) => (written ||= isParameter(request)) });
      expect(await probes.writeParameter("capacity_ah", 292)).toBeUndefined();
      await run(WRITE_LIMIT);
      const { pending, lastCommand, lastCommandOk } = await probes.monitor();
      expect({ pending, lastCommandOk }).toEqual({ pending: false, lastCommandOk: false });
      expect(lastCommand).toBe("capacity_ah 292 Ah: no confirming reply; the outcome is unknown.");
    });

    it("a refused write names the exception and is not retried", async (test) => {
      const { bms, probes, run } = await started(test);
      await run(LOADED);
      expect(await probes.writeParameter("max_balance_current", 2.001)).toBeUndefined();
      await run(WRITE_LIMIT);
      const { pending, lastCommand, lastCommandOk } = await probes.monitor();
      expect({ pending, lastCommandOk }).toEqual({ pending: false, lastCommandOk: false });
      expect(lastCommand).toBe("max_balance_current 2.001 A: refused by the BMS, exception 3 (illegal data value).");
      expect(bms.traffic.writes.get(0x1048)).toBe(1);
    });

    it("a write acknowledged but not applied is not reported as confirmed, and shows the value read", async (test) => {
      const { bms, probes, run } = await started(test);
      await run(LOADED);
      const before = bms.registers.read("VolCellUV");
      bms.faults.add({ kind: "ignore-write" });
      expect(await probes.writeParameter("cell_uvp_voltage", "2.712")).toBeUndefined();
      await run(WRITE_LIMIT);
      const { pending, lastCommand, lastCommandOk } = await probes.monitor();
      expect({ pending, lastCommandOk }).toEqual({ pending: false, lastCommandOk: false });
      expect(lastCommand).toContain(`read back ${before / 1000} V`);
    });

    it("a cable pulled out during a write: ends as lost, never confirmed", async (test) => {
      const { bms, probes, run } = await started(test);
      await run(LOADED);
      bms.setOnline(false);
      expect(await probes.writeCommand("balance", false)).toBeUndefined();
      await run(WRITE_LIMIT);
      expect(await probes.monitor()).toMatchObject({ pending: false, lastCommandOk: false });
      expect(bms.registers.read("BalanEN")).toBe(1);
    });
  });
}
