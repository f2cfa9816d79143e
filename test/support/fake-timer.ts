interface Planned {
  readonly at: number;
  readonly callback: () => void;
}

/** What stands in for `time` and `timer` of the platform: time goes on only in `runFor`, and `ticks` wraps as on the device. */
export class FakeTimer {
  #now = 0;
  #planned: Planned[] = [];

  get ticks(): number {
    return this.#now | 0;
  }

  /** Callbacks that wait for their time. */
  get waiting(): number {
    return this.#planned.length;
  }

  /** Drops what waits and stands at `ticks`. */
  reset(ticks = 0): void {
    this.#now = ticks;
    this.#planned = [];
  }

  readonly set = (callback: () => void, delay = 0): Planned => {
    const planned = { at: this.#now + delay, callback };
    this.#planned.push(planned);
    return planned;
  };

  readonly clear = (planned: Planned | undefined): void => {
    this.#planned = this.#planned.filter((other) => other !== planned);
  };

  runFor(duration: number): void {
    const until = this.#now + duration;
    for (;;) {
      const next = this.#planned.reduce<Planned | undefined>(
        (first, planned) => (planned.at <= until && (!first || planned.at < first.at) ? planned : first),
        undefined,
      );
      if (!next) break;
      this.clear(next);
      this.#now = next.at;
      next.callback();
    }
    this.#now = until;
  }
}
