import { MAX_LISTENERS } from "./limits";

/** A short list of functions to call; one that throws is reported and keeps nobody else from being called. */
export class Listeners<Argument> {
  readonly #listeners: ((argument: Argument) => void)[] = [];

  /** Throws a RangeError beyond MAX_LISTENERS. */
  add(listener: (argument: Argument) => void): void {
    if (this.#listeners.length >= MAX_LISTENERS) throw new RangeError("too many listeners");
    this.#listeners.push(listener);
  }

  call(argument: Argument): void {
    for (const listener of this.#listeners) {
      try {
        listener(argument);
      } catch (error) {
        trace(`bms: a listener failed: ${String(error)}\n`);
      }
    }
  }
}
