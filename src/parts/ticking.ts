import Timer from "timer";

/** Whoever does something at intervals. */
export interface Ticking {
  tick(): void;
}

/** A timer's object with whom it is for. */
interface Tied extends Timer {
  target?: Ticking;
}

/**
 * Calls `target.tick()` every `interval` ms until `Timer.clear`. Whom it calls stands in the timer's own object, which the platform gives
 * to the callback: a function made for each timer would take some 8 slots of memory for as long as the timer runs.
 */
export function tickEvery(target: Ticking, interval: number): Timer {
  const timer: Tied = Timer.repeat(tick, interval);
  timer.target = target;
  return timer;
}

function tick(timer: Tied): void {
  timer.target?.tick();
}
