import type TCP from "embedded:io/socket/tcp";
import type { Options } from "embedded:io/socket/tcp";
import { MAX_SMALL_WRITES, SMALL_WRITE_BYTES } from "./limits";

/** Receives a socket's events. */
export interface SocketOwner {
  /** `bytes` can be read. */
  readable(bytes: number): void;
  /** `bytes` can be written. */
  writable(bytes: number): void;
  /** The connection has closed. */
  close(): void;
}

/**
 * The part of the platform's TCP class used here. Its typings say `void` where `read` and `write` return undefined once the connection has
 * closed.
 */
interface Socket {
  read(buffer: Uint8Array): number | void;
  /** Returns the remaining send window. */
  write(buffer: Uint8Array): number | void;
  close(): void;
}

// Module-level functions with the owner as the socket's `target`: closures would take some 30 slots per socket.
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
 * An accepted socket that does not throw once open. Tracks what the platform's class leaves to the caller: readable bytes, which it
 * reports only once, and the send window.
 */
export class ClientSocket {
  private socket: Socket | undefined;
  /** Bytes available to read. */
  readable = 0;
  /** Bytes the send window can take. */
  window = 0;
  /** The widest window seen. It is the full window, since the first report comes before anything has been written. */
  private fullWindow = 0;
  /** Unacknowledged writes of fewer than SMALL_WRITE_BYTES. */
  private smallWrites = 0;

  /** Takes over an accepted socket. Throws if it has closed already. */
  open(io: new (options: Options) => TCP, accepted: TCP, target: SocketOwner): void {
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

  /** Nothing written is unacknowledged. */
  get idle(): boolean {
    return this.window === this.fullWindow;
  }

  /** The window has opened to `bytes`. Returns how many the peer, or the network for it, has acknowledged. */
  onWritable(bytes: number): number {
    const acknowledged = bytes - this.window;
    this.window = bytes;
    if (bytes >= this.fullWindow) {
      this.fullWindow = bytes;
      this.smallWrites = 0;
    }
    return Math.max(0, acknowledged);
  }

  /** Fills `view`, which is no longer than `readable`. False: the connection has closed. */
  read(view: Uint8Array): boolean {
    try {
      if (this.socket?.read(view) === undefined) return false;
    } catch {
      return false;
    }
    this.readable -= view.length;
    return true;
  }

  /** The window has room for `bytes`, or is fully open. */
  hasRoom(bytes: number): boolean {
    const { window } = this;
    return window > 0 && (window >= bytes || window === this.fullWindow) && this.smallWrites < MAX_SMALL_WRITES;
  }

  /** Writes `view`, which is no longer than `window`. False: the connection has closed. */
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
      // Closed already.
    }
  }
}
