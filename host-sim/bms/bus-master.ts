import type { Clock, ClockEvent } from "../clock";
import { type OrderOption, orderHelp, parseOrder } from "../order";
import { byteTime, type WireEnd } from "../wire";
import { crcHolds, sum8, withCrc } from "./codec";
import type { Faults } from "./faults";
import type { FrameType } from "./fields";
import type { Functions } from "./functions";
import { FRAME_BYTES } from "./image";
import { parseRequest, type Request } from "./request";

/** How a master keeps time, ms (docs/jk-modbus.md, "Addresses" and "Timing"). */
export interface MasterTiming {
  /** From the end of one transaction to the start of the next. */
  readonly gap: number;
  /** From the end of a request to giving up, if no reply has begun by then. The next request follows at once. */
  readonly timeout: number;
  /** From the start of one cycle to the start of the next, at least: 4,400 to 7,200 were recorded. */
  readonly cycle: number;
}

export const MASTER_TIMING: MasterTiming = { gap: 180, timeout: 220, cycle: 4400 };

const LAST_ADDRESS = 15;
const TELEMETRY = 0x1620;
const SETTINGS = 0x161e;
const ACKNOWLEDGEMENT_BYTES = 8;
/** Zeros that may surround the acknowledgement of a trigger. */
const MOST_PADDING = 2;
/** How often it looks whether a reply that has begun has ended, in bytes. */
const LOOK = 8;

/** Faults of a master, each with a line of help. Those of its frames are FAULT_KINDS. */
export const MASTER_FAULTS = {
  rare: "it speaks once a minute",
  stops: "it falls silent (at=N seconds after the start, default 60) and returns (for=N seconds later, default never)",
} as const;

export type MasterFaultKind = keyof typeof MASTER_FAULTS;

const OPTIONS: Readonly<Record<string, OrderOption<MasterFaultKind>>> = {
  at: { lowest: 0, highest: 1_000_000, kind: "stops" },
  for: { lowest: 1, highest: 1_000_000, kind: "stops" },
};

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DEFAULT_STOP = 60;

/** Throws an Error with a message for the user if the text is invalid. */
export const parseMasterFault = (text: string): { kind: MasterFaultKind; at?: number; for?: number } =>
  parseOrder("fault of a master", text, MASTER_FAULTS, OPTIONS);

export const masterFaultHelp = (): string => orderHelp(MASTER_FAULTS);

/** What a master has done and got. */
export interface MasterStatistics {
  cycles: number;
  /** Requests to 1 to 15. */
  requests: number;
  /** Of those, with a valid reply. */
  answered: number;
  /** Requests without a valid reply, to an address that has replied before. */
  lost: number;
}

/**
 * A BMS with DIP address 0 on its RS485-2 port: it asks 1 to 15 for their telemetry, and those that answer for their
 * settings; once per cycle it sends its own frames unasked. It answers nothing, knows no frames of type 3, and starts to
 * send without listening whether the line is free.
 */
export class BusMaster {
  readonly statistics: MasterStatistics = { cycles: 0, requests: 0, answered: 0, lost: 0 };
  timing: MasterTiming;
  readonly #clock: Clock;
  readonly #wire: WireEnd;
  readonly #baud: number;
  readonly #functions: Functions;
  readonly #faults: Faults;
  readonly #alive: () => boolean;
  readonly #known = new Set<number>();
  #next: ClockEvent | undefined;
  #cycleBegan = 0;
  #asked: { request: Request; then: (answered: boolean) => void } | undefined;
  /** Bytes are coming in. */
  #hearing: () => boolean = () => false;
  #previous: Uint8Array | undefined;

  constructor(options: {
    clock: Clock;
    wire: WireEnd;
    baud: number;
    functions: Functions;
    faults: Faults;
    alive: () => boolean;
    timing?: Partial<MasterTiming> | undefined;
  }) {
    this.#clock = options.clock;
    this.#wire = options.wire;
    this.#baud = options.baud;
    this.#functions = options.functions;
    this.#faults = options.faults;
    this.#alive = options.alive;
    this.timing = { ...MASTER_TIMING, ...options.timing };
    this.start();
  }

  /** Falls silent, in the middle of a cycle too; what it is sending still leaves. */
  stop(): void {
    this.#clock.cancel(this.#next);
    this.#next = undefined;
    this.#asked = undefined;
  }

  /** Begins with a new cycle, if it is silent. */
  start(): void {
    if (!this.#next) this.#at(this.#clock.now, () => this.#cycle());
  }

  /** For the port: how to know that bytes are coming in. */
  listen(hearing: () => boolean): void {
    this.#hearing = hearing;
  }

  /** For the port: what came between two silences. */
  heard(message: Uint8Array): void {
    const { request } = this.#asked ?? {};
    if (request && isReply(message, request)) this.#settle(true);
  }

  plan(order: { kind: MasterFaultKind; at?: number; for?: number }): void {
    if (order.kind === "rare") {
      this.timing = { ...this.timing, cycle: MINUTE };
      return;
    }
    const at = (order.at ?? DEFAULT_STOP) * SECOND;
    this.#clock.after(at, () => this.stop());
    if (order.for !== undefined) this.#clock.after(at + order.for * SECOND, () => this.start());
  }

  #at(time: number, then: () => void): void {
    this.#next = this.#clock.at(time, then);
  }

  #cycle(): void {
    this.#cycleBegan = this.#clock.now;
    this.statistics.cycles++;
    this.#say(2, TELEMETRY, () => this.#say(1, SETTINGS, () => this.#poll(1)));
  }

  /** Its own frame, unasked, with an acknowledgement of address 0. */
  #say(type: FrameType, register: number, then: () => void): void {
    const { now } = this.#clock;
    const request = parseRequest(now, triggerOf(0, register)) as Request;
    const answer = this.#functions.frameAnswer(type, 0, register, 0);
    const orders = this.#faults.strike(request);
    let end = now;
    for (const { after, bytes } of this.#faults.spoil(orders, request, answer, 0, this.#previous)) {
      end = Math.max(end, now + after) + bytes.length * byteTime(this.#baud);
      this.#clock.after(after, () => this.#send(bytes));
    }
    this.#previous = answer;
    this.#at(end + this.timing.gap, then);
  }

  #poll(address: number): void {
    if (address > LAST_ADDRESS) {
      this.#at(this.#cycleBegan + this.timing.cycle, () => this.#cycle());
      return;
    }
    const next = (): void => this.#poll(address + 1);
    this.#ask(address, TELEMETRY, (answered) => {
      if (!answered) return next();
      this.#pause(() => this.#ask(address, SETTINGS, (also) => (also ? this.#pause(next) : next())));
    });
  }

  #pause(then: () => void): void {
    this.#at(this.#clock.now + this.timing.gap, then);
  }

  #ask(address: number, register: number, then: (answered: boolean) => void): void {
    const bytes = triggerOf(address, register);
    this.statistics.requests++;
    this.#asked = { request: parseRequest(this.#clock.now, bytes) as Request, then };
    this.#send(bytes);
    this.#at(this.#clock.now + bytes.length * byteTime(this.#baud) + this.timing.timeout, () => this.#timeOut());
  }

  #timeOut(): void {
    if (!this.#hearing()) return this.#settle(false);
    this.#at(this.#clock.now + LOOK * byteTime(this.#baud), () => this.#timeOut());
  }

  #settle(answered: boolean): void {
    const { request, then } = this.#asked ?? {};
    if (!request || !then) return;
    this.#asked = undefined;
    this.#clock.cancel(this.#next);
    if (answered) {
      this.statistics.answered++;
      this.#known.add(request.address);
    } else if (this.#known.has(request.address)) this.statistics.lost++;
    then(answered);
  }

  #send(bytes: Uint8Array): void {
    if (this.#alive()) this.#wire.send(bytes);
  }
}

const triggerOf = (address: number, register: number): Uint8Array =>
  withCrc([address, 0x10, register >> 8, register & 0xff, 0, 1, 2, 0, 0]);

/** Whether a frame that holds, and the acknowledgement that belongs to the request, are anywhere in the message. */
function isReply(message: Uint8Array, { address, register = 0 }: Request): boolean {
  for (let start = 0; start + FRAME_BYTES + ACKNOWLEDGEMENT_BYTES <= message.length; start++) {
    if (message[start] !== 0x55 || message[start + 1] !== 0xaa) continue;
    const frame = message.subarray(start, start + FRAME_BYTES);
    if (sum8(frame, FRAME_BYTES - 1) !== frame[FRAME_BYTES - 1]) continue;
    const behind = message.subarray(start + FRAME_BYTES);
    for (let padding = 0; padding <= MOST_PADDING; padding++) {
      const end = behind.subarray(padding, padding + ACKNOWLEDGEMENT_BYTES);
      if (end.length < ACKNOWLEDGEMENT_BYTES || !crcHolds(end)) continue;
      if (end[0] === address && end[1] === 0x10 && ((end[2] as number) << 8) + (end[3] as number) === register)
        return true;
    }
  }
  return false;
}
