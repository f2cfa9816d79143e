import { counts } from "native";
import { isTroubled } from "troubles";

/** An ADC pin, in counts as on the ESP32. */
export default class Analog {
  #pin;

  constructor({ pin }) {
    if (isTroubled("no-pins")) throw new RangeError("in use");
    this.#pin = pin;
  }

  get resolution() {
    return 12;
  }

  read() {
    return isTroubled("no-conversions") ? undefined : counts(this.#pin);
  }

  close() {}
}
