import { crash, forgetCrash, keep, recall, resetReason, watchAborts } from "application";
import type KeyValueStorage from "embedded:storage/key-value";
import { appendCrc, hasValidCrc } from "modbus/crc";
import { claimRetained, START_AT, START_BYTES } from "../runtime/retained";
import { readState, writeState } from "../runtime/state";
import { takeAbort } from "./abort";
import { RELAY_RESTARTS, SAFE_RESTARTS } from "./limits";
import { CAUSES, INNOCENT, REASONS, WANTED } from "./reasons";
import type { Cause, Reason } from "./types";

const POWER_ON = 1;
const SOFTWARE = 3;

const RESTARTS_AT = 0;
const QUICK_AT = 4;
const CAUSE_AT = 5;
const CRC_AT = START_BYTES - 2;

/** Key in the device's state: consecutive restarts, in case the power fails in between. Absent: none. */
const KEY = "restarts";

/**
 * Why and how often the device has started. Kept in RAM that survives a restart but not a power cut, protected by a
 * CRC; what must also survive a power cut is kept in flash.
 */
export class StartRecord {
  reason: Reason = "unknown";
  /** Restarts since power-on. */
  restarts = 0;
  /** Crash location: task, program counter, backtrace; of an aborted script its reason and exception. Empty: no crash, or location unknown. */
  where = "";
  /** The retained memory was intact at start-up. */
  intact = false;
  /** Consecutive starts without a run of at least STABLE_AFTER. Until it is known, the relay stays off. */
  private quick = RELAY_RESTARTS;
  private stored = 0;
  private readonly storage: typeof KeyValueStorage;
  private readonly record = new Uint8Array(START_BYTES);

  constructor(storage: typeof KeyValueStorage) {
    this.storage = storage;
    try {
      this.read();
    } catch (error) {
      trace(`start: ${String(error)}\n`);
    }
  }

  /** The relay must stay off. */
  get restless(): boolean {
    return this.quick >= RELAY_RESTARTS;
  }

  /** Start only what is needed to repair the device. */
  get safe(): boolean {
    return this.quick >= SAFE_RESTARTS;
  }

  /** Erases the core dump that `where` is from. Call once the relay is driven: until then its pin floats, and this takes a third of a second. */
  forgetCrash(): void {
    if (this.where && this.reason !== "script-aborted") forgetCrash();
  }

  /** The firmware has run for STABLE_AFTER. Safe mode stays on: the parts it leaves out have not proved stable. */
  settle(): void {
    if (this.safe) return;
    this.quick = 0;
    this.write(0);
  }

  /** Call before the firmware restarts the chip. */
  note(cause: Cause): void {
    if (WANTED.includes(cause)) this.quick = 0;
    this.write(CAUSES.indexOf(cause));
  }

  private read(): void {
    const { record } = this;
    watchAborts();
    recall(record, START_AT);
    const view = new DataView(record.buffer);
    const code = resetReason();
    const mapped = claimRetained() && code !== POWER_ON;
    const aborted = mapped ? takeAbort() : "";
    this.intact = mapped && hasValidCrc(record, 0, START_BYTES);
    let reason: Reason = REASONS[code] ?? "unknown";
    this.stored = this.quick = this.readStored();
    if (this.intact) {
      if (code === SOFTWARE) reason = CAUSES[record[CAUSE_AT] as number] || reason;
      this.restarts = view.getUint32(RESTARTS_AT) + 1;
      this.quick = record[QUICK_AT] as number;
    }
    // The chip calls it a restart by software.
    if (aborted && code === SOFTWARE) reason = "script-aborted";
    this.reason = reason;
    if (WANTED.includes(reason)) this.quick = 0;
    else if (!INNOCENT.includes(reason)) this.quick = Math.min(this.quick + 1, SAFE_RESTARTS);
    view.setUint32(RESTARTS_AT, this.restarts);
    // Counted first, whatever becomes of the rest.
    this.write(0);
    if (reason === "script-aborted") this.where = aborted;
    else if (!INNOCENT.includes(reason) && !WANTED.includes(reason)) this.where = crash();
  }

  private write(cause: number): void {
    const { record, quick } = this;
    record[QUICK_AT] = quick;
    record[CAUSE_AT] = cause;
    appendCrc(record, CRC_AT);
    keep(record, START_AT);
    if (quick === this.stored) return;
    try {
      writeState(this.storage, KEY, String(quick));
      this.stored = quick;
    } catch {
      trace("start: cannot store the restart count\n");
    }
  }

  private readStored(): number {
    try {
      const stored = Number(readState(this.storage, KEY) ?? 0);
      return stored >= 0 && stored <= SAFE_RESTARTS ? stored : 0;
    } catch {
      return 0;
    }
  }
}
