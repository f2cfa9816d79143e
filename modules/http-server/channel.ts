import { MAX_SMALL_WRITES, SMALL_WRITE_BYTES } from "./limits";

/** What is used of the platform's TCP class. Its typings have `void` for what `read` and `write` answer: undefined once it has gone. */
export interface Socket {
  read(buffer: Uint8Array): number | void;
  /** The send window left. */
  write(buffer: Uint8Array): number | void;
  close(): void;
}

/**
 * One accepted socket as the rest of the server wants it: nothing here throws, and what the platform class leaves to its user is
 * remembered (the bytes that can be read, which are not announced again, and the send window).
 */
export class Channel {
  #socket: Socket | undefined;
  /** Bytes that can be read. */
  #readable = 0;
  #window = 0;
  /** The most the send window has ever been: all of it, since it is first told when nothing has been written. */
  #fullWindow = 0;
  #smallWrites = 0;
  /** Bytes that the peer has taken, or the network for it. */
  #acknowledged = 0;

  open(socket: Socket): void {
    this.#socket = socket;
    this.#readable = this.#window = this.#fullWindow = this.#smallWrites = this.#acknowledged = 0;
  }

  get isOpen(): boolean {
    return this.#socket !== undefined;
  }

  get readable(): number {
    return this.#readable;
  }

  get window(): number {
    return this.#window;
  }

  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** Nothing written is still under way. */
  get idle(): boolean {
    return this.#window === this.#fullWindow;
  }

  onReadable(bytes: number): void {
    this.#readable = bytes;
  }

  onWritable(bytes: number): void {
    if (bytes > this.#window) this.#acknowledged += bytes - this.#window;
    this.#window = bytes;
    if (bytes >= this.#fullWindow) {
      this.#fullWindow = bytes;
      this.#smallWrites = 0;
    }
  }

  /** Fills `view`, which is no longer than `readable`. False: the connection has gone. */
  read(view: Uint8Array): boolean {
    try {
      if (this.#socket?.read(view) === undefined) return false;
    } catch {
      return false;
    }
    this.#readable -= view.length;
    return true;
  }

  /** `bytes` can be written, or as many as ever can. */
  hasRoom(bytes: number): boolean {
    return (
      this.#window > 0 && this.#window >= Math.min(bytes, this.#fullWindow) && this.#smallWrites < MAX_SMALL_WRITES
    );
  }

  /** Writes `view`, which is no longer than `window`. False: the connection has gone. */
  write(view: Uint8Array): boolean {
    try {
      const window = this.#socket?.write(view);
      if (window === undefined) return false;
      this.#window = window;
    } catch {
      return false;
    }
    if (view.length < SMALL_WRITE_BYTES) this.#smallWrites++;
    return true;
  }

  close(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#readable = this.#window = 0;
    try {
      socket?.close();
    } catch {
      // It has gone already.
    }
  }
}
