import type Ambient from "embedded:io/digital";
import type { DigitalOptions } from "../../io/options";
import { LEVELS, ORDERED } from "../protocol";
import { invoke, order, Port, told } from "./link";

/** Whether each bit of the levels has its input. */
const taken: boolean[] = Array.from({ length: LEVELS }, () => false);

export default class Digital extends Port implements Ambient {
  static readonly Input = 0;
  static readonly InputPullUp = 1;
  static readonly InputPullDown = 2;
  static readonly InputPullUpDown = 3;
  static readonly Output = 8;
  static readonly OutputOpenDrain = 9;
  static readonly Rising = 1;
  static readonly Falling = 2;

  /** Negative: none. */
  #bit: number;
  #isOutput: boolean;
  /** The delivery in which it was opened: the levels do not include it yet. */
  readonly #opened = told.delivery;

  constructor(options: DigitalOptions) {
    const bit = options.mode < Digital.Output ? taken.indexOf(false) : -1;
    const withBit: DigitalOptions & { bit?: number } = bit < 0 ? options : { ...options, bit };
    super("digital", withBit);
    this.#bit = bit;
    this.#isOutput = options.mode >= Digital.Output;
    if (bit >= 0) taken[bit] = true;
  }

  read(): 0 | 1 {
    if (this.#bit < 0 || this.#opened === told.delivery || !told.areLevelsKnown)
      return invoke(this.id, "read") as 0 | 1;
    return ((told.levels >> this.#bit) & 1) as 0 | 1;
  }

  write(value: 0 | 1): void {
    if (this.#isOutput) order(ORDERED.writePin, this.id, Number(value) ? 1 : 0);
    else invoke(this.id, "write", value);
    told.areLevelsKnown = false;
  }

  override close(): void {
    if (this.#bit >= 0) taken[this.#bit] = false;
    this.#bit = -1;
    this.#isOutput = false;
    super.close();
  }
}
