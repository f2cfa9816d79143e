/** Beside other masters, each of which asks in an order and as often as it is known to: three packs follow it, and it loses nothing by this device. */
import { afterEach, describe, expect, it } from "vitest";
import * as FIELDS from "jk-bms/field-table";
import { readRaw } from "jk-bms/fields";
import { bankOf, type Bank } from "../../host-sim/bms/packs";
import { FrameMaster, parseFrameMaster } from "../../host-sim/bms/frame-master";
import type { SimulatedBoard } from "../../host-sim/board";
import { BANK_SETTINGS } from "../support/bms/bank-writes";
import { lineBoard } from "../support/bms/line";
import { PackOnLine } from "../support/bms/pack-on-line";
import { SoloMonitor } from "../support/bms/solo-monitor";

const PACKS = 3;
const MINUTE = 60_000;

const MASTERS = [
  "dbus-serialbattery",
  "dbus-serialbattery:every=5",
  "yambms",
  "esphome",
  "home-assistant:every=1:settings=0",
  "home-assistant:settings=0",
  "home-assistant:settings=3600",
  "home-assistant",
  "home-assistant:every=60:settings=3600",
] as const;

let board: SimulatedBoard;
let bank: Bank;
let monitor: SoloMonitor;
let master: FrameMaster;
/** By this device. */
let sent: number;

function start(order: string): void {
  board = lineBoard();
  const { clock, wire } = board;
  bank = bankOf({ clock, wire, count: PACKS, evolving: false });
  master = new FrameMaster({ clock, wire, addresses: [1, 2, 3] }, parseFrameMaster(order));
  sent = 0;
  const send = wire.board.send.bind(wire.board);
  wire.board.send = (data) => {
    sent++;
    send(data);
  };
  monitor = new SoloMonitor({
    settings: { ...BANK_SETTINGS, mode: "auto" },
    opener: new PackOnLine(board),
    packs: bank.packs.map((_, at) => ({ address: at + 1, name: "", serial: "" })),
  });
  monitor.start();
}

afterEach(() => {
  monitor.close();
  bank.close();
});

const voltages = (): number[] => monitor.packs.map(({ telemetry }) => readRaw(telemetry, FIELDS.packVoltage));

describe.each(MASTERS)("beside %s", (order) => {
  it("each pack is online, shows what it is answered, and has the settings that were asked for", () => {
    start(order);
    // One that speaks once a minute is taken for gone at first; what was read meanwhile was by registers, with which a frame cannot be compared.
    if (master.every > 30) board.clock.runFor(130 * MINUTE);
    sent = master.requests = master.answered = 0;
    for (let minute = 0; minute < 10; minute++) {
      bank.packs.forEach(({ registers }, at) => registers.write("BatVol", 52_000 + 10 * minute + at));
      board.clock.runFor(MINUTE + 2_000);
      expect(voltages()).toEqual([0, 1, 2].map((at) => 52_000 + 10 * minute + at));
      expect(monitor.packs.map(({ online }) => online)).toEqual([true, true, true]);
    }
    const asks = master.asksForSettings;
    expect(monitor.packs.map(({ configurationLoaded }) => configurationLoaded)).toEqual([asks, asks, asks]);
    expect([sent, master.requests - master.answered <= 1]).toEqual([0, true]);
  });
});

it("one that speaks once a minute: no pack goes offline between two questions once their interval is known", () => {
  start("home-assistant:every=60:settings=3600");
  board.clock.runFor(3 * MINUTE);
  let lost = 0;
  monitor.observe({ packOnlineChanged: ({ online }) => void (online || lost++) });
  board.clock.runFor(20 * MINUTE);
  expect([lost, monitor.packs.map(({ online }) => online)]).toEqual([0, [true, true, true]]);
});
