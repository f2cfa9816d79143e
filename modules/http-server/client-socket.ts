import type TCP from "embedded:io/socket/tcp";
import type { Options } from "embedded:io/socket/tcp";
import { MAX_SMALL_WRITES, SMALL_WRITE_BYTES } from "./limits";

/** Who is told what happens to a socket. */
export interface SocketOwner {
  /** `bytes` can be read. */
  readable(bytes: number): void;
  /** `bytes` can be written. */
  writable(bytes: number): void;
  /** It has gone. */
  close(): void;
}

/** What is used of the platform's TCP class. Its typings have `void` for what `read` and `write` return: undefined once it has gone. */
interface Socket {
  read(buffer: Uint8Array): number | void;
  /** The send window left. */
  write(buffer: Uint8Array): number | void;
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
 * One accepted socket as the rest of the server wants it: nothing throws once it is open, and what the platform's class leaves to its
 * user is remembered: the bytes that can be read, which are not announced again, and the send window.
 */
export class ClientSocket {
  private socket: Socket | undefined;
  /** Bytes that can be read. */
  readable = 0;
  /** Bytes that can be written. */
  window = 0;
  /** Bytes that the peer, or the network for it, has taken; wraps at 32 bits. */
  acknowledged = 0;
  /** The widest the window has been: all of it, since it is first told when nothing has been written. */
  private fullWindow = 0;
  /** Writes under way of fewer than SMALL_WRITE_BYTES. */
  private smallWrites = 0;

  /** Takes over an accepted socket. Throws when that has gone already. */
  open(io: new (options: Options) => TCP, accepted: TCP, target: SocketOwner): void {
    this.readable = this.window = this.acknowledged = this.fullWindow = this.smallWrites = 0;
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

  /** Nothing written is still under way. */
  get idle(): boolean {
    return this.window === this.fullWindow;
  }

  onWritable(bytes: number): void {
    if (bytes > this.window) this.acknowledged = (this.acknowledged + bytes - this.window) | 0;
    this.window = bytes;
    if (bytes < this.fullWindow) return;
    this.fullWindow = bytes;
    this.smallWrites = 0;
  }

  /** Fills `view`, which is no longer than `readable`. False: the connection has gone. */
  read(view: Uint8Array): boolean {
    try {
      if (this.socket?.read(view) === undefined) return false;
    } catch {
      return false;
    }
    this.readable -= view.length;
    return true;
  }

  /** `bytes` can be written, or as many as ever can. */
  hasRoom(bytes: number): boolean {
    const { window } = this;
    return window > 0 && (window >= bytes || window === this.fullWindow) && this.smallWrites < MAX_SMALL_WRITES;
  }

  /** Writes `view`, which is no longer than `window`. False: the connection has gone. */
  write(view: Uint8Array): boolean {
    try {
      const window = this.socket?.write(view);
      if (window === undefined) return false;
      this.window = window;
    } catch {
      return false;
    }
    if (view.length < SMALL_WRITE_BYTES) this.smallWrites++;
    return true;
  }

  close(): void {
    const { socket } = this;
    this.socket = undefined;
    this.readable = this.window = 0;
    try {
      socket?.close();
    } catch {
      // It has gone already.
    }
  }
}
