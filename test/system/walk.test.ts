import { walkSuite } from "../api/walk";
import { System } from "../support/system/system";
import { WALKED, walkedSystem } from "../support/system/walked-system";

walkSuite({
  name: "the whole system over real sockets",
  async start() {
    const system = await System.start(WALKED);
    return walkedSystem(system, system.url, () => system.stop());
  },
});
