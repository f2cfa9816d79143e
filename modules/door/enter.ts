/** What the platform calls: the `target` of its timers and sockets. */
export interface Entered {
  /** What it belongs to; undefined: what its `owner` does, if it has one. */
  readonly part?: string;
}

/** Hears what a callback of the platform threw. */
export interface Faults {
  /** @param part of the target */
  threw(part: string | undefined, error: unknown): void;
}

declare global {
  /** The firmware's. Without it nothing is caught. */
  var faults: Faults | undefined;
}

type Given<Method> = Method extends (...given: infer Parameters) => unknown ? Parameters : never;
type Methods = Readonly<Record<string, (first: unknown, second: unknown) => void>>;

/**
 * The door through which the platform calls the script: timers, sockets, serial port, pins, network interfaces. An exception that left a
 * callback would end the script, and with it the device's run; here it is caught and reported, and everything else goes on. Nothing is created
 * for a call.
 */
export function enter<Target, Name extends keyof Target>(
  target: Target | undefined,
  method: Name,
  ...given: Given<Target[Name]>
): void;
export function enter(target: unknown, method: string, first?: unknown, second?: unknown): void {
  try {
    (target as Methods | undefined)?.[method]?.(first, second);
  } catch (error) {
    threwIn(target as Owned | undefined, error);
  }
}

/** For what is caught elsewhere. */
export function threw(part: string | undefined, error: unknown): void {
  const { faults } = globalThis;
  if (!faults) throw error;
  faults.threw(part, error);
}

interface Owned {
  readonly part?: string;
  readonly owner?: Owned;
}

function threwIn(target: Owned | undefined, error: unknown): void {
  let at = target;
  while (at && !at.part) at = at.owner;
  threw(at?.part, error);
}

/** A timer, or an object of the platform's: it keeps the `target` that it was constructed with. */
interface Holder<Target> {
  readonly target: Target;
}

// Not by `enter`, for its steps: most of what happens comes in here.
/* eslint-disable no-restricted-syntax -- these are the doors */

export function onTimer(timer: object): void {
  try {
    (timer as Holder<{ tick(): void }>).target.tick();
  } catch (error) {
    threwIn((timer as Holder<Owned>).target, error);
  }
}

export function onReadable(this: object, count?: number, more?: unknown): void {
  try {
    (this as Holder<{ readable(count?: number, more?: unknown): void }>).target.readable(count, more);
  } catch (error) {
    threwIn((this as Holder<Owned>).target, error);
  }
}

export function onWritable(this: object, count: number): void {
  try {
    (this as Holder<{ writable(count: number): void }>).target.writable(count);
  } catch (error) {
    threwIn((this as Holder<Owned>).target, error);
  }
}

export function onError(this: object, reason?: unknown): void {
  try {
    (this as Holder<{ lost(reason: unknown, from: object): void }>).target.lost(reason, this);
  } catch (error) {
    threwIn((this as Holder<Owned>).target, error);
  }
}
