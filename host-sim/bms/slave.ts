import type { Clock } from "../clock";
import { byteTime, type WireEnd } from "../wire";
import type { BusMaster } from "./bus-master";
import { refusalOf, type Faults, type Transmission } from "./faults";
import type { Functions, Reply } from "./functions";
import type { Random } from "./random";
import { parseRequest, READ, WRITE, type Outcome, type Request } from "./request";
import type { Traffic } from "./traffic";

export type Range = readonly [minimum: number, maximum: number];

/**
 * Milliseconds from the end of a request to the start of its reply (docs/jk-modbus.md, "Timing"; read latency has not
 * been measured).
 */
export interface Latency {
  readonly read: Range;
  readonly write: Range;
  readonly trigger: Range;
}

export const LATENCY: Latency = { read: [10, 15], write: [12, 27], trigger: [10.5, 12] };

/**
 * Modbus over serial line V1.02, section 2.5.1.1: 3.5 characters of silence end a message; 1.75 ms above 19,200 baud.
 */
const END_CHARACTERS = 3.5;
const END_FAST = 1.75;
const FAST = 19_200;

const LONGEST_REQUEST = 512;

export interface SlaveOptions {
  clock: Clock;
  wire: WireEnd;
  baud: number;
  address: number;
  latency: Latency;
  /** A request that starts within this many milliseconds of the end of the last reply is ignored. */
  turnaround: number;
  random: Random;
  functions: Functions;
  faults: Faults;
  traffic: Traffic;
  /** FC03 is not answered after this many milliseconds without FC16; undefined: always answered. */
  sleepFc03: () => number | undefined;
  /** Whether the board is connected, powered and not busy. */
  alive: () => boolean;
  /** It answers no requests: the bus master of this port. */
  master: BusMaster | undefined;
}

/** The serial side: receives requests delimited by silence, replies after the BMS's latency, applies faults. */
export class Slave {
  readonly #options: SlaveOptions;
  readonly #silence: number;
  readonly #received = new Uint8Array(LONGEST_REQUEST);
  #count = 0;
  #tooSoon = false;
  #lastByteAt = 0;
  #watching = false;
  /** One for all messages. */
  readonly #recheck = (): void => {
    if (this.#options.clock.now < this.#lastByteAt + this.#silence) return this.#watch();
    this.#watching = false;
    const bytes = this.#received.slice(0, this.#count);
    this.#count = 0;
    this.#message(bytes);
  };
  /** Replies decided but not yet started. */
  #owed = 0;
  #lastReplyEnd = -Infinity;
  #lastWriteAt: number;
  #previous: Uint8Array | undefined;

  constructor(options: SlaveOptions) {
    this.#options = options;
    const { clock, wire, baud } = options;
    this.#silence = baud > FAST ? END_FAST : END_CHARACTERS * byteTime(baud);
    this.#lastWriteAt = clock.now;
    options.master?.listen(() => this.#count > 0);
    wire.onByte = (byte) => this.#byte(byte);
    wire.onIdle = () => {
      this.#lastReplyEnd = clock.now;
    };
  }

  /** Detaches from the wire. */
  close(): void {
    const { wire } = this.#options;
    wire.onByte = undefined;
    wire.onIdle = undefined;
  }

  #byte(byte: number): void {
    const { clock, wire, baud, turnaround } = this.#options;
    if (!this.#count) {
      const began = clock.now - byteTime(baud);
      this.#tooSoon = this.#owed > 0 || wire.unsent > 0 || began < this.#lastReplyEnd + turnaround;
    }
    if (this.#count < LONGEST_REQUEST) this.#received[this.#count++] = byte;
    this.#lastByteAt = clock.now;
    if (!this.#watching) this.#watch();
  }

  /**
   * One timer event per message: checks whether the line has been silent long enough, otherwise rechecks when it could
   * be.
   */
  #watch(): void {
    this.#watching = true;
    this.#options.clock.at(this.#lastByteAt + this.#silence, this.#recheck);
  }

  #message(bytes: Uint8Array): void {
    if (!this.#options.alive()) return;
    this.#options.master?.heard(bytes);
    // Another pack's reply.
    if (bytes[0] === 0x55 && bytes[1] === 0xaa) return;
    const request = parseRequest(this.#lastByteAt, bytes);
    if (!request) return this.#options.traffic.damaged();
    this.#options.traffic.note(request, this.#outcome(request) ?? this.#serve(request));
  }

  /** Why the request is not served, or undefined if it is. */
  #outcome(request: Request): Outcome | undefined {
    const { address, master, sleepFc03 } = this.#options;
    if (request.address !== address) return "foreign";
    if (master) return "master";
    if (this.#tooSoon) return "too-soon";
    if (request.function === WRITE) this.#lastWriteAt = request.at;
    const asleep = request.at - this.#lastWriteAt > (sleepFc03() ?? Infinity);
    return request.function === READ && asleep ? "asleep" : undefined;
  }

  #serve(request: Request): Outcome {
    const { functions, faults, latency, random, clock } = this.#options;
    const orders = faults.strike(request);
    const refusal = refusalOf(orders);
    const ignored = orders.some(({ kind }) => kind === "ignore-write");
    const reply: Reply =
      refusal === undefined ? functions.execute(request, !ignored) : functions.refuse(request, refusal);
    const [least, most] = request.trigger ? latency.trigger : request.function === READ ? latency.read : latency.write;
    const after = least + (most - least) * random();
    const sent = faults.spoil(orders, request, reply.bytes, after, this.#previous);
    this.#previous = reply.bytes;
    for (const one of sent) this.#plan(request, one);
    if (reply.then) clock.at(request.at + after, reply.then);
    return reply.exception === undefined ? "answered" : "exception";
  }

  #plan(request: Request, { after, bytes, late }: Transmission): void {
    const { clock, wire, alive } = this.#options;
    if (!late) this.#owed++;
    clock.at(request.at + after, () => {
      if (!late) this.#owed--;
      if (alive()) wire.send(bytes);
    });
  }
}
