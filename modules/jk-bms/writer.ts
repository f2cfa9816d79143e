import { encodeRead, READ_REPLY_DATA, SHORT_ADU_BYTES } from "modbus-rtu/pdu";
import { Transaction } from "modbus-rtu/transaction";
import type { Reply, Result } from "modbus-rtu/types";
import Timer from "timer";
import { rawAt, textAt } from "./fields";
import { FRAME_PAYLOAD } from "./frame";
import {
  LOOK_INTERVAL,
  LOOKS_AT_A_SETTING,
  LOOKS_AT_EMERGENCY,
  MAX_TEXT,
  READ_BACK_LENGTHS,
  READ_TRIES_OF_A_LOOK,
  WRITE_TRIES,
} from "./limits";
import type { Link } from "./reader";
import type { ReadingWay, WriteResult } from "./types";
import { checkValue, encodeAllowedWrite, writableByName, type Writable } from "./writes";

type Phase = "reading the word" | "writing" | "verifying";
type Value = number | string;

/** Address, function, register, quantity, byte count, the longest value, CRC. */
const WRITE_ADU_BYTES = 9 + MAX_TEXT;

/** Writes a value, has it acknowledged, and reads it back. */
export class BmsWriter {
  readonly #link: Link;
  readonly #write = new Transaction(WRITE_ADU_BYTES);
  readonly #read = new Transaction(SHORT_ADU_BYTES);
  #entry: Writable | undefined;
  #value: Value = 0;
  #way: ReadingWay = "registers";
  #phase: Phase = "writing";
  /** What the register held at the last look; undefined before one. */
  #seen: Value | undefined;
  #looksLeft = 0;
  #tries = 0;
  /** Words read beyond the value, in turn: a late reply to the last read-back has another length (see plans.ts). */
  #extra = 0;
  #deadline: Timer | undefined;
  #pause: Timer | undefined;
  #done: ((result: WriteResult) => void) | undefined;

  constructor(link: Link) {
    this.#link = link;
  }

  get busy(): boolean {
    return this.#done !== undefined;
  }

  /** See JkBms.write. `way` is the way of reading in use. */
  write(name: string, value: Value, timeout: number, way: ReadingWay, done: (result: WriteResult) => void): void {
    const entry = writableByName(name);
    checkValue(entry, value);
    if (!(timeout > 0)) throw new RangeError(`timeout ${timeout}`);
    this.#entry = entry;
    this.#value = value;
    this.#way = way;
    this.#seen = undefined;
    if (entry.kind === "bit") {
      this.#phase = "reading the word";
      this.look();
    } else this.send(entry, value);
    // Only now, for a port that has been closed throws above.
    this.#done = done;
    this.#deadline = Timer.set(() => this.onDeadline(), timeout);
  }

  /** Forgets the write under way: `done` is not called. */
  cancel(): void {
    this.stopTimers();
    this.#done = undefined;
  }

  private send(entry: Writable, value: Value): void {
    const { master, address } = this.#link;
    const transaction = this.#write;
    this.#phase = "writing";
    const length = encodeAllowedWrite(transaction.adu, address, entry, value);
    master.start(transaction.prepare(length), WRITE_TRIES - 1, (result, reply) => this.onAcknowledged(result, reply));
  }

  private onAcknowledged(result: Result, { exception }: Reply): void {
    if (result === "exception") this.finish({ outcome: "refused", exception });
    else if (result !== "reply") this.finish({ outcome: result });
    else {
      this.#phase = "verifying";
      this.#seen = undefined;
      this.#looksLeft = this.#entry?.kind === "pulse" ? LOOKS_AT_EMERGENCY : LOOKS_AT_A_SETTING;
      this.look();
    }
  }

  /** Reads the field back: by the way in use, and by the other one when the BMS is silent. */
  private look(): void {
    this.#tries = 0;
    this.readField();
  }

  private readField(): void {
    const { master, address, trigger } = this.#link;
    const { field } = this.#entry as Writable;
    this.#tries++;
    const byRegisters = (this.#way === "registers") === this.#tries < READ_TRIES_OF_A_LOOK;
    if (!byRegisters) {
      master.start(trigger.ask(address, field.block), 0, (result, reply) => this.onFrame(result, reply));
      return;
    }
    this.#extra = (this.#extra + 1) % READ_BACK_LENGTHS;
    const register = field.register - 2 * this.before;
    const quantity = Math.ceil(field.length / 2) + this.#extra;
    master.start(this.#read.prepare(encodeRead(this.#read.adu, address, register, quantity)), 0, (result, reply) =>
      this.onWords(result, reply),
    );
  }

  /** Extra words come behind the field, but before the Bluetooth name: behind it is the Bluetooth PIN. */
  private get before(): number {
    return this.#entry?.kind === "text" ? this.#extra : 0;
  }

  private onWords(result: Result, { view, start }: Reply): void {
    if (result === "reply") this.onField(view, start + READ_REPLY_DATA + 2 * this.before, false);
    else this.tryAgain();
  }

  private onFrame(result: Result, { view, start }: Reply): void {
    const { field } = this.#entry as Writable;
    if (result === "reply") this.onField(view, start + FRAME_PAYLOAD + field.offset, true);
    else this.tryAgain();
  }

  private tryAgain(): void {
    if (this.#tries < READ_TRIES_OF_A_LOOK) this.readField();
    else if (this.#phase === "verifying") this.finish(this.unconfirmed());
    else this.finish({ outcome: "no-reply" });
  }

  private onField(view: DataView, at: number, littleEndian: boolean): void {
    const entry = this.#entry as Writable;
    const { field, mask } = entry;
    const seen = field.type === "ascii" ? textAt(view, at, field.length) : rawAt(view, at, field.type, littleEndian);
    this.#seen = seen;
    if (this.#phase === "reading the word") this.send(entry, this.#value ? Number(seen) | mask : Number(seen) & ~mask);
    else if (this.agrees(entry, seen)) this.confirm(entry, seen);
    else if (--this.#looksLeft > 0) this.#pause = Timer.set(() => this.onPause(), LOOK_INTERVAL);
    else this.finish(this.unconfirmed());
  }

  private onPause(): void {
    this.#pause = undefined;
    this.look();
  }

  private agrees({ kind, mask }: Writable, seen: Value): boolean {
    if (kind === "bit") return ((Number(seen) & mask) !== 0) === (this.#value === 1);
    // A countdown: anything above 0 is on.
    if (kind === "pulse") return Number(seen) > 0 === (this.#value === 1);
    return seen === this.#value;
  }

  private confirm({ kind, field }: Writable, seen: Value): void {
    if (kind !== "pulse") this.#link.images[field.block].patch(field, seen);
    this.finish({ outcome: "confirmed" });
  }

  /** Acknowledged, but never seen as written. */
  private unconfirmed(): WriteResult {
    const seen = this.#seen;
    if (seen === undefined) return { outcome: "unverified" };
    const { kind, mask } = this.#entry as Writable;
    return { outcome: "not-applied", readBack: kind === "bit" ? Number((Number(seen) & mask) !== 0) : seen };
  }

  private onDeadline(): void {
    this.#deadline = undefined;
    this.#link.master.cancel();
    this.finish(this.#phase === "verifying" ? this.unconfirmed() : { outcome: "no-reply" });
  }

  private finish(result: WriteResult): void {
    const done = this.#done as (result: WriteResult) => void;
    this.cancel();
    done(result);
  }

  private stopTimers(): void {
    if (this.#deadline) Timer.clear(this.#deadline);
    if (this.#pause) Timer.clear(this.#pause);
    this.#deadline = this.#pause = undefined;
  }
}
