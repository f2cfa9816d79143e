import { level, setLevel } from "native";

const INPUT = 0;
const INPUT_PULL_UP = 1;
const OUTPUT = 8;

/** A pin as far as the firmware goes. It reports no edges: what is asked for is told when it is read. */
export default class Digital {
  static Input = INPUT;
  static InputPullUp = INPUT_PULL_UP;
  static Output = OUTPUT;
  #pin;

  constructor({ pin, mode, initialValue = 0 }) {
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
