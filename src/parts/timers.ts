import Timer from "timer";

/** Receives timer callbacks. */
export interface Timed {
  tick(): void;
}

interface Kept extends Timer {
  readonly target: Timed;
}

function onTimer(timer: Timer): void {
  (timer as Kept).target.tick();
}

/** Like `Timer.set`, but creates no function at run time: the timer holds `target`, as the platform's sockets do. */
export function once(target: Timed, delay: number): Timer {
  return Object.assign(Timer.set(onTimer, delay), { target });
}

/** Like `Timer.repeat`, but creates no function at run time. */
export function repeat(target: Timed, interval: number): Timer {
  return Object.assign(Timer.repeat(onTimer, interval), { target });
}
