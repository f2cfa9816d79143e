/** Beside other masters, each of which asks in an order and as often as it is known to: three packs follow it, and it loses nothing by this device. */
import { afterEach, describe, expect, it } from "vitest";
import * as FIELDS from "jk-bms/field-table";
import { readRaw } from "jk-bms/fields";
import { bankOf, type Bank } from "../../host-sim/bms/packs";
import { withCrc } from "../../host-sim/bms/codec";
import type { SimulatedBoard } from "../../host-sim/board";
import { BANK_SETTINGS } from "../support/bms/bank-writes";
import { lineBoard } from "../support/bms/line";
import { PackOnLine } from "../support/bms/pack-on-line";
import { SoloMonitor } from "../support/bms/solo-monitor";

const PACKS = 3;
const MINUTE = 60_000;
/** Between two requests of a master, ms: more than a reply takes. */
const GAP = 100;
const TELEMETRY = 0x1620;
const SETTINGS = 0x161e;
const DEVICE_INFO = 0x161c;
/** Bytes of a frame and its acknowledgement. */
const REPLY_BYTES = 308;

/** What it asks each pack for when it starts and then, every so many seconds; how often that has settings in it: every so many times, 0 never. */
interface Master {
  readonly first: readonly number[];
  readonly then: readonly number[];
  readonly every: number;
  readonly settings?: number;
}

const MASTERS: Readonly<Record<string, Master>> = {
  "dbus-serialbattery": { first: [SETTINGS, DEVICE_INFO], then: [TELEMETRY], every: 1 },
  "dbus-serialbattery, slower": { first: [SETTINGS, DEVICE_INFO], then: [TELEMETRY], every: 5 },
  "YamBMS, which asks as a JK master does": { first: [], then: [TELEMETRY, SETTINGS], every: 5 },
  "the component for ESPHome": { first: [], then: [DEVICE_INFO, SETTINGS, TELEMETRY], every: 5 },
  "an add-on of Home Assistant, settings hourly": { first: [SETTINGS], then: [TELEMETRY], every: 5, settings: 720 },
  "the same once a minute, settings hourly": { first: [SETTINGS], then: [TELEMETRY], every: 60, settings: 60 },
  "the same every second, settings never": { first: [], then: [TELEMETRY], every: 1 },
};

let board: SimulatedBoard;
let bank: Bank;
let monitor: SoloMonitor;
let sent: number;
/** Requests of the master, and replies to them as long as they have to be. */
let asked: number;
let answered: number;

function start({ first, then, every, settings = 0 }: Master): void {
  board = lineBoard();
  const { clock, wire } = board;
  bank = bankOf({ clock, wire, count: PACKS, evolving: false });
  const line = wire.join();
  let bytes = 0;
  line.onByte = () => bytes++;
  let turn = 0;
  const round = (): void => {
    const wanted = turn === 0 ? [...first, ...then] : settings && turn % settings === 0 ? [...then, SETTINGS] : then;
    turn++;
    const requests = bank.packs.flatMap((_, at) => wanted.map((register) => [at + 1, register] as const));
    requests.forEach(([address, register], at) =>
      clock.after(at * GAP, () => {
        bytes = 0;
        asked++;
        line.send(withCrc([address, 0x10, register >> 8, register & 255, 0, 1, 2, 0, 0]));
        clock.after(GAP - 1, () => void (bytes >= REPLY_BYTES && answered++));
      }),
    );
    clock.after(every * 1_000, round);
  };
  asked = answered = sent = 0;
  clock.after(500, round);
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

describe.each(Object.entries(MASTERS))("beside %s", (_, master) => {
  const isRare = master.every > 30;

  it("each pack is online, shows what it is answered, and has the settings that were asked for", () => {
    start(master);
    // One that speaks once a minute is taken for gone at first; what was read meanwhile was by registers, with which a frame cannot be compared.
    if (isRare) board.clock.runFor(130 * MINUTE);
    sent = asked = answered = 0;
    for (let minute = 0; minute < 10; minute++) {
      bank.packs.forEach(({ registers }, at) => registers.write("BatVol", 52_000 + 10 * minute + at));
      board.clock.runFor(MINUTE + 2_000);
      expect(voltages()).toEqual([0, 1, 2].map((at) => 52_000 + 10 * minute + at));
      expect(monitor.packs.map(({ online }) => online)).toEqual([true, true, true]);
    }
    const asks = [...master.first, ...master.then].includes(SETTINGS);
    expect(monitor.packs.map(({ configurationLoaded }) => configurationLoaded)).toEqual([asks, asks, asks]);
    expect([sent, asked - answered <= 1]).toEqual([0, true]);
  });
});

it("one that speaks once a minute: no pack goes offline between two questions once their interval is known", () => {
  start(MASTERS["the same once a minute, settings hourly"]!);
  board.clock.runFor(3 * MINUTE);
  let lost = 0;
  monitor.observe({ packOnlineChanged: ({ online }) => void (online || lost++) });
  board.clock.runFor(20 * MINUTE);
  expect([lost, monitor.packs.map(({ online }) => online)]).toEqual([0, [true, true, true]]);
});
