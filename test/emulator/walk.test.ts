import { walkSuite } from "../api/walk";
import { TOKEN } from "../support/system/system";
import { walkedBms } from "../support/bms/walked-bms";
import { WALKED } from "../support/system/walked-system";
import { BOARD, Machine, newBoard, scrap, WIFI } from "./machine";
import { OWNED, Owner } from "./owner";

if (!WIFI) throw new Error("This QEMU has no Wi-Fi: the walk needs lcgamboa/qemu (docs/building.md)");

walkSuite({
  name: `the image for ${BOARD} in QEMU, over Wi-Fi`,
  async start() {
    const folder = newBoard(OWNED);
    const machine = await Machine.start(folder, WALKED.bms);
    const owner = await Owner.of(machine);
    return {
      baseUrl: machine.url,
      token: TOKEN,
      bms: walkedBms(machine.bms),
      configure: (group, change) => owner.configure(group, change),
      async stop() {
        await machine.cut();
        scrap(folder);
      },
    };
  },
});
