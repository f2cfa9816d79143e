/** In place of web-sim/worker.ts: the system of the REST contract walk, which orders it about from Node. */
import { SimulatedBms } from "../../../host-sim/bms/simulated-bms";
import { SimulatedBoard } from "../../../host-sim/board";
import main, { type Firmware } from "../../../src/main";
import type { GroupName } from "../../../src/settings/types";
import { HTTP_PORT } from "../../../web-sim/port";
import { dial } from "../../../web-sim/sockets";
import { walkedBms } from "../../support/bms/walked-bms";

/** As test/support/system/walked-system.ts. */
const BMS = { model: "JK_PB9A24S20P", cells: 24, timeFactor: 0 };
const LEAP = 1_000;

const board = new SimulatedBoard({
  seed: 1,
  console: () => undefined,
  config: { httpPort: HTTP_PORT, settings: { api: { token: "0123456789abcdef0123456789abcdef" } } },
});
const { clock } = board;
const simulated = new SimulatedBms({ clock, wire: board.wire.bms, ...BMS });
const bms = walkedBms(simulated);
let firmware: Firmware | undefined;
let stands = false;

function goOn(): void {
  if (!stands) return clock.start();
  while (board.script.freeAt > clock.now) clock.runUntil(board.script.freeAt);
}

const ORDERS: Readonly<Record<string, (...parameters: never[]) => unknown>> = {
  async start() {
    await board.boot(() => (firmware = main()));
    clock.start();
  },
  setOnline: (online: boolean) => bms.setOnline(online),
  holdWrites(hold: boolean) {
    stands = hold;
    clock.stop();
    goOn();
    return bms.holdWrites(hold);
  },
  holdSetup: (hold: boolean) => bms.holdSetup(hold),
  register: (name: string) => bms.register(name),
  configure(group: GroupName, change: object) {
    const problem = firmware?.settings.update(group, change);
    if (problem) throw new Error(problem);
  },
  wait() {
    clock.stop();
    clock.runFor(LEAP);
    goOn();
  },
};

interface Order {
  readonly name: string;
  readonly parameters: never[];
}

self.onmessage = ({ data, ports: [port] }: MessageEvent<Order | "connect">) => {
  if (!port) return;
  if (data === "connect") return dial(HTTP_PORT, port);
  Promise.resolve()
    .then(() => ORDERS[data.name]?.(...data.parameters))
    .then(
      (result) => port.postMessage({ result }),
      (error: unknown) => port.postMessage({ error: String(error) }),
    );
};
