import { probesOf } from "probes";
import start from "start";

/** The Linux build with the tests' probes beside it. They take memory only once one is asked. */
export default function run() {
  let probes;
  start((firmware) => ({
    probe: ({ name, parameters }) => (probes ??= probesOf(firmware))[name](...parameters),
    probes: () => Object.keys((probes ??= probesOf(firmware))),
  }));
}
