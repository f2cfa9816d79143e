/** Observers of one part; more is a leak. */
export const MAX_OBSERVERS = 16;

type Methods<Observer> = { [Name in keyof Observer]-?: (argument: Argument<Observer, Name>) => void };
type Argument<Observer, Name extends keyof Observer> = Parameters<
  Extract<Observer[Name], (...parameters: never[]) => void>
>[0];

/**
 * Whom a part tells what happens to it: objects with the methods that they want to be told by. Not functions, since each that is made at
 * run time takes some 8 slots of the device's memory, and an object that is there anyway takes none; and the list itself, since one more
 * object around it takes 3. What one of them throws is reported and keeps nobody else from being told.
 */
export class Observers<Observer extends object> extends Array<Observer> {
  /** Throws a RangeError beyond MAX_OBSERVERS. */
  add(observer: Observer): void {
    if (this.length >= MAX_OBSERVERS) throw new RangeError("too many observers");
    this.push(observer);
  }

  /** Calls the method `name` of all that have it, in the order in which they were added. */
  tell<Name extends keyof Observer>(name: Name, argument: Argument<Observer, Name>): void {
    for (const observer of this) {
      try {
        (observer as Partial<Methods<Observer>>)[name]?.(argument);
      } catch (error) {
        trace(`${String(name)}: an observer failed: ${String(error)}\n`);
      }
    }
  }
}
