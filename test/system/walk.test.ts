import { walkSuite } from "../api/walk";
import { System } from "../support/system";
import { walkedBms } from "../support/walked-bms";

/** How many times as fast as real time the device lives, so that going offline takes no five seconds. */
const PACE = 20;

walkSuite({
  name: "the whole system over real sockets",
  async start() {
    const system = await System.start({ bms: { model: "JK_PB9A24S20P", cells: 24, timeFactor: 0 } });
    const { board, probes } = system;
    const bms = walkedBms(system.bms);
    board.clock.start(PACE);
    return {
      baseUrl: system.url,
      token: system.token,
      bms: {
        ...bms,
        holdWrites(hold) {
          void bms.holdWrites(hold);
          // A write stays pending for some seconds: real ones, or a busy host is too late to see it.
          board.clock.start(hold ? 1 : PACE);
        },
      },
      configure(group, change) {
        const problem = probes.configure(group, change);
        if (problem) throw new Error(problem);
      },
      stop: () => system.stop(),
    };
  },
});
