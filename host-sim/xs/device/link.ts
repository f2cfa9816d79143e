import { ALL, ANSWER_HEADER, BOARD, CALL_HEADER, CALLBACKS, EVENT, NOTHING, OPERATION, STATUS } from "../protocol";
import type { Kind } from "../protocol";

/** What the simulator calls back. */
export interface Target {
  deliver(event: number, value: number): void;
}

interface Resizable extends ArrayBuffer {
  resize(length: number): void;
}

const LONGEST_CALL = 65_536;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const issue = issueCommand;
const meter = resetMeter;
/** One for all calls, so that they leave no garbage behind. */
const request = new (ArrayBuffer as unknown as new (length: number, options: object) => Resizable)(CALL_HEADER, {
  maxByteLength: LONGEST_CALL,
});
const header = new DataView(request);
const targets = new Map<number, Target>();
let lastId = BOARD;

export const textOf = (bytes: ArrayBuffer, from: number): string => decoder.decode(new Uint8Array(bytes, from));
export const bytesOf = (text: string): Uint8Array => encoder.encode(text);

/** The tick count of the delivery that is going on: on the simulator's clock a callback takes no time. */
export const clock = { ticks: 0 };

export function newId(): number {
  return ++lastId;
}

export function register(id: number, target: Target): void {
  targets.set(id, target);
}

export function forget(id: number): void {
  targets.delete(id);
}

/** What was closed meanwhile is called no more. */
export function deliver(event: number, id: number, value: number): void {
  const target = targets.get(id);
  meter(0, 0);
  target?.deliver(event, value);
}

const ERRORS = { [STATUS.error]: Error, [STATUS.typeError]: TypeError, [STATUS.rangeError]: RangeError };

/** Does what on the device is the platform's own work: the meter counts the firmware's alone. */
function unmetered<Result>(work: () => Result): Result {
  const spent = meter(0, 0);
  try {
    return work();
  } finally {
    meter(0, spent);
  }
}

/** Asks the simulator. Throws what the platform's class has thrown there. */
export function call(operation: number, id: number, value = 0, bytes?: Uint8Array): ArrayBuffer {
  return unmetered(() => ask(operation, id, value, bytes));
}

function ask(operation: number, id: number, value: number, bytes?: Uint8Array): ArrayBuffer {
  request.resize(CALL_HEADER + (bytes?.length ?? 0));
  header.setUint8(0, operation);
  header.setUint32(4, id);
  header.setInt32(8, value);
  if (bytes) new Uint8Array(request, CALL_HEADER).set(bytes);
  const answer = issue(request);
  const status = new Uint8Array(answer)[0] as keyof typeof ERRORS | typeof STATUS.done;
  if (status !== STATUS.done) throw new ERRORS[status](textOf(answer, ANSWER_HEADER));
  return answer;
}

export function valueOf(answer: ArrayBuffer): number {
  return new DataView(answer).getInt32(4);
}

/** A member of an object of the simulator: called with the parameters, or its value. */
export function invoke(id: number, member: string, ...parameters: unknown[]): unknown {
  return unmetered(() => {
    const answer = call(OPERATION.invoke, id, 0, bytesOf(JSON.stringify([member, ...parameters])));
    return answer.byteLength > ANSWER_HEADER ? (JSON.parse(textOf(answer, ANSWER_HEADER)) as unknown) : undefined;
  });
}

type Callbacks = Partial<Record<(typeof CALLBACKS)[number], ((value: never) => void) | undefined>>;

/** Something of the platform: all it does, the simulator's object of the same number does. */
export class Port implements Target {
  /** As the device's: there only when it was given. */
  declare readonly target?: unknown;
  readonly id: number;
  readonly #callbacks: Callbacks | undefined;

  /** With `id` the simulator has the object already. */
  constructor(kind: Kind, { target, ...options }: object & Callbacks & { target?: unknown }, id?: number) {
    this.id = id ?? newId();
    if (target !== undefined) this.target = target;
    const callbacks = CALLBACKS.filter((name) => options[name]);
    // As on the device, nothing else of the options is kept.
    if (callbacks.length) this.#callbacks = Object.fromEntries(callbacks.map((name) => [name, options[name]]));
    if (id === undefined) unmetered(() => this.#open(kind, options, callbacks));
  }

  #open(kind: Kind, options: object, callbacks: readonly string[]): void {
    register(this.id, this);
    try {
      // JSON leaves the callbacks out.
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
