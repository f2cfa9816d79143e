/**
 * A serial port of the Web Serial specification (https://wicg.github.io/serial/, sections 4.4 to 4.6), joined to a simulated wire. What comes from the
 * wire arrives late and in chunks of any size, as USB adapters have it.
 */
import type { Clock } from "../../../host-sim/clock";
import { byteTime, type WirePort } from "../../../host-sim/wire";
import type { PortInfo, Serial, SerialPort } from "../../../web-sim/serial";

/** Of the specification: errors of the line end a stream, and there is a new one; others end the port. */
export type LineError = "BufferOverrunError" | "BreakError" | "FramingError" | "ParityError";

interface TestPortOptions {
  readonly clock: Clock;
  readonly end: WirePort;
  readonly info?: PortInfo;
  /** From a byte on the wire to the program, ms at most: FTDI's default. */
  readonly latency?: number;
}

const DEFAULT_BUFFER = 255;
const error = (name: string): DOMException => new DOMException(`simulated: ${name}`, name);

export class TestPort implements SerialPort {
  /** In use by another program. */
  isBusy = false;
  /** The transceiver hears itself. */
  echoes = false;
  /** A and B are not connected. */
  isDeaf = false;
  isForgotten = false;
  /** How often it has been opened, at which baud rates. */
  readonly opened: number[] = [];
  readonly #clock: Clock;
  readonly #end: WirePort;
  readonly #info: PortInfo;
  readonly #latency: number;
  #state: "closed" | "opened" = "closed";
  #isPlugged = true;
  #readable: ReadableStream<Uint8Array> | undefined;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #writable: WritableStream<Uint8Array> | undefined;
  #buffer: number[] = [];
  #bufferSize = DEFAULT_BUFFER;
  #planned = false;
  #chunk = 0;

  constructor({ clock, end, info = { usbVendorId: 0x1a86, usbProductId: 0x7523 }, latency = 16 }: TestPortOptions) {
    this.#clock = clock;
    this.#end = end;
    this.#info = info;
    this.#latency = latency;
    end.onByte = (byte) => this.#take(byte);
  }

  getInfo(): PortInfo {
    return this.#info;
  }

  open({ baudRate, bufferSize = DEFAULT_BUFFER }: { baudRate: number; bufferSize?: number }): Promise<void> {
    if (this.#state !== "closed") return Promise.reject(error("InvalidStateError"));
    if (!(baudRate > 0) || !(bufferSize > 0)) return Promise.reject(new TypeError("invalid options"));
    if (this.isBusy || !this.#isPlugged) return Promise.reject(error("NetworkError"));
    this.#state = "opened";
    this.#bufferSize = bufferSize;
    this.#buffer = [];
    this.#end.baud = baudRate;
    this.opened.push(baudRate);
    return Promise.resolve();
  }

  /** Rejects while a stream is locked, as `cancel` and `abort` of one do. */
  async close(): Promise<void> {
    if (this.#state !== "opened") throw error("InvalidStateError");
    await Promise.all([this.#readable?.cancel(), this.#writable?.abort()]);
    this.#readable = this.#writable = undefined;
    this.#state = "closed";
  }

  forget(): Promise<void> {
    this.isForgotten = true;
    return Promise.resolve();
  }

  get readable(): ReadableStream<Uint8Array> | null {
    // A new one once the last was cancelled and let go.
    if (this.#readable && (this.#controller || this.#readable.locked)) return this.#readable;
    if (this.#state !== "opened" || !this.#isPlugged) return null;
    return (this.#readable = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        pull: () => this.#deliver(),
        cancel: () => {
          this.#buffer = [];
          this.#controller = undefined;
        },
      },
      { highWaterMark: 0 },
    ));
  }

  get writable(): WritableStream<Uint8Array> | null {
    if (this.#writable) return this.#writable;
    if (this.#state !== "opened" || !this.#isPlugged) return null;
    return (this.#writable = new WritableStream<Uint8Array>({
      write: (bytes) => {
        if (this.echoes) for (const byte of bytes) this.#take(byte);
        if (!this.isDeaf) this.#clock.external(() => this.#end.send(bytes));
      },
      abort: () => void (this.#writable = undefined),
    }));
  }

  /** The device is lost, and the port with it until it is plugged in again. */
  unplug(): void {
    this.#isPlugged = false;
    this.#end.abort();
    this.#fail(error("NetworkError"));
    // A writable stream that is errored is null from then on, too.
    this.#writable = undefined;
  }

  /** It is as it was: open, unless it was closed meanwhile. */
  plugIn(): void {
    this.#isPlugged = true;
  }

  get isPlugged(): boolean {
    return this.#isPlugged;
  }

  get isOpen(): boolean {
    return this.#state === "opened";
  }

  /** What the driver reports. */
  fail(name: LineError): void {
    this.#buffer = [];
    this.#fail(error(name));
  }

  #fail(why: DOMException): void {
    const controller = this.#controller;
    this.#readable = this.#controller = undefined;
    controller?.error(why);
  }

  #take(byte: number): void {
    if (this.#state !== "opened" || !this.#isPlugged || (this.isDeaf && !this.echoes)) return;
    if (this.#buffer.length >= this.#bufferSize) return this.fail("BufferOverrunError");
    this.#buffer.push(byte);
    if (this.#planned) return;
    this.#planned = true;
    // Anywhere between the next byte and the latency timer's end.
    this.#chunk = (this.#chunk + 7) % 17;
    this.#clock.after(byteTime(this.#end.baud) + (this.#latency * this.#chunk) / 17, () => {
      this.#planned = false;
      this.#deliver();
    });
  }

  /** Only what somebody waits for: the rest stays in the buffer. */
  #deliver(): void {
    const controller = this.#controller;
    if (!controller || this.#planned || !this.#buffer.length || !this.#wanted) return;
    this.#chunk = (this.#chunk + 5) % 17;
    controller.enqueue(Uint8Array.from(this.#buffer.splice(0, 1 + 4 * this.#chunk)));
  }

  get #wanted(): boolean {
    return (this.#readable?.locked ?? false) && (this.#controller?.desiredSize ?? -1) >= 0;
  }
}

/** `navigator.serial`: in a worker, which asks nobody, and in a page. */
export class TestSerial implements Serial {
  constructor(readonly ports: readonly TestPort[]) {}

  /** The user has closed the chooser if there is nothing to choose. */
  requestPort(): Promise<SerialPort> {
    const [port] = this.#permitted;
    return port ? Promise.resolve(port) : Promise.reject(error("NotFoundError"));
  }

  getPorts(): Promise<SerialPort[]> {
    return Promise.resolve(this.#permitted);
  }

  get #permitted(): TestPort[] {
    return this.ports.filter(({ isForgotten, isPlugged }) => !isForgotten && isPlugged);
  }
}
