/** Maximum number of observers per part; more indicates a leak. */
export const MAX_OBSERVERS = 16;

type Methods<Observer> = { [Name in keyof Observer]-?: (argument: Argument<Observer, Name>) => void };
type Argument<Observer, Name extends keyof Observer> = Parameters<
  Extract<Observer[Name], (...parameters: never[]) => void>
>[0];

/**
 * The observers of a part: objects that implement the event methods they are interested in. Objects instead of
 * functions, since a function created at run time takes about 8 slots of the device's memory and an existing object
 * none; a subclass of Array, since a wrapper object would take 3 more. An exception in one observer is logged and does
 * not affect the others.
 */
export class Observers<Observer extends object> extends Array<Observer> {
  /** Throws a RangeError beyond MAX_OBSERVERS. */
  add(observer: Observer): void {
    if (this.length >= MAX_OBSERVERS) throw new RangeError("too many observers");
    this.push(observer);
  }

  /** Calls the method `name` of every observer that has it, in the order in which they were added. */
  report<Name extends keyof Observer>(name: Name, argument: Argument<Observer, Name>): void {
    let next = 0;
    while (next < this.length)
      try {
        // All in one `try`, which takes XS longer than most of what is called. A `for` with `of` takes three times the steps.
        while (next < this.length) (this[next++] as Partial<Methods<Observer>>)[name]?.(argument);
      } catch (error) {
        trace(`${String(name)}: an observer failed: ${String(error)}\n`);
      }
  }
}
