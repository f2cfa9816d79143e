/** The simulated system for the REST contract walk, which advances virtual time. */
import type { SystemUnderTest } from "../../api/walk";
import type { SystemOptions, System } from "./system";
import { walkedBms } from "../bms/walked-bms";

/** Step of virtual time while the walk waits, ms: several polls, but less than the idle timeout of a connection. */
const LEAP = 1000;

export const WALKED: SystemOptions = { bms: { model: "JK_PB9A24S20P", cells: 24, timeFactor: 0 } };

export function walkedSystem(system: System, baseUrl: string, stop: () => void | Promise<void>): SystemUnderTest {
  const bms = walkedBms(system.bms);
  return {
    baseUrl,
    token: system.token,
    bms: {
      ...bms,
      // For as long as the walk requires, not limited by the write timeout.
      holdWrites(hold) {
        system.stand(hold);
        return bms.holdWrites(hold);
      },
    },
    configure(group, change) {
      const problem = system.probes.configure(group, change);
      if (problem) throw new Error(problem);
    },
    wait: () => system.skip(LEAP),
    stop,
  };
}
