import { createHash } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import type { SimulatedBoard } from "../board";
import Time from "../io/time";
import type { Bundle } from "./bundle";
import { boundImage, trimSnapshot, type XsMemory } from "./image";
import { boardObject, MAKERS, type HostObject, type WiredFacts, type WiredObject } from "./objects";
import {
  ALL,
  ANSWER_HEADER,
  BOARD,
  CALL_HEADER,
  DELIVERY_HEADER,
  EVENT,
  FLAG,
  LEVELS,
  NOTHING,
  OPERATION,
  ORDER,
  ORDERED,
  REPLY_HEADER,
  STATUS,
  type OpenOrder,
} from "./protocol";
import { FirmwareTimers } from "./timers";
import { XsWorker, type WorkerOptions } from "./worker";

function statusOf(error: unknown): number {
  if (error instanceof TypeError) return STATUS.typeError;
  return error instanceof RangeError ? STATUS.rangeError : STATUS.error;
}

function answer(value: number, bytes: Uint8Array = Buffer.alloc(0), status: number = STATUS.done): Buffer {
  const message = Buffer.alloc(ANSWER_HEADER + bytes.length);
  message[0] = status;
  message.writeInt32BE(value, 4);
  message.set(bytes, ANSWER_HEADER);
  return message;
}

const json = (value: unknown): Buffer => answer(0, Buffer.from(JSON.stringify(value) ?? ""));

function saveImage(worker: XsWorker, image: string): void {
  // Others may be about to do the same.
  const own = `${image}-${process.pid}`;
  worker.snapshot(own);
  trimSnapshot(own, image);
}

export interface XsMachineOptions extends Pick<WorkerOptions, "program" | "image"> {
  /** Fixed sizes of the engine's memory, beside what the loaded firmware takes. Needs an image. Default: as much as it asks for. */
  readonly memory?: XsMemory;
}

/**
 * The firmware on XS, on a powered simulated board: the platform's objects live here, under the same numbers as the
 * firmware's.
 */
export class XsMachine {
  readonly worker: XsWorker;
  readonly timers: FirmwareTimers;
  readonly #board: SimulatedBoard;
  readonly #bundle: Bundle;
  readonly #objects = new Map<number, HostObject>();
  readonly #message = Buffer.alloc(DELIVERY_HEADER);
  /** The digital inputs, by their bit of a delivery's levels. */
  readonly #inputs: (HostObject | undefined)[] = Array.from({ length: LEVELS });
  /** The analogue inputs, and what they read at the last delivery. */
  readonly #readings = new Map<HostObject, unknown>();
  #wired: WiredObject | undefined;
  /** As told last. */
  #wiredFacts: WiredFacts | undefined;
  /** As told last. */
  #heap: SimulatedBoard["heap"];

  /**
   * Loads the firmware; `boot` runs it. Powering off the board ends it. `image`: a file for the loaded firmware, to load it faster the next
   * time.
   */
  constructor(board: SimulatedBoard, bundle: Bundle, { program, image, memory }: XsMachineOptions = {}) {
    this.#board = board;
    this.#bundle = bundle;
    this.#objects.set(BOARD, boardObject(board));
    this.timers = new FirmwareTimers(board.timers, board.refusals, (...delivery) => void this.#deliver(...delivery));
    if (memory && image !== undefined && !existsSync(image)) this.#makeImage(image);
    const isLoaded = image !== undefined && existsSync(image);
    const bound = memory && `${image}-${process.pid}-bound`;
    if (bound) boundImage(image!, bound, memory);
    this.worker = new XsWorker({
      ...(isLoaded && { image: bound ?? image }),
      onCall: (message) => this.#answer(message),
      onProblem: (text) => board.trace(bundle.located(text)),
      ...(program && { program, onWaiting: () => board.clock.external(() => board.post(() => this.#attend())) }),
    });
    board.attach(() => this.worker.close());
    if (!isLoaded) {
      this.#located(() => this.worker.evaluate(bundle.program));
      if (image) saveImage(this.worker, image);
    }
    this.#deliver(EVENT.configure);
    if (bound) rmSync(bound);
  }

  #makeImage(image: string): void {
    const worker = new XsWorker({
      onCall: (message) => this.#answer(message),
      onProblem: (text) => this.#board.trace(this.#bundle.located(text)),
    });
    this.#located(() => worker.evaluate(this.#bundle.program));
    saveImage(worker, image);
    worker.close();
  }

  /** Platform objects held by the firmware. */
  get objects(): number {
    return this.#objects.size - 1 + this.timers.count;
  }

  /** Runs the firmware's main. Returns the names exposed by the bundle's entry. */
  boot(): string[] {
    return JSON.parse(this.#deliver(EVENT.boot)) as string[];
  }

  /** Calls a function exposed by the bundle's entry. */
  ask(name: string, ...parameters: unknown[]): unknown {
    const text = this.#deliver(EVENT.ask, 0, 0, Buffer.from(JSON.stringify([name, ...parameters])));
    return text ? (JSON.parse(text) as unknown) : undefined;
  }

  #attend(): void {
    // Tells the firmware the time.
    this.#deliver(EVENT.onTimer, BOARD);
    this.#located(() => this.worker.attend());
  }

  /** Rethrows an error thrown by the firmware, with its stack. */
  #deliver(event: number, id = 0, value = 0, bytes?: Uint8Array): string {
    const header = this.#message;
    header[0] = event;
    header[1] = this.#inputs.reduce((levels, input, bit) => levels | (input ? (input.read!() as number) << bit : 0), 0);
    header[2] =
      (this.#board.refusals.mayRefuseAllocation ? FLAG.refuses : 0) |
      (this.#hasWiredChanged() ? FLAG.wiredChanged : 0) |
      (this.#hasAnalogChanged() ? FLAG.analogChanged : 0) |
      (this.#hasHeapChanged() ? FLAG.heapChanged : 0);
    header.writeUInt32BE(id, 4);
    header.writeInt32BE(value, 8);
    header.writeInt32BE(Time.ticks, 12);
    const reply = this.#located(() => this.worker.deliver(bytes ? Buffer.concat([header, bytes]) : header));
    const end = REPLY_HEADER + reply[1]! * ORDER;
    this.#carryOut(reply.subarray(REPLY_HEADER, end));
    const text = reply.toString("utf8", end);
    if (reply[0] !== STATUS.done) throw new Error(this.#bundle.located(`XS: ${text}`));
    return text;
  }

  #located<Result>(run: () => Result): Result {
    try {
      return run();
    } catch (error) {
      throw new Error(this.#bundle.located((error as Error).message), { cause: error });
    }
  }

  #answer(message: Buffer): Uint8Array {
    try {
      const start = CALL_HEADER + message[1]! * ORDER;
      this.#carryOut(message.subarray(CALL_HEADER, start));
      return this.#perform(
        message[0] as (typeof OPERATION)[keyof typeof OPERATION],
        message.readUInt32BE(4),
        message.readInt32BE(8),
        message.subarray(start),
      );
    } catch (error) {
      return answer(0, Buffer.from((error as Error).message), statusOf(error));
    }
  }

  #carryOut(orders: Buffer): void {
    for (let at = 0; at < orders.length; at += ORDER) {
      const id = orders.readUInt32BE(at + 4);
      const value = orders.readInt32BE(at + 8);
      const repeat = orders.readInt32BE(at + 12);
      const what = orders[at];
      if (what === ORDERED.setTimer) this.timers.open(id, value, repeat);
      else if (what === ORDERED.fire) this.timers.next(id);
      else if (what === ORDERED.clearTimer) this.timers.clear(id);
      else if (what === ORDERED.writePin) this.#object(id).write?.(value as never);
      else if (what === ORDERED.schedule) this.timers.schedule(id, value, repeat);
      else this.timers.unschedule(id);
    }
  }

  /** Whether the Ethernet interface is not as it was at the delivery before this. */
  #hasWiredChanged(): boolean {
    const facts = this.#wired?.facts();
    const hasChanged =
      facts?.connection !== this.#wiredFacts?.connection || facts?.address !== this.#wiredFacts?.address;
    this.#wiredFacts = facts;
    return hasChanged;
  }

  /** Whether an analogue input does not read what it did at the delivery before this. */
  #hasAnalogChanged(): boolean {
    let hasChanged = false;
    for (const [input, before] of this.#readings) {
      const reading = input.read!();
      hasChanged ||= reading !== before;
      this.#readings.set(input, reading);
    }
    return hasChanged;
  }

  #hasHeapChanged(): boolean {
    const hasChanged = this.#board.heap !== this.#heap;
    this.#heap = this.#board.heap;
    return hasChanged;
  }

  #close(id: number): void {
    const object = this.#objects.get(id);
    if (object) this.#readings.delete(object);
    const bit = object ? this.#inputs.indexOf(object) : -1;
    if (bit >= 0) this.#inputs[bit] = undefined;
    object?.close();
    this.#objects.delete(id);
  }

  #perform(
    operation: (typeof OPERATION)[keyof typeof OPERATION],
    id: number,
    value: number,
    bytes: Buffer,
  ): Uint8Array {
    switch (operation) {
      case OPERATION.open:
        this.#open(id, JSON.parse(bytes.toString()) as OpenOrder);
        return answer(0);
      case OPERATION.close:
        this.#close(id);
        return answer(0);
      case OPERATION.read:
        return this.#read(this.#object(id), value);
      case OPERATION.write: {
        const written = this.#object(id).write?.(bytes as never);
        return answer(typeof written === "number" ? written : NOTHING);
      }
      case OPERATION.accept: {
        const socket = this.#object(id).read?.() as HostObject | undefined;
        if (!socket) return answer(NOTHING);
        this.#objects.set(value, socket);
        return answer(1);
      }
      case OPERATION.invoke: {
        const [member, ...parameters] = JSON.parse(bytes.toString()) as [string, ...unknown[]];
        const object = this.#object(id) as unknown as Record<string, unknown>;
        const found = object[member];
        return json(typeof found === "function" ? (found.apply(object, parameters) as unknown) : found);
      }
      case OPERATION.transfer: {
        const [member, ...parameters] = JSON.parse(bytes.toString("utf8", 0, value)) as [string, ...unknown[]];
        const object = this.#object(id) as unknown as Record<string, (...parameters: unknown[]) => unknown>;
        const result = object[member]!(...parameters, Uint8Array.from(bytes.subarray(value)));
        return result instanceof Uint8Array ? answer(result.length, result) : answer(NOTHING);
      }
      case OPERATION.trace:
        this.#board.trace(bytes.toString());
        return answer(0);
      case OPERATION.random:
        return answer(0, this.#board.random(value));
      case OPERATION.digest:
        return answer(0, createHash("sha256").update(bytes).digest());
      case OPERATION.resource: {
        const file = this.#board.resource(bytes.toString());
        return file ? answer(file.length, file) : answer(NOTHING);
      }
    }
  }

  #object(id: number): HostObject {
    const object = this.#objects.get(id);
    if (!object) throw new TypeError("closed");
    return object;
  }

  #open(id: number, { kind, options, callbacks }: OpenOrder): void {
    if (kind === "timer") return this.timers.open(id, options["delay"] as number, options["repeat"] as number);
    // Objects closed meanwhile receive no callbacks.
    const deliver = (event: number, value = 0): void => void (this.#objects.has(id) && this.#deliver(event, id, value));
    const from = options["from"] as number | undefined;
    const all = {
      ...options,
      ...(from !== undefined && { from: this.#object(from) }),
      ...Object.fromEntries(callbacks.map((name) => [name, (value?: number) => deliver(EVENT[name], value)])),
    };
    const object = MAKERS[kind](all);
    if (from !== undefined) this.#objects.delete(from);
    this.#objects.set(id, object);
    const bit = options["bit"] as number | undefined;
    if (bit !== undefined) this.#inputs[bit] = object;
    if (kind === "analog") this.#readings.set(object, undefined);
    if (kind === "ethernet") this.#wired = object as WiredObject;
  }

  #read(object: HostObject, length: number): Buffer {
    const buffer = new Uint8Array(Math.max(0, length));
    const result = length === ALL ? object.read?.() : object.read?.(buffer as never);
    if (result === undefined) return answer(NOTHING);
    if (typeof result === "number") return answer(result, buffer.subarray(0, result));
    return answer((result as ArrayBuffer).byteLength, new Uint8Array(result as ArrayBuffer));
  }
}
