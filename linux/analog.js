import { counts } from "native";

/** A pin of the converter, in the counts of the ESP32's. */
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
