import Timer from "timer";

/** What beats by a timer. */
export interface Beating {
  beat(): void;
}

type Tied = Timer & { target: Beating };

/**
 * Has `target` beat every `interval` ms until the timer is cleared. The timer holds its target, so that none needs a function of its own:
 * that would take 8 slots of the device's memory, and this takes one.
 */
export function beatEvery(interval: number, target: Beating): Timer {
  const timer = Timer.repeat(beat, interval) as Tied;
  timer.target = target;
  return timer;
}

function beat(timer: Timer): void {
  (timer as Tied).target.beat();
}
