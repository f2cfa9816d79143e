import { walkSuite } from "../api/walk";
import { LinuxSystem } from "../support/system/linux-system";
import { TOKEN } from "../support/system/system";
import { walkedBms } from "../support/bms/walked-bms";

walkSuite({
  name: "the firmware on XS, with the Moddable SDK's own network and serial modules",
  async start() {
    const system = await LinuxSystem.start({ bms: { model: "JK_PB9A24S20P", cells: 24, timeFactor: 0 } });
    return {
      baseUrl: system.baseUrl,
      token: TOKEN,
      bms: walkedBms(system.bms),
      configure: (group, change) => system.configure(group, change),
      stop: () => system.stop(),
    };
  },
});
