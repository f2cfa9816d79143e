import { OPERATION, ORDERED, type OpenOrder } from "../protocol";
import { bytesOf, call, forget, invoke, isRegistered, newId, order, register, told } from "./link";

class Handle {
  readonly id = newId();
  readonly #callback: (timer: Handle) => void;
  /** 0: fires once. */
  repeat: number;

  constructor(callback: (timer: Handle) => void, delay: number, repeat: number) {
    this.#callback = callback;
    this.repeat = repeat;
    if (told.refuses) {
      const wanted: OpenOrder = { kind: "timer", options: { delay, repeat }, callbacks: [] };
      call(OPERATION.open, this.id, 0, bytesOf(JSON.stringify(wanted)));
    } else order(ORDERED.setTimer, this.id, delay, repeat);
    register(this.id, this);
  }

  deliver(): void {
    try {
      this.#callback(this);
    } finally {
      if (this.repeat === 0) forget(this.id);
    }
  }
}

export default class Timer {
  static set(callback: (timer: Handle) => void, delay = 0, repeat = 0): Handle {
    return new Handle(callback, delay, repeat);
  }

  static repeat(callback: (timer: Handle) => void, interval: number): Handle {
    return new Handle(callback, interval, interval);
  }

  static schedule(handle: Handle, delay?: number, repeat = 0): void {
    // What does not exist is refused.
    if (!isRegistered(handle.id)) invoke(handle.id, "schedule");
    if (delay === undefined) order(ORDERED.unschedule, handle.id);
    else order(ORDERED.schedule, handle.id, delay, repeat);
    handle.repeat = delay === undefined ? -1 : repeat;
  }

  static clear(handle: Handle | undefined | null): void {
    if (!(handle instanceof Handle)) return;
    order(ORDERED.clearTimer, handle.id);
    forget(handle.id);
  }

  static delay(milliseconds: number): void {
    invoke(0, "delay", milliseconds);
  }
}
