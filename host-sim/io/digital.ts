import type Ambient from "embedded:io/digital";
import type { DigitalOptions } from "./options";
import { SimulatedBoard } from "../board";
import type { Level, Pin } from "../pins";

const INPUT = 0;
const INPUT_PULL_UP = 1;
const INPUT_PULL_DOWN = 2;
const INPUT_PULL_UP_DOWN = 3;
const OUTPUT = 8;
const OUTPUT_OPEN_DRAIN = 9;
const RISING = 1;
const FALLING = 2;

const MODES = [INPUT, INPUT_PULL_UP, INPUT_PULL_DOWN, INPUT_PULL_UP_DOWN, OUTPUT, OUTPUT_OPEN_DRAIN];

/** The SDK's digital class (modules/io/digital): edges before the callback runs are delivered as one. */
export default class Digital implements Ambient {
  static readonly Input = INPUT;
  static readonly InputPullUp = INPUT_PULL_UP;
  static readonly InputPullDown = INPUT_PULL_DOWN;
  static readonly InputPullUpDown = INPUT_PULL_UP_DOWN;
  static readonly Output = OUTPUT;
  static readonly OutputOpenDrain = OUTPUT_OPEN_DRAIN;
  static readonly Rising = RISING;
  static readonly Falling = FALLING;

  /** As on the device, present only if passed to the constructor. */
  declare readonly target?: unknown;
  readonly #board = SimulatedBoard.current;
  readonly #pin: Pin;
  readonly #mode: number;
  readonly #detach: () => void;
  #open = true;
  #triggered = false;

  constructor(options: DigitalOptions) {
    const { pin, mode, initialValue = 0, edge = 0, onReadable } = options;
    if (!MODES.includes(mode)) throw new RangeError("invalid mode");
    const output = mode === OUTPUT || mode === OUTPUT_OPEN_DRAIN;
    if (!output && onReadable && !(edge & (RISING | FALLING))) throw new RangeError("invalid edges");
    if ("target" in options) this.target = options.target;
    if (this.#board.refusals.refusesAllocation()) throw new RangeError("no memory");
    this.#pin = this.#board.pins.use(pin, { output });
    this.#mode = mode;
    if (output) this.#drive(initialValue);
    else {
      this.#pin.configure(undefined, mode & INPUT_PULL_UP ? 1 : 0);
      if (onReadable)
        this.#pin.onEdge = (level) => {
          if (edge & (level ? RISING : FALLING)) this.#trigger(onReadable);
        };
    }
    this.#detach = this.#board.attach(() => this.close());
  }

  read(): Level {
    this.#check();
    if (this.#isOutput) throw new Error("can't read output");
    return this.#pin.level;
  }

  write(value: Level): void {
    this.#check();
    if (!this.#isOutput) throw new Error("can't write input");
    this.#drive(value);
  }

  /** The pin returns to its reset state: no longer an output. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#detach();
    this.#board.pins.free(this.#pin.number);
  }

  get #isOutput(): boolean {
    return this.#mode === OUTPUT || this.#mode === OUTPUT_OPEN_DRAIN;
  }

  #check(): void {
    if (!this.#open) throw new TypeError("closed");
  }

  #drive(value: Level): void {
    const level = Number(value) ? 1 : 0;
    this.#pin.configure(level && this.#mode === OUTPUT_OPEN_DRAIN ? undefined : level);
  }

  /** The interrupt service routine (modules/io/digital/esp32/digitalbank.c): no further edge is told before its message is delivered. */
  #trigger(onReadable: NonNullable<DigitalOptions["onReadable"]>): void {
    if (this.#triggered) return;
    this.#triggered = true;
    this.#board.postFromInterrupt(() => {
      this.#triggered = false;
      if (this.#open) onReadable.call(this);
    });
  }
}
