import { SimulatedBoard } from "../board";

/**
 * The SDK's Instrumentation (modules/base/instrumentation): counters of the machine by number. A release build has none of them, and
 * so has the board, unless its option `instrumentation` names some.
 */
const Instrumentation = {
  map(name: string): number | undefined {
    const index = Object.keys(SimulatedBoard.current.options.instrumentation ?? {}).indexOf(name);
    return index < 0 ? undefined : index + 1;
  },
  get(what: number | undefined): number | undefined {
    return what === undefined
      ? undefined
      : Object.values(SimulatedBoard.current.options.instrumentation ?? {})[what - 1];
  },
};
export default Instrumentation;
