import { type Entered, onTimer } from "door/enter";
import Timer from "timer";

/** Receives timer callbacks. */
export interface Timed extends Entered {
  tick(): void;
}

/** Like `Timer.set`, but creates no function at run time: the timer holds `target`, as the platform's sockets do. */
export function once(target: Timed, delay: number): Timer {
  return Object.assign(Timer.set(onTimer, delay), { target });
}

/** The same for a function. */
export const later = (part: string, tick: () => void, delay = 0): Timer => once({ part, tick }, delay);

/** Calls `action` after `delay`; at once if there is no memory for the timer. What it throws ends the script. */
export function laterOrNow(action: () => void, delay: number): void {
  try {
    // eslint-disable-next-line no-restricted-syntax -- a restart: whatever it throws, the script has to end
    Timer.set(action, delay);
  } catch {
    action();
  }
}

/** ms; a placeholder until the timer is scheduled. */
const STANDING = 1_000;

/**
 * A timer that stands still until `Timer.schedule(timer, delay, delay)`, and whose `tick` has to stop it by `Timer.schedule(timer)`: made
 * once, so that nothing can be missing when it is needed.
 */
export function standing(target: Timed): Timer {
  const timer = repeat(target, STANDING);
  Timer.schedule(timer);
  return timer;
}

/** Like `Timer.repeat`, but creates no function at run time. */
export function repeat(target: Timed, interval: number): Timer {
  return Object.assign(Timer.repeat(onTimer, interval), { target });
}
