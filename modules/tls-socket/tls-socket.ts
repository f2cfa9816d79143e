import type TCP from "embedded:io/socket/tcp";

import type { RawSocket } from "ssl/session";
import Timer from "timer";
import { MAX_FRAGMENT, RESERVE } from "./limits";
import { Refused } from "./server-messages";
import { Session } from "./session";
import type { TLSOptions } from "./types";
import { Untrusted } from "./path";

type Tied = { readonly target: TlsSocket };
/** The platform's, and what the session keeps with it. */
type Raw = TCP & RawSocket;

/** Until somebody else has done with the processor, ms. */
const PATIENCE = 5;

/**
 * `embedded:io/socket/tcp/tls`: a TLS 1.2 client (ECMA-419's TCP socket with `secure`), over the SDK's TLS. The handshake is done in steps,
 * each in a turn of its own and none while `secure.quiet.paused`: a step may hold the processor for a good part of a second. The other
 * side is either known to be `host` or not heard, and nothing is ever written in the clear.
 */
export default class TlsSocket {
  readonly target: unknown;
  private readonly callbacks: Pick<TLSOptions, "onReadable" | "onWritable" | "onError">;
  private readonly quiet: TLSOptions["secure"]["quiet"];
  private tcp: Raw | undefined;
  private session: Session | undefined;
  private isOpen = false;
  /** Decrypted and not read yet: of one record. */
  private data: Uint8Array | undefined;
  private _turn: Timer | undefined;

  constructor(options: TLSOptions) {
    const { TCP: platform, secure, target, onReadable, onWritable, onError, host, ...rest } = options;
    const { quiet, ...trust } = secure;
    this.target = target;
    this.callbacks = { onReadable, onWritable, onError };
    this.quiet = quiet;
    this.session = new Session({ ...trust, host });
    const tcp = new platform.io({
      ...rest,
      format: "buffer",
      target: this,
      onReadable: readable,
      onWritable: writable,
      onError: error,
    }) as unknown as Raw;
    tcp.readable = tcp.writable = 0;
    this.tcp = tcp;
  }

  get format(): string {
    return "buffer";
  }

  set format(format: string) {
    if (format !== "buffer") throw new RangeError("format");
  }

  /** Bytes that were put into `view`; undefined when there are none. */
  read(view: Uint8Array): number | undefined {
    const data = this.data;
    if (!data) return undefined;
    const count = Math.min(view.length, data.length);
    view.set(data.subarray(0, count));
    this.data = count < data.length ? data.subarray(count) : undefined;
    if (!this.data && this.tcp?.readable) this.later(0);
    return count;
  }

  /** What may be written next, bytes. With `more` it is kept for the record that ends with the next one without. */
  write(bytes: ByteBuffer, options?: { more?: boolean; byteLength?: number }): number {
    if (!this.isOpen || !this.tcp || !this.session) throw new Error("closed");
    return roomIn(this.session.write(this.tcp, bytes, options));
  }

  close(): void {
    Timer.clear(this._turn);
    this._turn = this.data = this.session = undefined;
    this.isOpen = false;
    const tcp = this.tcp;
    this.tcp = undefined;
    tcp?.close();
  }

  /** For the TCP socket. */
  readable(count: number): void {
    if (!this.tcp) return;
    this.tcp.readable = count;
    this.later(0);
  }

  /** For the TCP socket. */
  writable(count: number): void {
    if (!this.tcp) return;
    this.tcp.writable = count;
    if (!this.isOpen) this.later(0);
    else if (count > RESERVE) this.callbacks.onWritable.call(this, roomIn(count - RESERVE));
  }

  /** For the TCP socket, and when TLS fails. */
  fail(reason: string | undefined): void {
    const wasOpen = this.isOpen;
    if (!this.tcp) return;
    this.close();
    this.callbacks.onError.call(
      this,
      reason ?? (wasOpen ? undefined : "The server ends the connection in the TLS handshake."),
    );
  }

  /** In a turn of its own, so that what has come meanwhile for others is not kept waiting for more than one step. */
  private later(milliseconds: number): void {
    this._turn ??= Timer.set(() => {
      this._turn = undefined;
      this.turn();
    }, milliseconds);
  }

  private turn(): void {
    const tcp = this.tcp;
    const session = this.session;
    if (!tcp || !session) return;
    try {
      if (this.isOpen) return this.deliver(tcp, session);
      if (this.quiet?.paused) return this.later(PATIENCE);
      if (!session.advance(tcp)) {
        if (tcp.readable || session.isDue) this.later(0);
        return;
      }
      this.isOpen = true;
    } catch (reason) {
      return this.fail(wordsOf(reason));
    }
    this.writable(tcp.writable);
    if (tcp.readable) this.later(0);
  }

  private deliver(tcp: Raw, session: Session): void {
    if (this.data || !tcp.readable) return;
    const data = session.read(tcp);
    if (data === null) return this.fail(undefined);
    if (data?.length) {
      this.data = data;
      this.callbacks.onReadable.call(this, data.length);
    } else if (tcp.readable) this.later(0);
  }
}

/** A record has room for so much, however much there is in the TCP socket. */
const roomIn = (count: number): number => (count > 0 ? Math.min(count, MAX_FRAGMENT) : 0);

function wordsOf(reason: unknown): string {
  if (reason instanceof Refused || reason instanceof Untrusted) return reason.message;
  trace(`tls: ${String(reason)}\n`);
  return "TLS failed.";
}

function readable(this: Tied, count: number): void {
  this.target.readable(count);
}

function writable(this: Tied, count: number): void {
  this.target.writable(count);
}

function error(this: Tied): void {
  this.target.fail(undefined);
}
