/** Stand-ins for "timer" and "time" that a test drives. Put them in place with `vi.mock`. */

interface Entry {
  at: number;
  every: number;
  callback: () => void;
}

/** Time.ticks wraps soon after the start, as it does on the device every 25 days. */
const START = 0x7fff_ffff - 5_000;

let elapsed = 0;
let entries: Entry[] = [];

export const Time = {
  get ticks(): number {
    return (START + elapsed) | 0;
  },
};

export const Timer = {
  set(callback: () => void, interval = 0): Entry {
    const entry = { at: elapsed + interval, every: 0, callback };
    entries.push(entry);
    return entry;
  },
  repeat(callback: () => void, interval: number): Entry {
    const entry = { at: elapsed + interval, every: interval, callback };
    entries.push(entry);
    return entry;
  },
  clear(entry: Entry | undefined): void {
    entries = entries.filter((other) => other !== entry);
  },
};

export const timersRunning = (): number => entries.length;

/** Lets `ms` pass, with `between` after each timer. */
export function advance(ms: number, between: () => void = () => undefined): void {
  const until = elapsed + ms;
  for (;;) {
    const next = entries.reduce<Entry | undefined>(
      (first, entry) => (!first || entry.at < first.at ? entry : first),
      undefined,
    );
    if (!next || next.at > until) break;
    elapsed = next.at;
    if (next.every) next.at += next.every;
    else entries = entries.filter((other) => other !== next);
    next.callback();
    between();
  }
  elapsed = until;
}
