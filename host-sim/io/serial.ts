import type Ambient from "embedded:io/serial";
import type { SerialOptions } from "./options";
import { SimulatedBoard } from "../board";
import { bytesOf } from "../bytes";
import type { ClockEvent } from "../clock";
import { byteTime, type WirePort } from "../wire";

const FIFO_BYTES = 128;
/** RXFIFO_FULL is raised at this many bytes in the FIFO: the register's reset value, which the SDK does not change. */
const RECEIVE_THRESHOLD = 96;
/** RXFIFO_TOUT is raised after this many idle character times. */
const IDLE_CHARACTERS = 4;
/** TXFIFO_EMPTY is raised below this many bytes in the FIFO. */
const TRANSMIT_THRESHOLD = 10;
const LAST_PORT = 2;
const LAST_BAUD = 20_000_000;

/** Ports in use, by board. */
const inUse = new WeakMap<SimulatedBoard, Set<number>>();

/**
 * The SDK's UART class for the ESP32 (modules/io/serial/esp32/serial.c), with no buffers besides the FIFOs. A receive
 * interrupt disables further ones until the callback has run or `read` was called. Re-enabling them discards an idle
 * timeout that occurred meanwhile, but a FIFO filled to the threshold raises its interrupt again immediately.
 */
export default class Serial implements Ambient {
  /** The `target` option, for the callbacks. */
  readonly target: unknown;
  readonly #board = SimulatedBoard.current;
  readonly #wire: WirePort;
  readonly #onReadable: SerialOptions["onReadable"];
  readonly #onWritable: SerialOptions["onWritable"];
  readonly #idle: number;
  readonly #release: () => void;
  #open = true;

  #fifo: number[] = [];
  #lastByteAt = 0;
  #idleCheck: ClockEvent | undefined;
  #idleRaised = false;
  #receiveEnabled = false;
  #transmitEnabled = false;
  #readable = false;
  #writable = false;

  constructor(options: SerialOptions & { readonly target?: unknown }) {
    const { receive, transmit, baud, port = 0, format = "buffer", target, onReadable, onWritable } = options;
    this.target = target;
    const board = this.#board;
    if (receive === undefined && transmit === undefined) throw new Error("invalid");
    if (!Number.isInteger(port) || port < 0 || port > LAST_PORT) throw new RangeError("invalid port");
    if (!(baud > 0) || baud > LAST_BAUD) throw new RangeError("invalid baud");
    if (format !== "buffer") throw new RangeError("the simulator supports only format buffer");
    const { refusals } = board;
    if (refusals.serial) throw new Error("uart failed");
    if (refusals.refusesAllocation()) throw new RangeError("no memory");
    const ports = inUse.get(board) ?? new Set<number>();
    inUse.set(board, ports);
    if (ports.has(port)) throw new RangeError("port in use");
    const pins: number[] = [];
    const freePins = (): void => pins.forEach((pin) => board.pins.free(pin));
    try {
      if (transmit !== undefined) pins.push(board.pins.use(transmit, { output: true }).number);
      if (receive !== undefined) pins.push(board.pins.use(receive).number);
    } catch (error) {
      freePins();
      throw error;
    }
    ports.add(port);

    this.#wire = board.wireOf(port).board;
    this.#wire.baud = baud;
    this.#idle = IDLE_CHARACTERS * byteTime(baud);
    this.#onReadable = receive === undefined ? undefined : onReadable;
    this.#onWritable = transmit === undefined ? undefined : onWritable;
    if (receive !== undefined) this.#wire.onByte = (byte) => this.#receive(byte);
    this.#wire.onSent = () => this.#sent();
    this.#receiveEnabled = this.#onReadable !== undefined;
    this.#transmitEnabled = this.#onWritable !== undefined;

    const detach = board.attach(() => this.close());
    this.#release = () => {
      detach();
      freePins();
      ports.delete(port);
      this.#wire.onByte = undefined;
      this.#wire.onSent = undefined;
      board.clock.cancel(this.#idleCheck);
    };
    this.#interrupt();
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
    const available = this.#fifo.length;
    if (!available) return undefined;
    const own = new ArrayBuffer(available);
    const into = bytesOf(buffer ?? own);
    const count = Math.min(into.length, available);
    if (!count) throw new Error("invalid");
    into.set(this.#fifo.splice(0, count));
    this.#enableReceive();
    return buffer ? count : own;
  }

  write(buffer: ByteBuffer): void {
    this.#check();
    const bytes = bytesOf(buffer);
    if (bytes.length > this.#free) throw new Error("output full");
    this.#wire.send(bytes);
    if (this.#onWritable && !this.#transmitEnabled) {
      this.#transmitEnabled = true;
      this.#interrupt();
    }
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
    if (this.#fifo.length < FIFO_BYTES) {
      this.#fifo.push(byte);
      uart.received++;
    } else uart.overflows++;
    this.#lastByteAt = clock.now;
    this.#idleCheck ??= clock.after(this.#idle, () => this.#checkIdle());
    this.#interrupt();
  }

  #checkIdle(): void {
    const { clock } = this.#board;
    this.#idleCheck = undefined;
    const due = this.#lastByteAt + this.#idle;
    if (clock.now < due) {
      this.#idleCheck = clock.at(due, () => this.#checkIdle());
      return;
    }
    this.#idleRaised = this.#fifo.length > 0;
    this.#interrupt();
  }

  #sent(): void {
    this.#board.uart.sent++;
    this.#interrupt();
  }

  #enableReceive(): void {
    if (!this.#onReadable || !this.#open) return;
    this.#idleRaised = false;
    this.#receiveEnabled = true;
    this.#interrupt();
  }

  /**
   * The interrupt service routine, run when one of its causes is pending. As in the SDK, a message that the queue has no
   * room for is neither noticed nor sent again: the cause stays marked as told, and its interrupt disabled.
   */
  #interrupt(): void {
    if (!this.#open) return;
    let post = false;
    if (this.#transmitEnabled && this.#wire.unsent < TRANSMIT_THRESHOLD) {
      post = !this.#writable;
      this.#writable = true;
      this.#transmitEnabled = false;
    }
    if (this.#receiveEnabled && (this.#idleRaised || this.#fifo.length >= RECEIVE_THRESHOLD)) {
      post ||= !this.#readable;
      this.#readable = true;
      this.#receiveEnabled = false;
    }
    if (post) this.#board.postFromInterrupt(() => this.#deliver());
  }

  #deliver(): void {
    if (this.#open && this.#readable) {
      this.#readable = false;
      const before = this.#fifo.length;
      if (before) this.#onReadable?.call(this, before);
      // A callback that does not read is called again and again; each call takes a little time here, or virtual time
      // would stand still.
      if (before < RECEIVE_THRESHOLD || this.#fifo.length < before) this.#enableReceive();
      else this.#board.clock.after(this.#idle, () => this.#enableReceive());
    }
    if (this.#open && this.#writable) {
      this.#writable = false;
      if (this.#free) this.#onWritable?.call(this, this.#free);
    }
  }
}
