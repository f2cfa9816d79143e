/** The SDK's timer, as far as it is used, over harness.c. */
export default class Timer {
  /** Of all callbacks, µs of this process. */
  static longest = 0;

  static set(callback, milliseconds = 0) {
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
