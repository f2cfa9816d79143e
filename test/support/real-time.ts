/** Stand-ins for "timer" and "time" on the host's own time. Put them in place with `vi.mock`. */
export const Time = {
  get ticks(): number {
    return performance.now() | 0;
  },
};

export const Timer = {
  set: (callback: () => void, interval = 0): NodeJS.Timeout => setTimeout(callback, interval),
  repeat: (callback: () => void, interval: number): NodeJS.Timeout => setInterval(callback, interval),
  clear: (timer: NodeJS.Timeout | undefined): void => clearTimeout(timer),
};
