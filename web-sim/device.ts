/** The simulated board in the worker, its BMS and the firmware. */
import { bankOf } from "../host-sim/bms/packs";
import { SimulatedBoard } from "../host-sim/board";
import { WT32_PINS, type BoardConfig } from "../host-sim/config";
import { givePast } from "../host-sim/past/board-past";
import { byteTime } from "../host-sim/wire";
import main, { type Firmware } from "../src/main";
import { Adapter, type AdapterState } from "./adapter";
import { hasFile, removeFile } from "./files";
import { PASSWORD_HASH } from "./password";
import { Recorder } from "./recorder";
import { SITUATIONS, type Situation } from "./situations";

/** Of the past, when a battery is shown for the first time. */
const PAST_DAYS = 400;
const CELLS = 16;
const CAPACITY = 280;
const BAUD = 115_200;
/** About 25 °C at the default thermistor, and three supplies behind their default dividers, V. */
const THERMISTOR_VOLTS = 1.03;
const SUPPLY_VOLTS = [1.2, 1.1, 0.5] as const;
const TIME_SERVER = { name: "pool.ntp.org", address: "192.0.2.123" } as const;
const SET_UP_CODE = /set-up code (\w+)/;

export interface Device {
  readonly board: SimulatedBoard;
  /** Undefined: the battery is a real one. */
  readonly adapter: Adapter | undefined;
  readonly recorder: Recorder;
  /** Follows the page's address while no password has been chosen; otherwise empty. */
  readonly code: string;
}

export interface DeviceOptions {
  readonly situation: Situation;
  /** Host name of the page. */
  readonly host: string;
  /** What becomes of the adapter. */
  readonly tell?: (state: AdapterState) => void;
}

function settingsOf(packs: number, hasPassword: boolean): BoardConfig["settings"] {
  const further = Array.from({ length: packs - 1 }, (_, at) => ({ address: at + 2, name: `Pack ${at + 2}` }));
  return {
    ...(hasPassword && { web: { password: PASSWORD_HASH } }),
    ...(packs > 1 && { packs: { first: "Pack 1", further } }),
  };
}

function adapterOf({ clock, wire }: SimulatedBoard, recorder: Recorder, tell: DeviceOptions["tell"]): Adapter {
  return new Adapter({ clock, board: wire.board, end: wire.bms, recorder, tell: (state) => tell?.(state) });
}

/** What passes on the simulated wire. */
function record({ clock, wire }: SimulatedBoard, recorder: Recorder): void {
  wire.onByte = (byte, sender) =>
    recorder.take(sender === wire.board, [byte], clock.now - byteTime(sender.baud), clock.now);
}

/** Powers it on; the clock runs when this resolves. */
export async function startDevice({ situation, host, tell }: DeviceOptions): Promise<Device> {
  const { packs, files, master = false, isNew = false, timeOfDay, prepare } = SITUATIONS[situation];
  const isReal = !packs;
  const history = `${files}.history`;
  const storage = `${files}.json`;
  const isFirst = !hasFile(history);
  // One that was not started to its end begins anew.
  if (isFirst) removeFile(storage);
  let code = "";
  const board = new SimulatedBoard({
    console: (text) => (code = SET_UP_CODE.exec(text)?.[1] ?? code),
    baud: BAUD,
    storage,
    history,
    utc: Date.now,
    config: {
      boardVersion: "web-sim",
      hosts: [host],
      settings: settingsOf(packs, !isNew),
      // Beside a real battery nothing is made up: no relay, no sensors.
      ...(isReal && { pins: { bms: WT32_PINS.bms } }),
    },
  });
  board.names.set(TIME_SERVER.name, TIME_SERVER.address);
  const recorder = new Recorder();
  const adapter = isReal ? adapterOf(board, recorder, tell) : undefined;
  if (!adapter) record(board, recorder);
  if (!isReal) {
    const bank = bankOf({
      clock: board.clock,
      wire: board.wire,
      count: packs,
      master,
      cells: CELLS,
      ...(timeOfDay !== undefined && { timeOfDay }),
    });
    prepare?.(bank, board.clock);
  }
  const { pins } = board.config;
  if (pins.temperature !== undefined) {
    board.setAnalog(pins.temperature, THERMISTOR_VOLTS);
    pins.voltages.forEach((pin, channel) => board.setAnalog(pin, SUPPLY_VOLTS[channel] ?? 0));
  }
  let hasPast = !isFirst || isNew || isReal;
  await board.boot<Firmware>(() => {
    // The chip's clock has gone on.
    board.setTime(Date.now() / 1_000);
    if (!hasPast)
      givePast(board, {
        ...{ days: PAST_DAYS, now: Math.floor(Date.now() / 1_000), seed: 1, cells: CELLS, capacity: CAPACITY },
        packs: Array.from({ length: packs }, (_, at) => at + 1),
      });
    hasPast = true;
    const firmware = main();
    if (!firmware) throw new Error("the firmware could not be built");
    return firmware;
  });
  board.clock.start();
  return { board, adapter, recorder, code };
}
