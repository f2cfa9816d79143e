/**
 * One clock for the simulated BMS in the test's process and a program of the Linux build (linux/clock.c): neither advances until the
 * other has done what was due and received every byte in flight. Results do not depend on the machine's speed.
 */
import type { Readable, Writable } from "node:stream";
import type { OutsidePort } from "../../../host-sim/bridge";
import type { Clock } from "../../../host-sim/clock";

const MESSAGE_BYTES = 16;
const MICROSECONDS = 1_000;
/** Maximum real time counted per turn, ms: a late turn is not caught up. */
const MOST_A_TURN = 20;
/** Longest lag of the program's time, ms: it gets a step when something is due, or after this lag. */
const LAG = 10;

export class LockStep {
  readonly #clock: Clock;
  readonly #steps: Writable;
  /** The program's last report: time of its next timer, bytes sent, step number. */
  #due = Infinity;
  #written = 0;
  /** No report yet: the next timer is unknown until the program is idle. */
  #reported = -1;
  /** Bytes from and to its serial port. */
  #received = 0;
  #sent = 0;
  #toldSent = 0;
  #told = 0;
  #number = 0;
  /** Time advances up to this limit; in paced mode the limit follows real time. */
  #limit = 0;
  #paced: NodeJS.Timeout | undefined;
  #reached: (() => void) | undefined;
  #running = false;
  #pieces = Buffer.alloc(0);

  /** @param port the BMS's side of the serial line */
  constructor(clock: Clock, port: OutsidePort, steps: Writable, reports: Readable) {
    this.#clock = clock;
    this.#steps = steps;
    const write = port.write.bind(port);
    port.write = (bytes) => {
      this.#sent += bytes.length;
      write(bytes);
    };
    const { onBytes } = port;
    port.onBytes = (bytes) => {
      onBytes?.(bytes);
      this.#received += bytes.length;
      this.#go();
    };
    steps.on("error", () => undefined);
    reports.on("data", (bytes: Buffer) => this.#take(bytes));
    // The program has ended.
    reports.on("close", () => this.stop());
  }

  /** Runs at real-time pace, or slower on a slow machine. */
  pace(): void {
    let before = performance.now();
    this.#limit = this.#clock.now;
    const turn = (): void => {
      const now = performance.now();
      this.#limit = Math.max(this.#limit, this.#clock.now + Math.min(now - before, MOST_A_TURN));
      before = now;
      this.#go();
      this.#paced = setTimeout(turn, 1);
    };
    turn();
  }

  /** Advances by `ms` as fast as the machine can. */
  run(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#limit = this.#clock.now + ms;
      this.#reached = resolve;
      this.#go();
    });
  }

  stop(): void {
    clearTimeout(this.#paced);
    this.#reached?.();
  }

  #take(bytes: Buffer): void {
    this.#pieces = Buffer.concat([this.#pieces, bytes]);
    while (this.#pieces.length >= MESSAGE_BYTES) {
      const due = Number(this.#pieces.readBigInt64LE(0));
      this.#due = due < 0 ? Infinity : due / MICROSECONDS;
      this.#written = this.#pieces.readUInt32LE(8);
      this.#reported = this.#pieces.readUInt32LE(12);
      this.#pieces = this.#pieces.subarray(MESSAGE_BYTES);
    }
    this.#go();
  }

  /** Advances time as far as currently allowed. */
  #go(): void {
    if (this.#running) return;
    this.#running = true;
    const clock = this.#clock;
    while (this.#reported === this.#number && this.#received >= this.#written) {
      const { now } = clock;
      if (this.#sent !== this.#toldSent || now >= this.#due) {
        this.#tell();
        continue;
      }
      const until = Math.min(this.#limit, this.#due, clock.next ?? Infinity);
      if (until > now || (clock.next ?? Infinity) <= this.#limit) {
        clock.runUntil(Math.max(until, now));
        continue;
      }
      if (now - this.#told >= (this.#reached ? Number.MIN_VALUE : LAG)) {
        this.#tell();
        continue;
      }
      const reached = this.#reached;
      this.#reached = undefined;
      reached?.();
      break;
    }
    this.#running = false;
  }

  #tell(): void {
    const step = Buffer.alloc(MESSAGE_BYTES);
    this.#told = this.#clock.now;
    this.#toldSent = this.#sent;
    // Rounded up, so that events due at that time have become due.
    step.writeBigInt64LE(BigInt(Math.ceil(this.#told * MICROSECONDS)), 0);
    step.writeUInt32LE(this.#sent, 8);
    step.writeUInt32LE(++this.#number, 12);
    this.#steps.write(step);
  }
}
