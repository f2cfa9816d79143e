import Timer from "timer";

/** A timer that knows whom it is for. */
export interface TimerOf<Target> extends Timer {
  target: Target;
}

/**
 * A timer whose callback is a function of a module and finds in `target` whom it is for, as the platform's sockets have it: a function made
 * for it alone would take some 8 slots of the device's memory, for as long as the timer is there.
 */
export function timerOf<Target>(
  target: Target,
  callback: (timer: TimerOf<Target>) => void,
  delay: number,
  repeat = 0,
): Timer {
  const timer = Timer.set(callback as (timer: Timer) => void, delay, repeat) as TimerOf<Target>;
  timer.target = target;
  return timer;
}

/** Whom a timer tells that its time has come. */
export interface Timed {
  tick(): void;
}

function tick(timer: TimerOf<Timed>): void {
  timer.target.tick();
}

/** As `Timer.set`. */
export function once(target: Timed, delay: number): Timer {
  return timerOf(target, tick, delay);
}

/** As `Timer.repeat`. */
export function repeat(target: Timed, interval: number): Timer {
  return timerOf(target, tick, interval, interval);
}
