import Timer from "timer";

/** Whom a timer tells that its time has come. */
export interface Timed {
  tick(): void;
}

interface Kept extends Timer {
  readonly target: Timed;
}

function onTimer(timer: Timer): void {
  (timer as Kept).target.tick();
}

/** As `Timer.set`, with no function made at run time: the timer keeps `target`, as the platform's sockets do theirs. */
export function once(target: Timed, delay: number): Timer {
  return Object.assign(Timer.set(onTimer, delay), { target });
}

/** As `Timer.repeat`, likewise. */
export function repeat(target: Timed, interval: number): Timer {
  return Object.assign(Timer.repeat(onTimer, interval), { target });
}
