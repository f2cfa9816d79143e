/** The BMS's own log, as frame type 5 has it (docs/jk-modbus.md, "System log"). */

const KEPT = 50;
const ENTRY_BYTES = 5;
const FIRST_ENTRY = 5;
const NEWEST = 4;

export class SystemLog {
  /** The block of its frame. A test may damage it. */
  readonly bytes = new Uint8Array(293);
  readonly #view = new DataView(this.bytes.buffer);

  get total(): number {
    return this.#view.getUint32(0, true);
  }

  /** Adds an entry, over the oldest once there are 50. */
  add(uptime: number, code: number): void {
    const place = this.total % KEPT;
    this.#view.setUint32(0, this.total + 1, true);
    this.bytes[NEWEST] = place;
    this.#view.setUint32(FIRST_ENTRY + place * ENTRY_BYTES, uptime, true);
    this.bytes[FIRST_ENTRY + place * ENTRY_BYTES + 4] = code;
  }

  /** Begins anew; the entries stay behind, as on a real BMS. */
  erase(): void {
    this.#view.setUint32(0, 0, true);
    this.bytes[NEWEST] = 0;
  }
}
