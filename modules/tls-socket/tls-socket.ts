import type TCP from "embedded:io/socket/tcp";

import Timer from "timer";
import Session from "tls/session";
import { MAX_FRAGMENT, RESERVE } from "tls-socket/limits";
import type { TLSOptions } from "./types";

type Tied = { readonly target: TlsSocket };

/** Until somebody else has done with the processor, ms. */
const PATIENCE = 5;

/**
 * `embedded:io/socket/tcp/tls`: a TLS 1.2 client (ECMA-419's TCP socket with `secure`), over the platform's mbedTLS. The handshake is done
 * in steps, each in a turn of its own and none while `secure.quiet.paused`: a step may hold the processor for a good part of a second. The
 * other side is either known to be `host` or not heard, and nothing is ever written in the clear.
 */
export default class TlsSocket {
  readonly target: unknown;
  private readonly callbacks: Pick<TLSOptions, "onReadable" | "onWritable" | "onError">;
  private readonly quiet: TLSOptions["secure"]["quiet"];
  private tcp: TCP | undefined;
  private session: Session | undefined;
  private isOpen = false;
  /** Decrypted and not read yet, bytes. */
  private available = 0;
  private _turn: Timer | undefined;

  constructor(options: TLSOptions) {
    const { TCP: platform, secure, target, onReadable, onWritable, onError, host, ...rest } = options;
    this.target = target;
    this.callbacks = { onReadable, onWritable, onError };
    this.quiet = secure.quiet;
    this.session = new Session(secure.certificate, host, secure.date);
    try {
      this.tcp = new platform.io({
        ...rest,
        format: "buffer",
        target: this,
        onReadable: readable,
        onWritable: writable,
        onError: error,
      });
    } catch (reason) {
      this.close();
      throw reason;
    }
  }

  get format(): string {
    return "buffer";
  }

  set format(format: string) {
    if (format !== "buffer") throw new RangeError("format");
  }

  /** Bytes that were put into `view`; undefined when there are none. */
  read(view: Uint8Array): number | undefined {
    const count = this.session?.read(view);
    if (count !== undefined) this.available -= count;
    if (!this.available && this.session?.readable) this.later(0);
    return count;
  }

  /** Writes one record. What may be written next, bytes. */
  write(bytes: ByteBuffer): number {
    if (!this.isOpen || !this.tcp || !this.session) throw new Error("closed");
    this.session.write(this.tcp, bytes);
    return roomIn(this.session.writable);
  }

  close(): void {
    Timer.clear(this._turn);
    this._turn = undefined;
    this.isOpen = false;
    this.available = 0;
    const { tcp, session } = this;
    this.tcp = this.session = undefined;
    // At once: what mbedTLS holds is not the collector's to free some day.
    session?.close();
    tcp?.close();
  }

  /** For the TCP socket. */
  readable(count: number): void {
    if (!this.session) return;
    this.session.readable = count;
    this.later(0);
  }

  /** For the TCP socket. */
  writable(count: number): void {
    if (!this.session) return;
    this.session.writable = count;
    if (!this.isOpen) return this.later(0);
    const room = roomIn(count);
    if (room) this.callbacks.onWritable.call(this, room);
  }

  /** For the TCP socket, and when TLS fails. */
  fail(reason: string | undefined): void {
    const wasOpen = this.isOpen;
    if (!this.session) return;
    this.close();
    this.callbacks.onError.call(this, reason ?? (wasOpen ? undefined : "tls-ended"));
  }

  /** In a turn of its own, so that what has come meanwhile for others is not kept waiting for more than one step. */
  private later(milliseconds: number): void {
    this._turn ??= Timer.set(() => {
      this._turn = undefined;
      this.turn();
    }, milliseconds);
  }

  private turn(): void {
    const { tcp, session } = this;
    if (!tcp || !session) return;
    try {
      if (this.isOpen) return this.deliver(tcp, session);
      if (this.quiet?.paused) return this.later(PATIENCE);
      const isComplete = session.advance(tcp);
      if (isComplete === undefined) return;
      if (!isComplete) return this.later(0);
      this.isOpen = true;
    } catch (reason) {
      if (!session.problem) trace(`tls: ${String(reason)}\n`);
      return this.fail(session.problem ?? "tls-failed");
    }
    this.writable(session.writable);
    if (session.readable) this.later(0);
  }

  private deliver(tcp: TCP, session: Session): void {
    if (this.available || !session.readable) return;
    const count = session.decrypt(tcp);
    if (count === undefined) return this.fail(undefined);
    this.available = count;
    if (count) this.callbacks.onReadable.call(this, count);
    else if (session.readable) this.later(0);
  }
}

/** What a record may have, with so much room in the TCP socket. */
const roomIn = (count: number): number => (count > RESERVE ? Math.min(count - RESERVE, MAX_FRAGMENT) : 0);

function readable(this: Tied, count: number): void {
  this.target.readable(count);
}

function writable(this: Tied, count: number): void {
  this.target.writable(count);
}

function error(this: Tied): void {
  this.target.fail(undefined);
}
