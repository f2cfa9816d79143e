/** ESP-IDF's states of an application slot (esp_ota_img_states_t), as far as the bootloader's choice depends on them. */
type State = "empty" | "new" | "pending" | "valid" | "bad";

interface Slot {
  state: State;
  /** The image; undefined: the firmware that the simulator itself is. */
  image: Uint8Array | undefined;
}

/** As in the partition table of the boards. */
const SLOT_BYTES = 0x1d_0000;
const BLOCK_BYTES = 4_096;

/** In the application description of an image: esp_app_desc_t.version, behind the header, the segment's header, and 16 bytes. */
const VERSION_AT = 24 + 8 + 16;
const VERSION_BYTES = 32;

/** The two application slots in flash and the bootloader's choice between them, with rollback. They outlive the power. */
export class ApplicationSlots {
  readonly size = SLOT_BYTES;
  readonly blockLength = BLOCK_BYTES;
  readonly #slots: [Slot, Slot] = [
    { state: "valid", image: undefined },
    { state: "empty", image: undefined },
  ];
  #running: 0 | 1 = 0;
  #next: 0 | 1 = 0;

  /** The slot that runs. */
  get running(): number {
    return this.#running;
  }

  get states(): readonly State[] {
    return this.#slots.map(({ state }) => state);
  }

  /** The version of the running image; undefined: it is the simulator's own. */
  get version(): string | undefined {
    const { image } = this.#slots[this.#running];
    if (!image) return undefined;
    return Buffer.from(image.subarray(VERSION_AT, VERSION_AT + VERSION_BYTES))
      .toString("latin1")
      .replace(/\0.*$/, "");
  }

  /** What the bootloader does at each start: an image that was started before and not confirmed is not started again. */
  boot(): void {
    const slot = this.#slots[this.#next];
    if (slot.state === "pending") {
      slot.state = "bad";
      this.#next = this.#next ? 0 : 1;
    } else if (slot.state === "new") slot.state = "pending";
    this.#running = this.#next;
  }

  /** Begins an image in the slot that does not run. */
  begin(): { write(bytes: Uint8Array): void; complete(): void } {
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
