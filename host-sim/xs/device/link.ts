import {
  ALL,
  ANSWER_HEADER,
  BOARD,
  CALL_HEADER,
  CALLBACKS,
  EVENT,
  MAX_ORDERS,
  NOTHING,
  OPERATION,
  ORDER,
  STATUS,
} from "../protocol";
import type { Kind } from "../protocol";

/** Receives callbacks from the simulator. */
export interface Target {
  deliver(event: number, value: number): void;
}

interface Resizable extends ArrayBuffer {
  resize(length: number): void;
}

const LONGEST_REQUEST = CALL_HEADER + MAX_ORDERS * ORDER;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const issue = issueCommand;
const meter = resetMeter;
/** Shared by all calls to avoid garbage. */
const request = new (ArrayBuffer as unknown as new (length: number, options: object) => Resizable)(CALL_HEADER, {
  maxByteLength: LONGEST_REQUEST,
});
const header = new DataView(request);
const targets = new Map<number, Target>();
let lastId = BOARD;

export const textOf = (bytes: ArrayBuffer, from: number): string => decoder.decode(new Uint8Array(bytes, from));
export const bytesOf = (text: string): Uint8Array => encoder.encode(text);

/** What each delivery tells: on the simulator's clock a callback takes no time. `levels` hold unless the firmware drives a pin. */
export const told = {
  ticks: 0,
  levels: 0,
  refuses: false,
  delivery: 0,
  areLevelsKnown: false,
  wiredChanges: 0,
  analogChanges: 0,
  heapChanges: 0,
};

/** Orders that the next message carries. */
const orders = new Uint8Array(MAX_ORDERS * ORDER);
const ordersView = new DataView(orders.buffer);
let ordered = 0;

/** Has something done before anything else that the simulator does for this firmware. */
export function order(what: number, id: number, value?: number, repeat?: number): void {
  unmetered(() => add(what, id, value, repeat));
}

function add(what: number, id: number, value = 0, repeat = 0): void {
  // With a call of no effect: there is no such object.
  if (ordered === MAX_ORDERS) call(OPERATION.close, newId());
  const at = ordered++ * ORDER;
  ordersView.setUint8(at, what);
  ordersView.setUint32(at + 4, id);
  ordersView.setInt32(at + 8, value);
  ordersView.setInt32(at + 12, repeat);
}

export function areOrdersWaiting(): boolean {
  return ordered > 0;
}

/** The orders for a message, whose number is its second byte. Valid until the next order. */
export function takeOrders(): Uint8Array {
  const taken = orders.subarray(0, ordered * ORDER);
  ordered = 0;
  return taken;
}

export function newId(): number {
  return ++lastId;
}

export function register(id: number, target: Target): void {
  targets.set(id, target);
}

export function registered(id: number): Target | undefined {
  return targets.get(id);
}

export function forget(id: number): void {
  targets.delete(id);
}

/** Objects closed meanwhile receive no callbacks. */
export function deliver(event: number, id: number, value: number): void {
  const target = targets.get(id);
  meter(0, 0);
  target?.deliver(event, value);
}

const ERRORS = { [STATUS.error]: Error, [STATUS.typeError]: TypeError, [STATUS.rangeError]: RangeError };

/** Runs work that is the platform's own on the device: the meter counts only the firmware's. */
export function unmetered<Result>(work: () => Result): Result {
  const spent = meter(0, 0);
  try {
    return work();
  } finally {
    meter(0, spent);
  }
}

/** Calls the simulator. Throws the error that the platform's class threw there. */
export function call(operation: number, id: number, value = 0, bytes?: Uint8Array): ArrayBuffer {
  return unmetered(() => ask(operation, id, value, bytes));
}

function ask(operation: number, id: number, value: number, bytes?: Uint8Array): ArrayBuffer {
  request.resize(CALL_HEADER + ordered * ORDER);
  header.setUint8(0, operation);
  header.setUint8(1, ordered);
  header.setUint32(4, id);
  header.setInt32(8, value);
  if (ordered) new Uint8Array(request, CALL_HEADER).set(takeOrders());
  const answer = bytes ? issue(request, bytes.buffer, bytes.byteOffset, bytes.length) : issue(request);
  const status = new Uint8Array(answer)[0] as keyof typeof ERRORS | typeof STATUS.done;
  if (status !== STATUS.done) throw new ERRORS[status](textOf(answer, ANSWER_HEADER));
  return answer;
}

export function valueOf(answer: ArrayBuffer): number {
  return new DataView(answer).getInt32(4);
}

/** Accesses a member of a simulator object: calls a method with the parameters, or reads a property. */
export function invoke(id: number, member: string, ...parameters: unknown[]): unknown {
  return unmetered(() => {
    const answer = call(OPERATION.invoke, id, 0, bytesOf(JSON.stringify([member, ...parameters])));
    return answer.byteLength > ANSWER_HEADER ? (JSON.parse(textOf(answer, ANSWER_HEADER)) as unknown) : undefined;
  });
}

const NO_BYTES = new Uint8Array(0);

/** Calls a method with the parameters and bytes behind them. Returns the bytes of its result; undefined: it has none. */
export function transfer(
  id: number,
  [member, ...parameters]: readonly [string, ...unknown[]],
  bytes: Uint8Array = NO_BYTES,
): Uint8Array<ArrayBuffer> | undefined {
  return unmetered(() => {
    const words = bytesOf(JSON.stringify([member, ...parameters]));
    const message = new Uint8Array(words.length + bytes.length);
    message.set(words);
    message.set(bytes, words.length);
    const answer = call(OPERATION.transfer, id, words.length, message);
    return valueOf(answer) === NOTHING ? undefined : new Uint8Array(answer, ANSWER_HEADER);
  });
}

type Callbacks = Partial<Record<(typeof CALLBACKS)[number], ((value: never) => void) | undefined>>;

/** A platform object; all work is done by the simulator's object with the same number. */
export class Port implements Target {
  /** As on the device, present only if passed to the constructor. */
  declare readonly target?: unknown;
  readonly id: number;
  readonly #callbacks: Callbacks | undefined;

  /** With `id` the simulator's object already exists. */
  constructor(kind: Kind, { target, ...options }: object & Callbacks & { target?: unknown }, id?: number) {
    this.id = id ?? newId();
    if (target !== undefined) this.target = target;
    const callbacks = CALLBACKS.filter((name) => options[name]);
    // As on the device, no other options are kept.
    if (callbacks.length) this.#callbacks = Object.fromEntries(callbacks.map((name) => [name, options[name]]));
    if (id === undefined) unmetered(() => this.#open(kind, options, callbacks));
  }

  #open(kind: Kind, options: object, callbacks: readonly string[]): void {
    register(this.id, this);
    try {
      // JSON drops the callbacks.
      call(OPERATION.open, this.id, 0, bytesOf(JSON.stringify({ kind, options, callbacks })));
    } catch (error) {
      forget(this.id);
      throw error;
    }
  }

  deliver(event: number, value: unknown): void {
    const name = CALLBACKS[event - EVENT.onReadable];
    if (name) this.#callbacks?.[name]?.call(this, value as never);
  }

  close(): void {
    unmetered(() => {
      call(OPERATION.close, this.id);
      forget(this.id);
    });
  }

  protected readBytes(buffer?: ByteBuffer): ArrayBuffer | number | undefined {
    return unmetered(() => {
      const answer = call(OPERATION.read, this.id, buffer ? buffer.byteLength : ALL);
      const count = valueOf(answer);
      if (count === NOTHING) return undefined;
      if (!buffer) return answer.slice(ANSWER_HEADER);
      viewOf(buffer).set(new Uint8Array(answer, ANSWER_HEADER, count));
      return count;
    });
  }

  protected writeBytes(buffer: ByteBuffer): number | undefined {
    return unmetered(() => {
      const value = valueOf(call(OPERATION.write, this.id, 0, viewOf(buffer)));
      return value === NOTHING ? undefined : value;
    });
  }
}

function viewOf(buffer: ByteBuffer): Uint8Array {
  if (ArrayBuffer.isView(buffer)) return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  return new Uint8Array(buffer);
}
