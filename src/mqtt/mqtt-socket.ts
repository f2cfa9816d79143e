import { onError, onReadable, onWritable } from "door/enter";
import Timer from "timer";
import { later } from "../runtime/timers";
import { MAX_ANSWER, MAX_INCOMING_TOPIC } from "./limits";

/** The members of the platform's TCP class in use. */
interface Tcp {
  format: string;
  read(view: Uint8Array): number | undefined;
  write(bytes: ByteBuffer, options?: object): number;
  close(): void;
}

/** Receives what the platform's client does not pass on. */
export interface SocketOwner {
  /** A PUBLISH begins; its RETAIN flag (MQTT 3.1.1, section 3.3.1.3). */
  publishBegins(isRetained: boolean): void;
  /** The connection has failed, and the reason is known. */
  socketFailed(reason: string): void;
}

interface Callbacks {
  readonly onReadable: (bytes: number) => void;
  readonly onWritable: (bytes: number) => void;
  readonly onError: (error?: unknown) => void;
}

export interface MqttSocketOptions extends Callbacks {
  /** The platform's TCP class; it receives the other options. */
  readonly tcp: new (options: object) => Tcp;
  readonly owner: SocketOwner;
}

const PUBLISH = 3;
const RETAIN = 1;
/** MQTT 3.1.1, section 2.2.3: maximum bytes of Remaining Length. */
const MAX_LENGTH_BYTES = 4;
/** Packet type and flags, Remaining Length (which may grow by a byte), and the length of a topic. */
const HEAD_BYTES = 1 + MAX_LENGTH_BYTES + 2;
const TOPIC_LENGTH_BYTES = 2;
const ID_BYTES = 2;
const BLANK = 0x20;

/**
 * Socket of the platform's MQTT client. Passes on one packet of the broker at a time and gives a PUBLISH with an empty payload a single
 * space: the client of SDK 8.2.3 never finishes an empty payload and hears nothing more until its keep-alive ends the connection. A space
 * is as invalid for every topic as an empty payload, so it is refused like any other.
 */
export class MqttSocket {
  private readonly tcp: Tcp;
  private readonly onReadable: Callbacks["onReadable"];
  private readonly onWritable: Callbacks["onWritable"];
  private readonly onError: Callbacks["onError"];
  private readonly owner: SocketOwner;
  /** Start of a packet, until the client has read it. */
  private readonly head = new Uint8Array(new ArrayBuffer(HEAD_BYTES + 1), 0, HEAD_BYTES);
  /** One byte after the head, in the same buffer. */
  private readonly byte = new Uint8Array(this.head.buffer, HEAD_BYTES);
  /** Bytes in `head`, and how many of them the client has read. */
  private length = 0;
  private taken = 0;
  /** The head is complete; its packet may be read. */
  private begun = false;
  /** Bytes of the packet after the head. */
  private left = 0;
  /** The packet is too large for the client's memory. */
  private tooLong = false;
  /** The packet ends in a space that the broker did not send. */
  private blank = false;
  /** Bytes available in the platform's socket. */
  private _readable = 0;
  private reporting = false;
  private next: Timer | undefined;
  /** Pending report of a failure to the client. */
  private ending: Timer | undefined;
  /** "number": `read()` returns a byte. "buffer": it fills a view. The client switches between them. */
  format = "number";

  constructor({ tcp, owner, onReadable: readable, onWritable: writable, onError: lost, ...rest }: MqttSocketOptions) {
    this.onReadable = readable;
    this.onWritable = writable;
    this.onError = lost;
    this.owner = owner;
    this.tcp = new tcp({
      ...rest,
      format: "buffer",
      target: this,
      onReadable,
      onWritable,
      onError,
    });
  }

  /** A byte, or the bytes put into `view`. Undefined: nothing to read. */
  read(view?: Uint8Array | number): number | ArrayBuffer | undefined {
    if (this.format === "number") return this.fill(this.byte) ? this.byte[0] : undefined;
    if (typeof view === "object") return this.fill(view) || undefined;
    const bytes = new Uint8Array(Math.min(view ?? this.offered, this.offered));
    return this.fill(bytes) ? bytes.buffer : undefined;
  }

  /**
   * Returns how many more bytes may be written. Never throws: the platform's TCP throws once the peer has closed the connection while its
   * data is unread, and the client writes from timers, where nothing catches it.
   */
  write(bytes: ByteBuffer, options?: object): number {
    if (this.ending) return 0;
    try {
      return this.tcp.write(bytes, options);
    } catch (reason) {
      this.end(reason);
      return 0;
    }
  }

  close(): void {
    Timer.clear(this.next);
    Timer.clear(this.ending);
    this.next = this.ending = undefined;
    this._readable = this.left = this.length = this.taken = 0;
    this.begun = this.blank = false;
    this.tcp.close();
  }

  readable(bytes: number): void {
    this._readable = bytes;
    this.report();
  }

  writable(bytes: number): void {
    this.onWritable.call(this, bytes);
  }

  lost(error: unknown): void {
    if (typeof error === "string") this.owner.socketFailed(error);
    this.onError.call(this, error);
  }

  /** Bytes that the client may read now, all of one packet. */
  private get offered(): number {
    if (!this.begun) return 0;
    const body = Math.min(this.left, this._readable);
    return this.length - this.taken + body + (this.blank && body === this.left ? 1 : 0);
  }

  /** Reports an error in a separate callback. */
  private end(reason: unknown): void {
    trace(`mqtt: ${String(reason)}\n`);
    try {
      this.ending ??= later("mqtt", () => {
        this.ending = undefined;
        this.lost(undefined);
      });
    } catch {
      // No memory for the timer: the next bytes, those of a ping at the latest, come here again.
    }
  }

  /** Notifies the client of each packet, as long as it accepts them. Never throws: the client does, for a topic that is not UTF-8. */
  private report(): void {
    if (this.reporting || this.ending) return;
    this.reporting = true;
    try {
      while (this.begun || this.begin()) {
        const offered = this.offered;
        if (!offered) break;
        this.onReadable.call(this, offered);
        if (this.offered === offered) break;
      }
    } catch (reason) {
      this.end(reason);
    } finally {
      this.reporting = false;
    }
  }

  /** Reads the head of the next packet. False: still incomplete. */
  private begin(): boolean {
    const head = this.head;
    while (this._readable) {
      if (this.tcp.read(this.byte) === undefined) return false;
      this._readable--;
      head[this.length++] = this.byte[0] as number;
      if (this.isWhole()) {
        this.begun = !this.tooLong;
        if (this.tooLong) this.lost(undefined);
        return this.begun;
      }
    }
    return false;
  }

  /** The head is complete, and with it the length of the rest is known. */
  private isWhole(): boolean {
    const head = this.head;
    let end = 1;
    let remaining = 0;
    for (let more = 0x80; more; end++) {
      if (end > MAX_LENGTH_BYTES) break;
      if (end === this.length) return false;
      remaining |= ((head[end] as number) & 0x7f) << (7 * (end - 1));
      more = (head[end] as number) & 0x80;
    }
    const first = head[0] as number;
    if (first >> 4 === PUBLISH && remaining >= TOPIC_LENGTH_BYTES) {
      if (this.length < end + TOPIC_LENGTH_BYTES) return false;
      const topic = ((head[end] as number) << 8) | (head[end + 1] as number);
      const qos = (first >> 1) & 3;
      this.blank = remaining === TOPIC_LENGTH_BYTES + topic + (qos ? ID_BYTES : 0);
      this.tooLong = topic > MAX_INCOMING_TOPIC;
      this.left = remaining - TOPIC_LENGTH_BYTES;
      if (this.blank) this.announce(remaining + 1, topic);
      this.owner.publishBegins((first & RETAIN) !== 0);
    } else {
      this.tooLong = remaining > MAX_ANSWER;
      this.left = remaining;
    }
    return true;
  }

  /** Rewrites the head for a packet that is one byte longer. */
  private announce(remaining: number, topic: number): void {
    const head = this.head;
    let end = 1;
    for (let rest = remaining; ; rest >>= 7) {
      head[end++] = rest > 0x7f ? (rest & 0x7f) | 0x80 : rest;
      if (rest <= 0x7f) break;
    }
    head[end++] = topic >> 8;
    head[end++] = topic & 0xff;
    this.length = end;
  }

  /** Copies offered bytes into `view`; returns how many. */
  private fill(view: Uint8Array): number {
    let at = 0;
    while (at < view.length && this.taken < this.length && this.begun) view[at++] = this.head[this.taken++] as number;
    const body = Math.min(view.length - at, this.left, this._readable);
    if (body > 0 && this.begun) {
      if (this.tcp.read(at || body < view.length ? view.subarray(at, at + body) : view) === undefined) return at;
      this.left -= body;
      this._readable -= body;
      at += body;
    }
    if (at < view.length && this.blank && !this.left) {
      view[at++] = BLANK;
      this.blank = false;
    }
    if (this.begun && this.taken === this.length && !this.left && !this.blank) this.finish();
    return at;
  }

  /** The packet has been read. The next one is announced in a separate turn, unless the client is being notified already. */
  private finish(): void {
    this.begun = false;
    this.length = this.taken = 0;
    if (this.reporting || !this._readable) return;
    try {
      this.next ??= later("mqtt", () => {
        this.next = undefined;
        this.report();
      });
    } catch {
      // No memory for the timer: announced with the next bytes, those of a ping at the latest.
    }
  }
}
