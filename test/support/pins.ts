/** Stand-ins for "embedded:io/digital" and "embedded:io/analog": the pins of a board in memory, handed in as `{ io, pin }`. */
import type Analog from "embedded:io/analog";
import type Digital from "embedded:io/digital";
import type { DigitalOptions } from "../../host-sim/io/options";

const INPUT = 0;
const INPUT_PULL_UP = 1;
const OUTPUT = 8;
const RISING = 1;
const FALLING = 2;

export class Pins {
  readonly digital: typeof Digital;
  /** Without edges, as on a board whose class knows none. */
  readonly digitalWithoutEdges: typeof Digital;
  readonly analog: typeof Analog;
  /** All levels ever put on an output pin, in order, and those of an input pin that others put there. */
  readonly levels = new Map<number, (0 | 1)[]>();
  /** Raw values that the converter gives; undefined: a failed conversion. */
  readonly codes = new Map<number, number | undefined>();
  readonly claimed = new Set<number>();
  readonly modes = new Map<number, number>();
  readonly #onEdge = new Map<number, () => void>();
  /** Pins whose claim throws. */
  readonly refused = new Set<number>();
  resolution = 12;

  constructor() {
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- the classes below have a `this` of their own
    const pins = this;
    class PlainDigital {
      static readonly Input = INPUT;
      static readonly InputPullUp = INPUT_PULL_UP;
      static readonly Output = OUTPUT;
      readonly #pin: number;
      readonly #output: boolean;

      constructor({ pin, mode, initialValue, edge, onReadable }: DigitalOptions) {
        if (onReadable && !edge) throw new RangeError("invalid edges");
        pins.#claim(pin);
        pins.modes.set(pin, mode);
        this.#pin = pin;
        this.#output = mode === OUTPUT;
        if (this.#output) pins.#record(pin, initialValue ?? 0);
        else if (onReadable) pins.#onEdge.set(pin, () => onReadable.call(this));
      }

      read(): 0 | 1 {
        if (this.#output) throw new Error("can't read output");
        return pins.levels.get(this.#pin)?.at(-1) ?? (pins.modes.get(this.#pin) === INPUT_PULL_UP ? 1 : 0);
      }

      write(value: 0 | 1): void {
        if (!this.#output) throw new Error("can't write input");
        pins.#record(this.#pin, value);
      }

      close(): void {
        pins.claimed.delete(this.#pin);
        pins.#onEdge.delete(this.#pin);
      }
    }
    class EdgeDigital extends PlainDigital {
      static readonly Rising = RISING;
      static readonly Falling = FALLING;
    }
    class MemoryAnalog {
      readonly resolution = pins.resolution;
      readonly #pin: number;

      constructor({ pin }: { pin: number }) {
        pins.#claim(pin);
        this.#pin = pin;
      }

      read(): number | undefined {
        return pins.codes.get(this.#pin);
      }

      close(): void {
        pins.claimed.delete(this.#pin);
      }
    }
    this.digital = EdgeDigital as unknown as typeof Digital;
    this.digitalWithoutEdges = PlainDigital as unknown as typeof Digital;
    this.analog = MemoryAnalog as unknown as typeof Analog;
  }

  /** Puts a level on an input pin; the script hears of the edge at once. */
  put(pin: number, level: 0 | 1): void {
    if (this.levels.get(pin)?.at(-1) === level) return;
    this.#record(pin, level);
    this.#onEdge.get(pin)?.();
  }

  /** A pulse that is over before the script hears of its first edge. */
  glitch(pin: number): void {
    this.#onEdge.get(pin)?.();
  }

  #record(pin: number, level: 0 | 1): void {
    const levels = this.levels.get(pin);
    if (levels) levels.push(level);
    else this.levels.set(pin, [level]);
  }

  #claim(pin: number): void {
    if (this.claimed.has(pin) || this.refused.has(pin)) throw new Error("in use");
    this.claimed.add(pin);
  }
}
