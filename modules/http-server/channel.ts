import type TCP from "embedded:io/socket/tcp";
import type { Options } from "embedded:io/socket/tcp";
import { MAX_SMALL_WRITES, SMALL_WRITE_BYTES } from "./limits";
import { ACKNOWLEDGED, FULL_WINDOW, type Numbers, READABLE, SMALL_WRITES, WINDOW } from "./numbers";

/** What is used of the platform's TCP class. Its typings have `void` for what `read` and `write` answer: undefined once it has gone. */
interface Socket {
  read(buffer: Uint8Array): number | void;
  /** The send window left. */
  write(buffer: Uint8Array): number | void;
  close(): void;
}

/** Who is told what happens to a socket. */
export interface SocketOwner {
  readable(bytes: number): void;
  writable(bytes: number): void;
  /** It has gone. */
  close(): void;
}

// Functions of the module with the owner as the socket's `target`: functions made for each socket would take some 30 slots of it.
interface Owned extends TCP {
  readonly target: SocketOwner;
}

function onReadable(this: TCP, bytes: number): void {
  (this as Owned).target.readable(bytes);
}

function onWritable(this: TCP, bytes: number): void {
  (this as Owned).target.writable(bytes);
}

function onError(this: TCP): void {
  (this as Owned).target.close();
}

/**
 * One accepted socket as the rest of the server wants it: nothing here throws once it is open, and what the platform class leaves to its
 * user is remembered (the bytes that can be read, which are not announced again, and the send window).
 */
export class Channel {
  private socket: Socket | undefined;
  private readonly numbers: Numbers;

  constructor(numbers: Numbers) {
    this.numbers = numbers;
  }

  /** Takes over an accepted socket. Throws when that has gone already. */
  open(io: new (options: Options) => TCP, accepted: TCP, target: SocketOwner): void {
    this.numbers.fill(0, READABLE, ACKNOWLEDGED + 1);
    this.socket = new io({
      from: accepted,
      nodelay: true,
      format: "buffer",
      target,
      onReadable,
      onWritable,
      onError,
    });
  }

  get isOpen(): boolean {
    return this.socket !== undefined;
  }

  get readable(): number {
    return this.numbers[READABLE];
  }

  get window(): number {
    return this.numbers[WINDOW];
  }

  /** Nothing written is still under way. */
  get idle(): boolean {
    return this.numbers[WINDOW] === this.numbers[FULL_WINDOW];
  }

  onReadable(bytes: number): void {
    this.numbers[READABLE] = bytes;
  }

  onWritable(bytes: number): void {
    const numbers = this.numbers;
    if (bytes > numbers[WINDOW]) numbers[ACKNOWLEDGED] += bytes - numbers[WINDOW];
    numbers[WINDOW] = bytes;
    if (bytes >= numbers[FULL_WINDOW]) {
      numbers[FULL_WINDOW] = bytes;
      numbers[SMALL_WRITES] = 0;
    }
  }

  /** Fills `view`, which is no longer than `readable`. False: the connection has gone. */
  read(view: Uint8Array): boolean {
    try {
      if (this.socket?.read(view) === undefined) return false;
    } catch {
      return false;
    }
    this.numbers[READABLE] -= view.length;
    return true;
  }

  /** `bytes` can be written, or as many as ever can. */
  hasRoom(bytes: number): boolean {
    const numbers = this.numbers;
    const window = numbers[WINDOW];
    return window > 0 && window >= Math.min(bytes, numbers[FULL_WINDOW]) && numbers[SMALL_WRITES] < MAX_SMALL_WRITES;
  }

  /** Writes `view`, which is no longer than `window`. False: the connection has gone. */
  write(view: Uint8Array): boolean {
    const numbers = this.numbers;
    try {
      const window = this.socket?.write(view);
      if (window === undefined) return false;
      numbers[WINDOW] = window;
    } catch {
      return false;
    }
    if (view.length < SMALL_WRITE_BYTES) numbers[SMALL_WRITES]++;
    return true;
  }

  close(): void {
    const socket = this.socket;
    this.socket = undefined;
    this.numbers[READABLE] = this.numbers[WINDOW] = 0;
    try {
      socket?.close();
    } catch {
      // It has gone already.
    }
  }
}
