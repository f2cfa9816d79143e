import { onError, onReadable, onWritable } from "door/enter";
import type TCP from "embedded:io/socket/tcp";
import { MAX_SENT_SEGMENTS } from "http-server/limits";
import { pduBytes, putWord, sealFrame, SHORTEST_ADU_BYTES, UNIT, wordAt } from "modbus/tcp";
import Time from "time";
import { IDLE_MS, REPLY_MS, REQUEST_MS } from "./limits";
import { isOver, type Reader } from "./registers";
import type { ModbusDevice } from "./types";

/** What a client needs of the server. */
export interface ClientOwner {
  readonly device: ModbusDevice;
  /** For the request being answered, then its reply: of all clients. */
  readonly buffer: Uint8Array;
  /** Makes the request in `buffer`, whose PDU has `length` bytes, its reply. Returns the length of the reply's PDU. */
  answer(length: number, reader: Reader): number;
}

/** The platform's class; its typings say void for undefined. */
interface Socket {
  read(buffer: Uint8Array): number | void;
  write(buffer: Uint8Array): number | void;
  close(): void;
}

/** No header has been read. */
const NONE = -1;

/** A connection: one request at a time, the next once the reply is acknowledged. What has not been read yet waits in the socket. */
export class Client implements Reader {
  readonly address: string;
  private readonly owner: ClientOwner;
  private socket: Socket | undefined;
  /** Bytes in the socket. */
  private unread = 0;
  /** The whole send window: the first report comes before anything has been written. 0: no report yet. */
  private window = 0;
  private isSending = false;
  /** Transaction, unit and function of the request whose rest is to come. */
  private head = NONE;
  /** Bytes to come, of the header or of the rest. */
  private left = SHORTEST_ADU_BYTES;
  /** Beginning of the time limit, ticks. */
  private since = Time.ticks;
  /** It has asked something. */
  hasAsked = false;
  snapshot: ArrayBuffer | undefined;

  /** Takes over an accepted socket. Throws if it has closed already. */
  constructor(owner: ClientOwner, accepted: TCP, address: string) {
    this.owner = owner;
    this.address = address;
    this.socket = new owner.device.tcp({
      from: accepted,
      nodelay: true,
      format: "buffer",
      target: this,
      onReadable,
      onWritable,
      onError,
    });
  }

  get isClosed(): boolean {
    return !this.socket;
  }

  /** ms without a request. */
  age(now: number): number {
    return (now - this.since) | 0;
  }

  readable(bytes: number): void {
    if (!this.isHalf) this.since = Time.ticks;
    this.unread = bytes;
    this.advance();
  }

  writable(window: number): void {
    if (window < this.window) return;
    this.window = window;
    this.sent();
    this.advance();
  }

  /** Checks the time limits, and goes on if memory for sending was missing. */
  tick(now: number): void {
    // Kept by a client that read the first piece alone.
    if (this.snapshot && isOver(this.snapshot, now)) this.snapshot = undefined;
    const limit = this.isSending ? REPLY_MS : this.isHalf ? REQUEST_MS : IDLE_MS;
    if (this.age(now) >= limit) this.close();
    else this.advance();
  }

  lost(): void {
    this.close();
  }

  close(): void {
    const { socket } = this;
    this.sent();
    this.socket = this.snapshot = undefined;
    try {
      socket?.close();
    } catch {
      // Closed already.
    }
  }

  /** A part of a request, or a whole one that is not answered yet, is there. */
  private get isHalf(): boolean {
    return this.unread > 0 || this.head !== NONE;
  }

  private sent(): void {
    if (this.isSending) this.owner.device.server.sending.sent--;
    this.isSending = false;
  }

  private advance(): void {
    while (this.socket && this.window && !this.isSending && this.unread >= this.left) if (!this.step()) return;
  }

  /** Reads a header, then the rest of the request and answers it. False: nothing more can be done now. */
  private step(): boolean {
    const { buffer, device } = this.owner;
    if (this.head === NONE) {
      if (!this.read(buffer, 0)) return false;
      const length = pduBytes(buffer);
      if (!length) {
        this.close();
        return false;
      }
      this.head = wordAt(buffer, 0) * 0x10000 + wordAt(buffer, UNIT);
      this.left = length - 1;
      if (this.unread < this.left) return false;
    } else {
      putWord(buffer, 0, this.head / 0x10000);
      putWord(buffer, UNIT, this.head & 0xffff);
    }
    const { sending } = device.server;
    if (sending.sent >= MAX_SENT_SEGMENTS) {
      // The others' fault, not this client's.
      this.since = Time.ticks;
      return false;
    }
    const length = this.left + 1;
    if (this.left && !this.read(buffer, SHORTEST_ADU_BYTES)) return false;
    this.head = NONE;
    this.left = SHORTEST_ADU_BYTES;
    this.since = Time.ticks;
    this.hasAsked = true;
    this.write(buffer.subarray(0, sealFrame(buffer, this.owner.answer(length, this))));
    return true;
  }

  /** Reads `left` bytes to `at`. */
  private read(buffer: Uint8Array, at: number): boolean {
    try {
      if (this.socket?.read(buffer.subarray(at, at + this.left)) !== undefined) {
        this.unread -= this.left;
        return true;
      }
    } catch {
      // Closed already.
    }
    this.close();
    return false;
  }

  private write(frame: Uint8Array): void {
    try {
      if (this.socket?.write(frame) !== undefined) {
        this.isSending = true;
        this.owner.device.server.sending.sent++;
        return;
      }
    } catch {
      // Closed already.
    }
    this.close();
  }
}
