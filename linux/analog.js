import { counts } from "native";

/** An ADC pin, in counts as on the ESP32. */
export default class Analog {
  #pin;

  constructor({ pin }) {
    this.#pin = pin;
  }

  get resolution() {
    return 12;
  }

  read() {
    return counts(this.#pin);
  }

  close() {}
}
