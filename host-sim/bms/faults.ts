import { type OrderOption, orderHelp, parseOrder } from "../order";
import { concat, withCrc } from "./codec";
import { FRAME_BYTES } from "./image";
import type { Random } from "./random";
import type { Request } from "./request";

/** The misbehaviours that can be ordered, with a line of help each. */
export const FAULT_KINDS = {
  "no-answer": "the request is not answered",
  "bad-crc": "a bit of the reply is flipped",
  truncated: "the reply ends early",
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
  /** Every how many of the requests it matches it strikes; 1 without it. */
  readonly every?: number;
  /** How often it strikes at the most; without it, for ever. */
  readonly times?: number;
  /** `delay`: milliseconds. */
  readonly ms?: number;
  /** `refuse`: the exception code. */
  readonly code?: number;
  /** Which requests; without it, all (of `ignore-write`: all writes but triggers). */
  readonly matching?: (request: Request) => boolean;
}

/** An order that is in force. */
export interface Fault extends FaultOrder {
  /** How many requests it has matched, and how many of them it has struck. */
  readonly seen: number;
  readonly struck: number;
}

/** Bytes that go out `after` milliseconds from the end of the request. `late`: the BMS goes on serving requests meanwhile. */
export interface Transmission {
  readonly after: number;
  readonly bytes: Uint8Array;
  readonly late?: boolean;
}

const DEFAULT_DELAY = 480;
const DEFAULT_CODE = 2;
const MOST_NOISE = 12;
/** Between a stale reply and the right one, ms. */
const STALE_GAP = 5;
const ACKNOWLEDGEMENT_BYTES = 8;
const SHORTEST_REPLY = 5;

interface Entry {
  order: FaultOrder;
  seen: number;
  struck: number;
}

const entryFault = ({ order, seen, struck }: Entry): Fault => ({ ...order, seen, struck });

/** The faults ordered of one simulated BMS. */
export class Faults {
  readonly #random: Random;
  readonly #entries: Entry[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  get list(): readonly Fault[] {
    return this.#entries.map(entryFault);
  }

  /** Orders a fault. @returns a function that takes the order back. */
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

  /** The orders that strike this request, in the order they were given. */
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

  /** What goes out instead of `reply` at `after`. `previous` is the reply before this one, if any. */
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

  #noise(bytes: Uint8Array): Uint8Array {
    const noise = Uint8Array.from({ length: 1 + this.#below(MOST_NOISE) }, () => this.#below(256));
    const places = [0, 1 + this.#below(bytes.length - 1), bytes.length];
    const at = places[this.#below(places.length)] as number;
    return concat(bytes.subarray(0, at), noise, bytes.subarray(at));
  }
}

/** The exception code that an order to refuse asks for. */
export function refusalOf(orders: readonly FaultOrder[]): number | undefined {
  const refusal = orders.find(({ kind }) => kind === "refuse");
  return refusal && (refusal.code ?? DEFAULT_CODE);
}

/** The reply as from the slave with the next address; of a frame's answer only the acknowledgement names one. */
function readdress(reply: Uint8Array): Uint8Array {
  const other = Uint8Array.from(reply);
  if (reply.length < SHORTEST_REPLY) return other;
  const isFrame = reply.length >= FRAME_BYTES + ACKNOWLEDGEMENT_BYTES && reply[0] === 0x55 && reply[1] === 0xaa;
  // 310-byte answers have a zero before the acknowledgement and one after it.
  const padded = isFrame && reply.length === FRAME_BYTES + ACKNOWLEDGEMENT_BYTES + 2 ? 1 : 0;
  const start = isFrame ? FRAME_BYTES + padded : 0;
  const end = reply.length - padded;
  other[start] = ((other[start] as number) % 15) + 1;
  other.set(withCrc(other.subarray(start, end - 2)), start);
  return other;
}

/** Numbers of the command-line form. */
const OPTIONS: Readonly<Record<string, OrderOption<FaultKind>>> = {
  every: { lowest: 1, highest: 1_000_000 },
  times: { lowest: 1, highest: 1_000_000 },
  ms: { lowest: 1, highest: 60_000, kind: "delay" },
  code: { lowest: 1, highest: 255, kind: "refuse" },
};

/**
 * A fault from the command line: `KIND[:every=N][:times=N]`, `delay` also with `:ms=N`, `refuse` also with `:code=N`.
 * Throws a message for people when the text is no such thing.
 */
export const parseFault = (text: string): FaultOrder => parseOrder("fault", text, FAULT_KINDS, OPTIONS);

export const faultHelp = (): string => orderHelp(FAULT_KINDS);
