import { type OrderOption, orderHelp, parseOrder } from "../order";
import { concat, withCrc } from "./codec";
import { FRAME_BYTES } from "./image";
import type { Random } from "./random";
import type { Request } from "./request";

/** Faults that can be injected, each with a line of help. */
export const FAULT_KINDS = {
  "no-answer": "the request is not answered",
  "bad-crc": "a bit of the reply is flipped",
  truncated: "the reply ends early",
  torn: "a frame loses its end: 224 to 288 of its bytes come, then the acknowledgement",
  noise: "random bytes come before, within or after the reply",
  "wrong-address": "the reply carries another slave address (with a right CRC)",
  stale: "the previous reply comes again, instead of or before the right one",
  delay: "the reply comes late (ms=N, default 480), while later requests are served",
  refuse: "the request is refused with an exception (code=N, default 2)",
  "ignore-write": "a write is acknowledged but not applied",
  echo: "the bytes of the request come back before the reply",
} as const;

export type FaultKind = keyof typeof FAULT_KINDS;

export interface FaultOrder {
  readonly kind: FaultKind;
  /** Applies to every n-th matching request; default 1. */
  readonly every?: number;
  /** Maximum number of applications; default unlimited. */
  readonly times?: number;
  /** For `delay`: milliseconds. */
  readonly ms?: number;
  /** For `refuse`: the exception code. */
  readonly code?: number;
  /** Selects requests; default all (for `ignore-write`: all writes except triggers). */
  readonly matching?: (request: Request) => boolean;
}

/** An active fault. */
export interface Fault extends FaultOrder {
  /** Number of matching requests, and of those affected. */
  readonly seen: number;
  readonly struck: number;
}

/** Bytes to send `after` milliseconds from the end of the request. `late`: the BMS keeps serving requests meanwhile. */
export interface Transmission {
  readonly after: number;
  readonly bytes: Uint8Array;
  readonly late?: boolean;
}

const DEFAULT_DELAY = 480;
const DEFAULT_CODE = 2;
const MOST_NOISE = 12;
/** Gap between a stale reply and the right one, ms. */
const STALE_GAP = 5;
const ACKNOWLEDGEMENT_BYTES = 8;
const SHORTEST_REPLY = 5;
/** Bytes of a torn frame that come (docs/jk-modbus.md, "Frames"). */
const LEAST_TORN = 224;
const MOST_TORN = 288;

interface Entry {
  order: FaultOrder;
  seen: number;
  struck: number;
}

const entryFault = ({ order, seen, struck }: Entry): Fault => ({ ...order, seen, struck });

/** The faults injected into one simulated BMS. */
export class Faults {
  readonly #random: Random;
  readonly #entries: Entry[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  get list(): readonly Fault[] {
    return this.#entries.map(entryFault);
  }

  /** Adds a fault. @returns a function that removes it. */
  add(order: FaultOrder): () => void {
    const entry: Entry = { order, seen: 0, struck: 0 };
    this.#entries.push(entry);
    return () => {
      const index = this.#entries.indexOf(entry);
      if (index >= 0) this.#entries.splice(index, 1);
    };
  }

  clear(): void {
    this.#entries.length = 0;
  }

  /** The faults that apply to this request, in the order they were added. */
  strike(request: Request): FaultOrder[] {
    const striking: FaultOrder[] = [];
    for (const entry of this.#entries) {
      const { order } = entry;
      if (order.kind === "ignore-write" && (request.function !== 0x10 || request.trigger)) continue;
      if (order.matching && !order.matching(request)) continue;
      entry.seen++;
      if (entry.struck >= (order.times ?? Infinity) || entry.seen % (order.every ?? 1)) continue;
      entry.struck++;
      striking.push(order);
    }
    return striking;
  }

  /** Transmissions that replace `reply` at `after`. `previous` is the preceding reply, if any. */
  spoil(
    orders: readonly FaultOrder[],
    request: Request,
    reply: Uint8Array,
    after: number,
    previous?: Uint8Array,
  ): Transmission[] {
    let sent: Transmission[] = [{ after, bytes: reply }];
    for (const order of orders) sent = sent.flatMap((one) => this.#spoil(order, request, one, previous));
    return sent;
  }

  #spoil(order: FaultOrder, request: Request, sent: Transmission, previous?: Uint8Array): Transmission[] {
    const { after, bytes } = sent;
    switch (order.kind) {
      case "no-answer":
        return [];
      case "bad-crc":
        return [{ ...sent, bytes: this.#flip(bytes) }];
      case "truncated":
        return [{ ...sent, bytes: bytes.subarray(0, 1 + this.#below(bytes.length - 1)) }];
      case "torn":
        return [{ ...sent, bytes: this.#tear(bytes) }];
      case "noise":
        return [{ ...sent, bytes: this.#noise(bytes) }];
      case "wrong-address":
        return [{ ...sent, bytes: readdress(bytes) }];
      case "stale":
        if (!previous) return [sent];
        return this.#random() < 0.5
          ? [{ ...sent, bytes: previous }]
          : [
              { ...sent, bytes: previous },
              { ...sent, after: after + STALE_GAP },
            ];
      case "delay":
        return [{ ...sent, after: after + (order.ms ?? DEFAULT_DELAY), late: true }];
      case "echo":
        return [{ after: 0, bytes: request.bytes }, sent];
      case "refuse":
      case "ignore-write":
        return [sent];
    }
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  #flip(bytes: Uint8Array): Uint8Array {
    const flipped = Uint8Array.from(bytes);
    const at = this.#below(bytes.length);
    flipped[at] = (flipped[at] as number) ^ (1 << this.#below(8));
    return flipped;
  }

  #tear(bytes: Uint8Array): Uint8Array {
    if (!isFrameAnswer(bytes)) return bytes;
    const left = LEAST_TORN + this.#below(MOST_TORN - LEAST_TORN + 1);
    return concat(bytes.subarray(0, left), bytes.subarray(FRAME_BYTES));
  }

  #noise(bytes: Uint8Array): Uint8Array {
    const noise = Uint8Array.from({ length: 1 + this.#below(MOST_NOISE) }, () => this.#below(256));
    const places = [0, 1 + this.#below(bytes.length - 1), bytes.length];
    const at = places[this.#below(places.length)] as number;
    return concat(bytes.subarray(0, at), noise, bytes.subarray(at));
  }
}

/** Exception code of a `refuse` fault. */
export function refusalOf(orders: readonly FaultOrder[]): number | undefined {
  const refusal = orders.find(({ kind }) => kind === "refuse");
  return refusal && (refusal.code ?? DEFAULT_CODE);
}

const isFrameAnswer = (reply: Uint8Array): boolean =>
  reply.length >= FRAME_BYTES + ACKNOWLEDGEMENT_BYTES && reply[0] === 0x55 && reply[1] === 0xaa;

/** The reply with the next slave's address; in a frame answer only the acknowledgement carries an address. */
function readdress(reply: Uint8Array): Uint8Array {
  const other = Uint8Array.from(reply);
  if (reply.length < SHORTEST_REPLY) return other;
  const isFrame = isFrameAnswer(reply);
  // 310-byte answers have a zero before and after the acknowledgement.
  const padded = isFrame && reply.length === FRAME_BYTES + ACKNOWLEDGEMENT_BYTES + 2 ? 1 : 0;
  const start = isFrame ? FRAME_BYTES + padded : 0;
  const end = reply.length - padded;
  other[start] = ((other[start] as number) % 15) + 1;
  other.set(withCrc(other.subarray(start, end - 2)), start);
  return other;
}

/** Numeric options of the command-line form. */
const OPTIONS: Readonly<Record<string, OrderOption<FaultKind>>> = {
  every: { lowest: 1, highest: 1_000_000 },
  times: { lowest: 1, highest: 1_000_000 },
  ms: { lowest: 1, highest: 60_000, kind: "delay" },
  code: { lowest: 1, highest: 255, kind: "refuse" },
};

/**
 * Parses a command-line fault: `KIND[:every=N][:times=N]`; `delay` also takes `:ms=N`, `refuse` also `:code=N`. Throws
 * an Error with a message for the user if the text is invalid.
 */
export const parseFault = (text: string): FaultOrder => parseOrder("fault", text, FAULT_KINDS, OPTIONS);

export const faultHelp = (): string => orderHelp(FAULT_KINDS);
