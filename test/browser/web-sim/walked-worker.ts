/** In place of web-sim/worker.ts: the system of the REST contract walk, which orders it about from Node. */
import { SimulatedBms } from "../../../host-sim/bms/simulated-bms";
import { SimulatedBoard } from "../../../host-sim/board";
import type { BoardConfig } from "../../../host-sim/config";
import main, { type Firmware } from "../../../src/main";
import type { GroupName } from "../../../src/settings/types";
import { HTTP_PORT } from "../../../web-sim/port";
import { dial } from "../../../web-sim/sockets";
import { walkedBms } from "../../support/bms/walked-bms";

/** As test/support/system/walked-system.ts. */
const BMS = { model: "JK_PB9A24S20P", cells: 24, timeFactor: 0 };
const LEAP = 1_000;

let board: SimulatedBoard;
let bms: ReturnType<typeof walkedBms>;
let firmware: Firmware | undefined;
let stands = false;

function goOn(): void {
  const { clock } = board;
  if (!stands) return clock.start();
  while (board.script.freeAt > clock.now) clock.runUntil(board.script.freeAt);
}

const ORDERS: Readonly<Record<string, (...parameters: never[]) => unknown>> = {
  /** `config`: of another board. */
  async start(config: Partial<BoardConfig>) {
    board = new SimulatedBoard({
      seed: 1,
      console: () => undefined,
      config: { ...config, httpPort: HTTP_PORT, settings: { api: { token: "0123456789abcdef0123456789abcdef" } } },
    });
    const { clock, wire } = board;
    bms = walkedBms(new SimulatedBms({ clock, wire: wire.bms, ...BMS }));
    await board.boot(() => (firmware = main()));
    clock.start();
  },
  setOnline: (online: boolean) => bms.setOnline(online),
  holdWrites(hold: boolean) {
    stands = hold;
    board.clock.stop();
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
    board.clock.stop();
    board.clock.runFor(LEAP);
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
