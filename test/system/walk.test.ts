import { walkSuite } from "../api/walk";
import { System } from "../support/system";
import { walkedBms } from "../support/walked-bms";

/** ms of virtual time that go by at a time while the walk waits: several polls, and less than an idle connection is kept. */
const LEAP = 1000;

walkSuite({
  name: "the whole system over real sockets",
  async start() {
    const system = await System.start({ bms: { model: "JK_PB9A24S20P", cells: 24, timeFactor: 0 } });
    const { probes } = system;
    const bms = walkedBms(system.bms);
    return {
      baseUrl: system.url,
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
        const problem = probes.configure(group, change);
        if (problem) throw new Error(problem);
      },
      wait: () => system.skip(LEAP),
      stop: () => system.stop(),
    };
  },
});
