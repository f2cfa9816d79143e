/** ESP-IDF's states of an application slot (esp_ota_img_states_t) that affect the boot loader's choice. */
type State = "empty" | "new" | "pending" | "valid" | "bad";

interface Slot {
  state: State;
  /** The image; undefined: the simulator's built-in firmware. */
  image: Uint8Array | undefined;
}

/** As in the boards' partition table. */
const SLOT_BYTES = 0x1e_0000;
const BLOCK_BYTES = 4_096;

/** Offset of esp_app_desc_t.version in an image, after the header, the segment header, and 16 bytes. */
const VERSION_AT = 24 + 8 + 16;
const VERSION_BYTES = 32;

/** The two application slots in flash and the boot loader's selection with rollback. They survive power cuts. */
export class ApplicationSlots {
  readonly size = SLOT_BYTES;
  readonly blockLength = BLOCK_BYTES;
  readonly #slots: [Slot, Slot] = [
    { state: "valid", image: undefined },
    { state: "empty", image: undefined },
  ];
  /** Test hook: the platform finds every image invalid at its end. */
  invalid = false;
  #running: 0 | 1 = 0;
  #next: 0 | 1 = 0;

  /** The running slot. */
  get running(): number {
    return this.#running;
  }

  get states(): readonly State[] {
    return this.#slots.map(({ state }) => state);
  }

  /** Version of the running image; undefined for the simulator's built-in firmware. */
  get version(): string | undefined {
    const { image } = this.#slots[this.#running];
    if (!image) return undefined;
    return String.fromCharCode(...image.subarray(VERSION_AT, VERSION_AT + VERSION_BYTES)).replace(/\0.*$/, "");
  }

  /**
   * The boot loader's decision at each start: an image that was started before but not confirmed is not started again.
   */
  boot(): void {
    const slot = this.#slots[this.#next];
    if (slot.state === "pending") {
      slot.state = "bad";
      this.#next = this.#next ? 0 : 1;
    } else if (slot.state === "new") slot.state = "pending";
    this.#running = this.#next;
  }

  /** Starts writing an image to the inactive slot. As ESP-IDF, throws while the running image is not confirmed. */
  begin(): { write(bytes: Uint8Array): void; complete(): void } {
    if (this.#slots[this.#running].state === "pending") throw new Error("begin failed");
    const other = this.#running ? 0 : 1;
    const slot = this.#slots[other];
    const image = new Uint8Array(SLOT_BYTES);
    let length = 0;
    slot.state = "empty";
    slot.image = image;
    return {
      write(bytes) {
        if (length + bytes.length > SLOT_BYTES) throw new Error("write failed");
        image.set(bytes, length);
        length += bytes.length;
      },
      complete: () => {
        if (this.invalid) throw new Error("end failed");
        slot.image = image.slice(0, length);
        slot.state = "new";
        this.#next = other;
      },
    };
  }

  confirm(): void {
    this.#slots[this.#running].state = "valid";
  }

  reject(): void {
    this.#slots[this.#running].state = "bad";
    this.#next = this.#running ? 0 : 1;
  }
}
