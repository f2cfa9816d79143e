/** The simulator's whole system as the REST contract walk takes it: the walk lets virtual time go by. */
import type { SystemUnderTest } from "../api/walk";
import type { SystemOptions, System } from "./system";
import { walkedBms } from "./walked-bms";

/** ms of virtual time that go by at a time while the walk waits: several polls, and less than an idle connection is kept. */
const LEAP = 1000;

export const WALKED: SystemOptions = { bms: { model: "JK_PB9A24S20P", cells: 24, timeFactor: 0 } };

export function walkedSystem(system: System, baseUrl: string, stop: () => void | Promise<void>): SystemUnderTest {
  const bms = walkedBms(system.bms);
  return {
    baseUrl,
    token: system.token,
    bms: {
      ...bms,
      // For as long as the walk wants, not as the device would let it pend.
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
