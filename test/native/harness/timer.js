/** The SDK's timer, as far as it is used, over harness.c. */
export default class Timer {
  /** Of all callbacks, µs of this process. */
  static longest = 0;

  /** So many timers from now on find no memory; what is called for each. */
  static refusals = 0;
  static onRefused;

  static set(callback, milliseconds = 0) {
    if (Timer.refusals > 0) {
      Timer.refusals--;
      Timer.onRefused?.();
      throw new Error("no memory");
    }
    const timer = { number: -1 };
    timer.number = setTimer(() => {
      timer.number = -1;
      const before = microseconds();
      callback(timer);
      Timer.longest = Math.max(Timer.longest, microseconds() - before);
    }, milliseconds);
    return timer;
  }

  static clear(timer) {
    if (!timer || timer.number < 0) return;
    clearTimer(timer.number);
    timer.number = -1;
  }
}
