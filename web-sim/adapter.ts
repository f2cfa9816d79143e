/** A serial adapter of this computer as a station of the simulated wire, by Web Serial, in the worker. */
import type { Clock } from "../host-sim/clock";
import { byteTime, type WirePort } from "../host-sim/wire";
import type { Recorder } from "./recorder";
import { onlyReads, refusalOf } from "./requests";
import { isOfKind, serialOf, type PortInfo, type SerialPort } from "./serial";

/** What the page around the device shows. */
export interface AdapterState {
  readonly isOpen: boolean;
  /** Whether the user lets the firmware change the BMS. */
  readonly writes: boolean;
  readonly text: string;
}

interface AdapterOptions {
  readonly clock: Clock;
  readonly board: WirePort;
  /** Its own end of the wire. */
  readonly end: WirePort;
  readonly recorder: Recorder;
  readonly tell: (state: AdapterState) => void;
}

/** Of the browser, bytes: some seconds at 115,200 baud. */
const BUFFER = 16_384;
/** From the end of a request to its refusal, ms. */
const TURNAROUND = 2;

/** By the name of the DOMException. */
const OPEN_PROBLEMS: Readonly<Record<string, string>> = {
  NetworkError:
    "The adapter cannot be opened. Another program or tab uses it: close that. Or this user may not: on Linux, the group dialout may.",
  InvalidStateError: "The adapter is open in this tab already. Reload the page.",
  SecurityError: "This page may not use serial ports: the browser or its administrator forbids it.",
};
const LINE_ERRORS: Readonly<Record<string, string>> = {
  BufferOverrunError: "This computer was too busy, and bytes were lost.",
  BreakError: "The line is held low. Are A and B swapped, or shorted?",
  FramingError: "What arrives is damaged. Check the baud rate, and A and B.",
  ParityError: "What arrives is damaged. Check the baud rate, and A and B.",
};
const NO_WORKER_ACCESS =
  "This browser gives serial ports to pages alone, not to their workers, where the firmware runs. Chrome and Edge give them to both.";
const GONE = "The adapter is not there any more. Plug it in, and connect it again.";
const UNPLUGGED = "The adapter was unplugged. Plug it in, and connect it again.";
const REFUSED =
  "Not sent to the BMS: this connection only reads, so this page has refused the change in its place. To change the BMS, tick the box.";

const nameOf = (error: unknown): string => (error instanceof Error || error instanceof DOMException ? error.name : "");

export class Adapter {
  readonly #options: AdapterOptions;
  #port: SerialPort | undefined;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #reading: Promise<void> = Promise.resolve();
  #isOpen = false;
  #writes = false;
  #told = "";
  /** A change has been refused since the last of the user's decisions. */
  #hasRefused = false;
  /** What opens, closes and writes, one after the other. */
  #work: Promise<void> = Promise.resolve();

  constructor(options: AdapterOptions) {
    this.#options = options;
    const { board, end } = options;
    let held: number[] = [];
    end.onByte = (byte) => {
      held.push(byte);
      // In one piece, since a gap would break it.
      if (end.incoming) return;
      this.#request(Uint8Array.from(held));
      held = [];
    };
    board.onBaud = (baud) => {
      end.baud = baud;
      held = [];
      if (this.#port) void this.#do(() => this.#reopen());
    };
    end.baud = board.baud;
  }

  /** Opens the permitted port of this kind. It only reads until `allow`. */
  connect(kind: PortInfo): Promise<void> {
    return this.#do(async () => {
      await this.#close();
      this.#port = undefined;
      this.#writes = this.#hasRefused = false;
      const serial = serialOf(navigator);
      if (!serial) return this.#tell(NO_WORKER_ACCESS);
      this.#port = (await serial.getPorts()).find((port) => isOfKind(port, kind));
      if (!this.#port) return this.#tell(GONE);
      await this.#open();
    });
  }

  /** Whether writes pass: until the port is closed, lost, or connected again. */
  allow(writes: boolean): void {
    this.#writes = writes;
    this.#hasRefused = false;
    this.#tellOpen();
  }

  /** For another page or program. */
  close(): Promise<void> {
    return this.#do(() => this.#close());
  }

  #do(step: () => Promise<void>): Promise<void> {
    return (this.#work = this.#work.then(step).catch((error: unknown) => this.#lose(String(error))));
  }

  #tell(text: string): void {
    const told = JSON.stringify([text, this.#isOpen, this.#writes]);
    if (told === this.#told) return;
    this.#told = told;
    this.#options.tell({ isOpen: this.#isOpen, writes: this.#writes, text });
  }

  #tellOpen(trouble = ""): void {
    if (!this.#isOpen) return;
    const more = trouble || (this.#hasRefused ? REFUSED : "");
    const baud = this.#options.end.baud.toLocaleString("en");
    this.#tell(`Connected, ${baud} baud, ${this.#writes ? "changes allowed" : "only reads"}. ${more}`.trimEnd());
  }

  async #open(): Promise<void> {
    const port = this.#port;
    if (!port) return;
    try {
      await port.open({ baudRate: this.#options.end.baud, bufferSize: BUFFER });
    } catch (error) {
      return this.#lose(OPEN_PROBLEMS[nameOf(error)] ?? `The adapter cannot be opened: ${String(error)}`);
    }
    this.#isOpen = true;
    this.#reading = this.#read(port);
    this.#tellOpen();
  }

  async #close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#reader?.cancel().catch(() => undefined);
    await this.#reading;
    await this.#port?.close();
  }

  /** At another baud rate: what the user has allowed stays. */
  async #reopen(): Promise<void> {
    await this.#close();
    await this.#open();
  }

  #lose(text: string): void {
    this.#isOpen = this.#writes = this.#hasRefused = false;
    this.#port = undefined;
    this.#tell(text);
  }

  /** Until it is closed or lost. A line error ends a stream, and there is a new one. */
  async #read(port: SerialPort): Promise<void> {
    while (this.#isOpen && port.readable) {
      const reader = port.readable.getReader();
      this.#reader = reader;
      try {
        for (let part = await reader.read(); !part.done; part = await reader.read()) this.#received(part.value);
      } catch (error) {
        this.#tellOpen(LINE_ERRORS[nameOf(error)]);
      } finally {
        reader.releaseLock();
      }
    }
    if (!this.#isOpen) return;
    this.#lose(UNPLUGGED);
    await port.close().catch(() => undefined);
  }

  #received(bytes: Uint8Array): void {
    const { clock, end, recorder } = this.#options;
    this.#tellOpen();
    clock.external(() => {
      recorder.take(false, bytes, clock.now - bytes.length * byteTime(end.baud), clock.now);
      end.send(bytes);
    });
  }

  /** From the firmware: nothing passes but what the user allows. */
  #request(bytes: Uint8Array): void {
    if (!this.#passes(bytes)) return this.#refuse(bytes);
    if (this.#isOpen) void this.#do(() => this.#write(bytes));
  }

  #passes(bytes: Uint8Array): boolean {
    return onlyReads(bytes) || (this.#writes && refusalOf(bytes) !== undefined);
  }

  #refuse(bytes: Uint8Array): void {
    const { clock, end } = this.#options;
    const refusal = refusalOf(bytes);
    if (!refusal || !this.#isOpen) return;
    this.#hasRefused = true;
    this.#tellOpen();
    clock.after(TURNAROUND, () => end.send(refusal));
  }

  async #write(bytes: Uint8Array): Promise<void> {
    // The user may have thought better of it since.
    if (!this.#passes(bytes)) return this.#refuse(bytes);
    const { clock, recorder, end } = this.#options;
    const writable = this.#port?.writable;
    if (!writable) return;
    const writer = writable.getWriter();
    try {
      const now = clock.now;
      recorder.take(true, bytes, now, now + bytes.length * byteTime(end.baud));
      await writer.write(bytes);
    } catch {
      // Lost: whoever reads notices it, too.
    } finally {
      writer.releaseLock();
    }
  }
}
