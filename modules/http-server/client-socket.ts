import { onError, onReadable, onWritable } from "door/enter";
import type TCP from "embedded:io/socket/tcp";
import type { Options } from "embedded:io/socket/tcp";
import {
  ADDRESS_SEGMENTS,
  MAX_QUEUED_SEGMENTS,
  MAX_SENT_SEGMENTS,
  MAX_SMALL_WRITES,
  SEGMENT_BYTES,
  SMALL_WRITE_BYTES,
} from "./limits";

/** In the words of the platform's exception for a write that does not fit. */
const NO_ROOM = "would block";

/** Receives a socket's events. */
export interface SocketOwner {
  /** `bytes` can be read. */
  readable(bytes: number): void;
  /** `bytes` can be written. */
  writable(bytes: number): void;
  /** The connection has closed. */
  close(): void;
}

/** What all sockets share of the memory for sending. */
export interface SendMemory {
  /** Segments not acknowledged, of MAX_SENT_SEGMENTS. */
  sent: number;
  /** A socket waits for some of them. */
  short: boolean;
  /** It waits to begin a response: until it has, bodies of its address that have begun get no more. */
  waiting: ClientSocket | undefined;
  /** Those that clients at `address` have. */
  sentTo(address: string): number;
  /** A write has failed although the window had room: the response is cut, and not by its client. */
  fault(error: unknown): void;
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
  /** Writes, since the window was fully open, whose last segment is not full. */
  private parts = 0;
  /** Segments of `memory` that this socket has. */
  sent = 0;
  /** It has waited for `memory` since its last write. */
  starved = false;

  constructor(
    private readonly memory: SendMemory,
    /** Of the client that it counts for; "": not known yet. */
    public address: string,
  ) {}

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
      this.smallWrites = this.parts = 0;
    }
    this.count();
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

  /** There is memory to send all of `bytes`, and this address does not have its share of it on other connections. */
  mayBegin(bytes: number): boolean {
    const { memory } = this;
    const { waiting = this } = memory;
    if ((memory.sent === this.sent || this.fits(bytes)) && (waiting === this || waiting.address !== this.address)) {
      if (waiting === this) memory.waiting = undefined;
      return true;
    }
    this.starved = memory.short = true;
    memory.waiting ??= this;
    return false;
  }

  private fits(bytes: number): boolean {
    const { memory, sent, address } = this;
    const more = Math.ceil(bytes / SEGMENT_BYTES);
    return memory.sent + more <= MAX_SENT_SEGMENTS && memory.sentTo(address) - sent + more <= ADDRESS_SEGMENTS;
  }

  /**
   * Bytes that there is memory to send of a body that has begun. While others wait to begin, it has no more than one segment, and none while
   * one of its address does.
   */
  get share(): number {
    const { memory, sent } = this;
    const left = MAX_SENT_SEGMENTS - memory.sent;
    if (left > 0 && memory.waiting?.address !== this.address) {
      if (!memory.short) return left * SEGMENT_BYTES;
      return sent ? 0 : SEGMENT_BYTES;
    }
    this.starved = memory.short = true;
    return 0;
  }

  /**
   * Writes `view`. False: the connection has closed, or there is no room for it: a fault if `window` says that there is. Before the first report
   * of the window, room for a refusal is tried without one.
   */
  write(view: Uint8Array): boolean {
    try {
      const window = this.socket?.write(view);
      if (window === undefined) return false;
      this.window = window;
    } catch (error) {
      // Not of a client that has gone, or has closed its side.
      if (view.length <= this.window && String(error).indexOf(NO_ROOM) >= 0) this.memory.fault(error);
      return false;
    }
    this.starved = false;
    if (view.length < SMALL_WRITE_BYTES) this.smallWrites++;
    if (view.length % SEGMENT_BYTES) this.parts++;
    this.count();
    return true;
  }

  close(): void {
    const { socket } = this;
    this.socket = undefined;
    this.readable = this.window = this.fullWindow = 0;
    this.count();
    if (this.memory.waiting === this) this.memory.waiting = undefined;
    try {
      socket?.close();
    } catch {
      // Closed already.
    }
  }

  /** Updates what the unacknowledged writes take at the most. */
  private count(): void {
    const bytes = this.fullWindow - this.window;
    const whole = Math.ceil(bytes / SEGMENT_BYTES);
    const sent = bytes
      ? Math.max(whole, Math.min(Math.floor(bytes / SEGMENT_BYTES) + this.parts, MAX_QUEUED_SEGMENTS))
      : 0;
    this.memory.sent += sent - this.sent;
    this.sent = sent;
  }
}
