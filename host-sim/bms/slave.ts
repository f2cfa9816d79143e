import type { Clock } from "../clock";
import { byteTime, type WireEnd } from "../wire";
import { refusalOf, type Faults, type Transmission } from "./faults";
import type { Functions, Reply } from "./functions";
import type { Random } from "./random";
import { parseRequest, READ, WRITE, type Outcome, type Request } from "./request";
import type { Traffic } from "./traffic";

export type Range = readonly [minimum: number, maximum: number];

/** Milliseconds from the end of a request to the start of its reply (document 1.6; of reads nothing was measured). */
export interface Latency {
  readonly read: Range;
  readonly write: Range;
  readonly trigger: Range;
}

export const LATENCY: Latency = { read: [10, 15], write: [12, 27], trigger: [10.5, 12] };

/** Section 2.5.1.1 of the serial-line guide: 3.5 characters of silence end a message, 1.75 ms above 19,200 baud. */
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
  /** A request that starts within so many milliseconds of the last reply's end is ignored. */
  turnaround: number;
  random: Random;
  functions: Functions;
  faults: Faults;
  traffic: Traffic;
  /** FC03 is not answered when no FC16 has come for so many milliseconds; undefined: always answered. */
  sleepFc03: () => number | undefined;
  /** Whether the board is there, has power and is not busy with something else. */
  alive: () => boolean;
  /** Answers nobody: the bus is its own. */
  master: boolean;
}

/** The serial side: silence-delimited requests in, replies out after the time that the BMS takes, faults between. */
export class Slave {
  readonly #options: SlaveOptions;
  readonly #silence: number;
  readonly #received: number[] = [];
  #tooSoon = false;
  #lastByteAt = 0;
  #watching = false;
  /** Replies decided and not yet begun. */
  #owed = 0;
  #lastReplyEnd = -Infinity;
  #lastWriteAt: number;
  #previous: Uint8Array | undefined;

  constructor(options: SlaveOptions) {
    this.#options = options;
    const { clock, wire, baud } = options;
    this.#silence = baud > FAST ? END_FAST : END_CHARACTERS * byteTime(baud);
    this.#lastWriteAt = clock.now;
    wire.onByte = (byte) => this.#byte(byte);
    wire.onIdle = () => {
      this.#lastReplyEnd = clock.now;
    };
  }

  /** Leaves the wire. */
  close(): void {
    const { wire } = this.#options;
    wire.onByte = undefined;
    wire.onIdle = undefined;
  }

  #byte(byte: number): void {
    const { clock, wire, baud, turnaround } = this.#options;
    if (!this.#received.length) {
      const began = clock.now - byteTime(baud);
      this.#tooSoon = this.#owed > 0 || wire.unsent > 0 || began < this.#lastReplyEnd + turnaround;
    }
    if (this.#received.length < LONGEST_REQUEST) this.#received.push(byte);
    this.#lastByteAt = clock.now;
    if (!this.#watching) this.#watch();
  }

  /** One event a message: it looks whether the line has been silent long enough, else again when it will have been. */
  #watch(): void {
    this.#watching = true;
    this.#options.clock.at(this.#lastByteAt + this.#silence, () => {
      if (this.#options.clock.now < this.#lastByteAt + this.#silence) return this.#watch();
      this.#watching = false;
      this.#message(Uint8Array.from(this.#received.splice(0)));
    });
  }

  #message(bytes: Uint8Array): void {
    if (!this.#options.alive()) return;
    const request = parseRequest(this.#lastByteAt, bytes);
    if (!request) return this.#options.traffic.damaged();
    this.#options.traffic.note(request, this.#outcome(request) ?? this.#serve(request));
  }

  /** Why the request is not served, if so. */
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
