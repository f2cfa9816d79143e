import { level, setLevel } from "native";
import { isTroubled } from "troubles";

const INPUT = 0;
const INPUT_PULL_UP = 1;
const OUTPUT = 8;

/** The part of the digital class that the firmware uses. No edge callbacks: levels are polled. */
export default class Digital {
  static Input = INPUT;
  static InputPullUp = INPUT_PULL_UP;
  static Output = OUTPUT;
  #pin;

  constructor({ pin, mode, initialValue = 0 }) {
    if (isTroubled("no-pins")) throw new Error("in use");
    this.#pin = pin;
    if (mode === OUTPUT) setLevel(pin, initialValue);
  }

  read() {
    return level(this.#pin);
  }

  write(value) {
    setLevel(this.#pin, value);
  }

  close() {}
}
