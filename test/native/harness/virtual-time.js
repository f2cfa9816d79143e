/** The SDK's time and timers, as far as they are used, in a time of their own that only `pass` moves on. */
const timers = new Set();

export default class Timer {
  static ticks = 0;

  static set(callback, milliseconds = 0) {
    const timer = { callback, when: Timer.ticks + milliseconds };
    timers.add(timer);
    return timer;
  }

  static repeat(callback, milliseconds) {
    return Object.assign(Timer.set(callback, milliseconds), { milliseconds });
  }

  static clear(timer) {
    timers.delete(timer);
  }
}

/** Runs what is due. */
export function pass(milliseconds) {
  Timer.ticks += milliseconds;
  for (const timer of timers) {
    if (timer.when > Timer.ticks) continue;
    if (timer.milliseconds) timer.when += timer.milliseconds;
    else timers.delete(timer);
    timer.callback(timer);
  }
}
