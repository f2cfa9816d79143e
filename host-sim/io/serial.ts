import type Ambient from "embedded:io/serial";
import type { SerialOptions } from "./options";
import { SimulatedBoard } from "../board";
import { bytesOf } from "../bytes";
import type { ClockEvent } from "../clock";
import { byteTime, type WirePort } from "../wire";

const FIFO_BYTES = 128;
/**
 * The driver's interrupt service routine runs at so many bytes in the FIFO, or after so many idle character times. Until
 * then the bytes cannot be read: at a low baud rate it has to run earlier.
 */
const MOST_THRESHOLD = 96;
const IDLE_CHARACTERS = 4;
/** Baud for one byte of the threshold: it is reached after 8.3 ms at the latest. */
const THRESHOLD_BAUD = 1200;
/** Behind the FIFO, filled by the interrupt service routine. */
export const RECEIVE_BUFFER = 1024;
/** `onWritable` is called below this many bytes in the transmit FIFO. */
const TRANSMIT_THRESHOLD = 10;
const LAST_PORT = 2;
const LAST_BAUD = 20_000_000;
/** A message that finds no room in the queue is posted again after a tick of FreeRTOS, ms. */
const TICK = 1;

/** Ports in use, by board. */
const inUse = new WeakMap<SimulatedBoard, Set<number>>();

/**
 * This project's UART class for the ESP32 (boards/esp32/serial) over ESP-IDF's driver. The interrupt service routine
 * moves what is in the FIFO to the receive buffer, whatever the script is doing. Once that is full, it keeps the bytes
 * that it has taken and is disabled until `read` has made room for them; meanwhile the FIFO fills up, and when it
 * overflows, the driver empties it.
 */
export default class Serial implements Ambient {
  /** The `target` option, for the callbacks. */
  readonly target: unknown;
  readonly #board = SimulatedBoard.current;
  readonly #wire: WirePort;
  readonly #onReadable: SerialOptions["onReadable"];
  readonly #onWritable: SerialOptions["onWritable"];
  readonly #idle: number;
  readonly #threshold: number;
  readonly #release: () => void;
  readonly #direction: boolean;
  #open = true;

  #fifo: number[] = [];
  #buffer: number[] = [];
  /** Taken from the FIFO, without room in the buffer; undefined: there was room, and the interrupt is enabled. */
  #stash: number[] | undefined;
  #lastByteAt = 0;
  #idleCheck: ClockEvent | undefined;
  #transmitEnabled = false;
  #posted = false;
  #retry: ClockEvent | undefined;

  constructor(options: SerialOptions & { readonly target?: unknown }) {
    const { receive, transmit, direction, baud, port = 0, format = "buffer", target, onReadable, onWritable } = options;
    this.target = target;
    const board = this.#board;
    if (receive === undefined && transmit === undefined) throw new Error("invalid");
    if (!Number.isInteger(port) || port < 0 || port > LAST_PORT) throw new RangeError("invalid port");
    if (!(baud > 0) || baud > LAST_BAUD) throw new RangeError("invalid baud");
    if (format !== "buffer") throw new RangeError("the simulator supports only format buffer");
    const { refusals } = board;
    const ports = inUse.get(board) ?? new Set<number>();
    inUse.set(board, ports);
    if (ports.has(port)) throw new RangeError("port in use");
    if (refusals.refusesAllocation()) throw new RangeError("no memory");
    if (refusals.serial) throw new Error("uart failed");
    const pins: number[] = [];
    const freePins = (): void => pins.forEach((pin) => board.pins.free(pin));
    try {
      if (transmit !== undefined) pins.push(board.pins.use(transmit, { output: true }).number);
      if (direction !== undefined) pins.push(board.pins.use(direction, { output: true }).number);
      if (receive !== undefined) pins.push(board.pins.use(receive).number);
    } catch (error) {
      freePins();
      throw error;
    }
    ports.add(port);

    this.#wire = board.wireOf(port).board;
    this.#wire.baud = baud;
    this.#idle = IDLE_CHARACTERS * byteTime(baud);
    this.#threshold = Math.min(MOST_THRESHOLD, Math.max(1, Math.floor(baud / THRESHOLD_BAUD)));
    this.#direction = direction !== undefined;
    this.#onReadable = receive === undefined ? undefined : onReadable;
    this.#onWritable = transmit === undefined ? undefined : onWritable;
    if (receive !== undefined) this.#wire.onByte = (byte) => this.#receive(byte);
    this.#wire.onSent = () => this.#sent();
    this.#transmitEnabled = this.#onWritable !== undefined;

    const detach = board.attach(() => this.close());
    this.#release = () => {
      detach();
      freePins();
      ports.delete(port);
      this.#wire.onByte = undefined;
      this.#wire.onSent = undefined;
      board.clock.cancel(this.#idleCheck);
      board.clock.cancel(this.#retry);
    };
    this.#checkWritable();
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#release();
  }

  read(): ArrayBuffer | undefined;
  read(buffer: ByteBuffer): number | undefined;
  read(buffer?: ByteBuffer): ArrayBuffer | number | undefined {
    this.#check();
    const available = this.#buffer.length;
    if (!available) return undefined;
    const own = new ArrayBuffer(available);
    const into = bytesOf(buffer ?? own);
    const count = Math.min(into.length, available);
    if (!count) throw new Error("invalid");
    into.set(this.#buffer.splice(0, count));
    this.#unstash();
    return buffer ? count : own;
  }

  write(buffer: ByteBuffer): void {
    this.#check();
    const bytes = bytesOf(buffer);
    if (bytes.length > this.#free) throw new Error("output full");
    this.#wire.send(bytes);
    if (!this.#onWritable) return;
    this.#transmitEnabled = true;
    this.#checkWritable();
  }

  /** The byte being shifted out still counts: this is at most one less than the hardware's free space, never more. */
  get #free(): number {
    return FIFO_BYTES - this.#wire.unsent;
  }

  #check(): void {
    if (!this.#open) throw new TypeError("closed");
  }

  #receive(byte: number): void {
    const { clock, uart } = this.#board;
    if (this.#fifo.length === FIFO_BYTES) {
      // The driver resets the FIFO.
      uart.received -= FIFO_BYTES;
      uart.overflows += FIFO_BYTES + 1;
      this.#fifo = [];
      return;
    }
    this.#fifo.push(byte);
    uart.received++;
    this.#lastByteAt = clock.now;
    this.#idleCheck ??= clock.after(this.#idle, () => this.#checkIdle());
    this.#checkThreshold();
  }

  #checkThreshold(): void {
    if (this.#fifo.length >= this.#threshold) this.#takeFifo();
  }

  #checkIdle(): void {
    const { clock } = this.#board;
    this.#idleCheck = undefined;
    const due = this.#lastByteAt + this.#idle;
    if (clock.now < due) this.#idleCheck = clock.at(due, () => this.#checkIdle());
    else if (this.#fifo.length) this.#takeFifo();
  }

  /** The interrupt service routine. */
  #takeFifo(): void {
    if (this.#stash) return;
    const taken = this.#fifo.splice(0);
    if (this.#buffer.length + taken.length > RECEIVE_BUFFER) {
      this.#stash = taken;
      return;
    }
    this.#buffer.push(...taken);
    if (this.#onReadable) this.#post();
  }

  /**
   * After a read. Enabling the interrupt again discards an idle time that elapsed meanwhile, but a FIFO filled to the
   * threshold raises it at once.
   */
  #unstash(): void {
    const stash = this.#stash;
    if (!stash || this.#buffer.length + stash.length > RECEIVE_BUFFER) return;
    this.#stash = undefined;
    this.#buffer.push(...stash);
    this.#checkThreshold();
  }

  #sent(): void {
    this.#board.uart.sent++;
    // With a direction pin the driver resets the FIFO at the end of a transmission: no echo is left.
    if (this.#direction && !this.#wire.unsent) this.#fifo = [];
    this.#checkWritable();
  }

  #checkWritable(): void {
    if (this.#open && this.#transmitEnabled && this.#wire.unsent < TRANSMIT_THRESHOLD) this.#post();
  }

  /** Has the script called: one message at a time, and none is lost if the queue is full. */
  #post(): void {
    if (this.#posted) return;
    this.#posted = true;
    this.#tryToPost();
  }

  #tryToPost(): void {
    const { refusals, clock } = this.#board;
    if (refusals.interrupts) this.#retry = clock.after(TICK, () => this.#tryToPost());
    else this.#board.post(() => this.#deliver());
  }

  #deliver(): void {
    this.#posted = false;
    const before = this.#buffer.length;
    if (this.#open && before && this.#onReadable) {
      this.#onReadable.call(this, before);
      // What `read` left, or made room for.
      if (this.#open && this.#buffer.length && this.#buffer.length !== before) this.#post();
    }
    if (this.#open && this.#transmitEnabled && this.#wire.unsent < TRANSMIT_THRESHOLD) {
      this.#transmitEnabled = false;
      this.#onWritable?.call(this, this.#free);
    }
  }
}
