import { SimulatedBoard } from "../board";

const RESOLUTION = 12;
const LAST_COUNT = 2 ** RESOLUTION - 1;
/**
 * Millivolts at the maximum reading of 4095 with 12 dB of attenuation, the SDK's default; higher voltages read the
 * same.
 */
const FULL_SCALE = 2450;
/** Millivolts reported for 0 V by the ESP32's calibration (line fitting, 12 dB). */
const LOWEST = 142;

/**
 * The SDK's analogue class for the ESP32 (modules/io/analog/esp32/_analog.c) with its default calibration: `read`
 * returns `millivolts * 4095 / 2450` in whole counts.
 */
export default class Analog {
  readonly #board = SimulatedBoard.current;
  readonly #pin: number;
  readonly #detach: () => void;
  #open = true;

  constructor({ pin }: { pin: number; format?: "number" }) {
    if (!this.#board.pins.hasConverter(pin)) throw new RangeError("not analog pin");
    if (this.#board.refusals.refusesAllocation()) throw new RangeError("no memory");
    this.#pin = this.#board.pins.use(pin).number;
    this.#detach = this.#board.attach(() => this.close());
  }

  get resolution(): number {
    return RESOLUTION;
  }

  get format(): "number" {
    return "number";
  }

  /** 0 to 4095. As in the SDK, undefined if the conversion fails, although its type does not say so. */
  read(): number {
    if (!this.#open) throw new TypeError("closed");
    if (this.#board.refusals.conversions) return undefined as unknown as number;
    const millivolts = Math.max(LOWEST, Math.floor(this.#board.pins.volts(this.#pin) * 1000));
    return Math.min(LAST_COUNT, Math.floor((millivolts * LAST_COUNT) / FULL_SCALE));
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#detach();
    this.#board.pins.free(this.#pin);
  }
}
