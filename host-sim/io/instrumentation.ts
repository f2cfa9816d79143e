import { SimulatedBoard } from "../board";

/**
 * The SDK's Instrumentation (modules/base/instrumentation): machine counters by number. A release build has none, nor
 * does the board unless its option `instrumentation` defines some.
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
