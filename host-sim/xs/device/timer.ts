import { DELIVERY_HEADER, EVENT, OPERATION, ORDERED, type OpenOrder } from "../protocol";
import { bytesOf, call, deliver, forget, invoke, newId, order, register, registered, told } from "./link";

class Handle {
  readonly id = newId();
  readonly #callback: (timer: Handle) => void;
  /** 0: fires once. */
  repeat: number;
  /** The delivery in which it was stopped. */
  stopped = 0;

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
    if (!registered(handle.id)) invoke(handle.id, "schedule");
    if (delay === undefined) {
      handle.stopped = told.delivery;
      order(ORDERED.unschedule, handle.id);
    } else order(ORDERED.schedule, handle.id, delay, repeat);
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

/** Timers that are due together. As on the device, one that another's callback has cleared or stopped does not fire. */
export function fireAll(message: DataView): void {
  for (let at = DELIVERY_HEADER; at < message.byteLength; at += 4) {
    const id = message.getUint32(at);
    if (at > DELIVERY_HEADER) {
      const timer = registered(id) as Handle | undefined;
      if (!timer || timer.stopped === told.delivery) continue;
      order(ORDERED.fire, id);
    }
    deliver(EVENT.onTimer, id, 0);
  }
}
