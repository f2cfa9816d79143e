import { BOARD } from "../protocol";
import { invoke } from "./link";

const Instrumentation = {
  map: (name: string): unknown => invoke(BOARD, "instrumentationMap", name),
  get: (what: number | undefined): unknown => invoke(BOARD, "instrumentationGet", what),
};
export default Instrumentation;
