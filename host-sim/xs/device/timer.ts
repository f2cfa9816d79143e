import { invoke, forget, Port } from "./link";

class Handle extends Port {
  readonly #callback: (timer: Handle) => void;
  /** 0: fires once. */
  repeat: number;

  constructor(callback: (timer: Handle) => void, delay: number, repeat: number) {
    const options: object = { delay, repeat };
    super("timer", options);
    this.#callback = callback;
    this.repeat = repeat;
  }

  override deliver(): void {
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
    if (delay === undefined) invoke(handle.id, "schedule");
    else invoke(handle.id, "schedule", delay, repeat);
    handle.repeat = delay === undefined ? -1 : repeat;
  }

  static clear(handle: Handle | undefined | null): void {
    if (handle instanceof Handle) handle.close();
  }

  static delay(milliseconds: number): void {
    invoke(0, "delay", milliseconds);
  }
}
