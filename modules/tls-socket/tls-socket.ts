import type TCP from "embedded:io/socket/tcp";

import Timer from "timer";
import Session from "tls/session";
import { MAX_FRAGMENT, RESERVE } from "tls-socket/limits";
import type { TLSOptions } from "./types";

type Owned = { readonly target: TlsSocket };

/**
 * `embedded:io/socket/tcp/tls`: a TLS 1.2 client (ECMA-419's TCP socket with `secure`) over the platform's mbedTLS. The handshake runs in
 * steps, each in its own turn of the event loop, because a step may block for a large part of a second. No data is exchanged with a server that has not been verified as `host`, and nothing is ever sent unencrypted.
 */
export default class TlsSocket {
  readonly target: unknown;
  private readonly callbacks: Pick<TLSOptions, "onReadable" | "onWritable" | "onError">;
  private tcp: TCP | undefined;
  private session: Session | undefined;
  private isOpen = false;
  /** Decrypted bytes not read yet. */
  private available = 0;
  private _turn: Timer | undefined;

  constructor(options: TLSOptions) {
    const { TCP: platform, secure, target, onReadable, onWritable, onError, host, ...rest } = options;
    this.target = target;
    this.callbacks = { onReadable, onWritable, onError };
    this.session = new Session(secure.certificate, host, secure.date);
    try {
      this.tcp = new platform.io({
        ...rest,
        format: "buffer",
        target: this,
        // A class of the platform's, which has no doors: they catch what they may throw, and what they call is a door.
        /* eslint-disable no-restricted-syntax */
        onReadable: readable,
        onWritable: writable,
        onError: error,
        /* eslint-enable no-restricted-syntax */
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

  /** Returns the number of bytes read into `view`; undefined if there are none. */
  read(view: Uint8Array): number | undefined {
    const count = this.session?.read(view);
    if (count !== undefined) this.available -= count;
    if (!this.available && this.session?.readable) this.later();
    return count;
  }

  /** Writes one record. Returns how many bytes may be written next. */
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
    // Frees mbedTLS's memory now rather than at some later garbage collection.
    session?.close();
    tcp?.close();
  }

  /** TCP socket callback. */
  readable(count: number): void {
    if (!this.session) return;
    this.session.readable = count;
    this.later();
  }

  /** TCP socket callback. */
  writable(count: number): void {
    if (!this.session) return;
    this.session.writable = count;
    if (!this.isOpen) return this.later();
    const room = roomIn(count);
    if (room) this.callbacks.onWritable.call(this, room);
  }

  /** TCP socket callback; also called when TLS fails. */
  fail(reason: string | undefined): void {
    const wasOpen = this.isOpen;
    if (!this.session) return;
    this.close();
    this.callbacks.onError.call(this, reason ?? (wasOpen ? undefined : "tls-ended"));
  }

  /** Runs in a turn of its own, so that other events wait for one step at most. */
  private later(): void {
    try {
      // eslint-disable-next-line no-restricted-syntax -- as above
      this._turn ??= Timer.set(() => {
        this._turn = undefined;
        this.turn();
      }, 0);
    } catch {
      // No memory for the timer: the next bytes come here again, or its owner gives up waiting.
    }
  }

  private turn(): void {
    const { tcp, session } = this;
    if (!tcp || !session) return;
    try {
      if (this.isOpen) return this.deliver(tcp, session);
      const isComplete = session.advance(tcp);
      if (isComplete === undefined) return;
      if (!isComplete) return this.later();
      this.isOpen = true;
    } catch (reason) {
      if (!session.problem) trace(`tls: ${String(reason)}\n`);
      return this.fail(session.problem ?? "tls-failed");
    }
    this.writable(session.writable);
    if (session.readable) this.later();
  }

  private deliver(tcp: TCP, session: Session): void {
    if (this.available || !session.readable) return;
    const count = session.decrypt(tcp);
    if (count === undefined) return this.fail(undefined);
    this.available = count;
    if (count) this.callbacks.onReadable.call(this, count);
    else if (session.readable) this.later();
  }
}

/** Payload that fits a record, given the space in the TCP socket. */
const roomIn = (count: number): number => (count > RESERVE ? Math.min(count - RESERVE, MAX_FRAGMENT) : 0);

function readable(this: Owned, count: number): void {
  this.target.readable(count);
}

function writable(this: Owned, count: number): void {
  this.target.writable(count);
}

function error(this: Owned): void {
  this.target.fail(undefined);
}
