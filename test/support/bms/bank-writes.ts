/** Random writes to random packs of a bank, with faults on the line, and other packs at the addresses. */
import { bankOf } from "../../../host-sim/bms/packs";
import { serialNumberAt, SimulatedBms } from "../../../host-sim/bms/simulated-bms";
import { SimulatedBoard } from "../../../host-sim/board";
import Serial from "../../../host-sim/io/serial";
import { BmsMonitor } from "../../../src/bms/monitor";
import { BmsPort } from "../../../src/bms/port";
import type { WriteReport } from "../../../src/bms/outcomes";
import { WRITE_TIMEOUT } from "../../../src/bms/limits";
import type { BusPack, PackIdentity } from "../../../src/packs/types";
import type { BmsSettings } from "../../../src/settings/types";
import { Random } from "../../fuzz/random";

const PACKS = 4;
const FAULTS = [
  "no-answer",
  "bad-crc",
  "truncated",
  "noise",
  "wrong-address",
  "stale",
  "delay",
  "ignore-write",
] as const;
export const BANK_SETTINGS: BmsSettings = {
  address: 1,
  baud: 115_200,
  interval: 1000,
  readMode: "auto",
  gap: 75,
  mode: "poll",
};

export interface BankWrites {
  readonly problems: string[];
  accepted: number;
  confirmed: number;
  /** Refused since another pack answers. */
  refused: number;
  /** Ended otherwise. */
  unconfirmed: number;
}

/** @param count writes that the queue is to accept */
export function writeToBank(seed: number, count: number): BankWrites {
  const random = new Random(seed);
  const result: BankWrites = { problems: [], accepted: 0, confirmed: 0, refused: 0, unconfirmed: 0 };
  const { problems } = result;
  // By itself: vitest is not there in `npm run soak`. The ticks wrap after 3 s.
  const board = new SimulatedBoard({ console: (text) => problems.push(text), online: true, ticks: 2 ** 31 - 3_000 });
  board.powerOn();
  const { clock, wire } = board;
  const bank = bankOf({ clock, wire, count: PACKS, seed });
  /** At each address two packs, of which one is plugged in. */
  const places = bank.packs.map((pack, index) => {
    const other = new SimulatedBms({
      clock,
      wire: wire.join(),
      address: index + 1,
      serialNumber: `OTHER${index + 1}`,
      seed: seed + 100 + index,
    });
    other.setOnline(false);
    return [pack, other] as const;
  });
  let packs: PackIdentity[] = places.map((_, index) => ({ address: index + 1, name: `Pack ${index + 1}`, serial: "" }));
  const monitor = new BmsMonitor({
    settings: BANK_SETTINGS,
    opener: new BmsPort({
      serial: Serial,
      build: { pins: board.config.pins },
      parts: { failed: (_part, error) => problems.push(String(error)), works: () => undefined },
    }),
    packs,
  });
  const identify = (index: number, serial: string): void => {
    packs = packs.map((pack, at) => (at === index ? { ...pack, serial } : pack));
    monitor.reconfigure(BANK_SETTINGS, packs);
  };
  monitor.observe({ packIdentified: ({ index, serialNumber }) => identify(index, serialNumber) });
  monitor.start();
  clock.runFor(20_000);

  const swap = (index: number): void => {
    const [one, other] = places[index]!;
    const isOne = one.answering;
    one.setOnline(!isOne);
    other.setOnline(isOne);
  };
  let raw = 3_400;
  const write = (index: number): void => {
    raw = 3_400 + ((raw - 3_399) % 300);
    const value = raw;
    const since = clock.now;
    const { serial } = packs[index]!;
    const refusal = monitor.writes.parameter(
      monitor.packs[index] as BusPack,
      "cell_ovp_voltage",
      value / 1000,
      "API",
      (report: WriteReport) => {
        if (clock.now - since > WRITE_TIMEOUT) problems.push(`late: ${report.outcome}`);
        if (report.outcome !== "confirmed") return void result.unconfirmed++;
        result.confirmed++;
        const [one, other] = places[index]!;
        const right = serial === serialNumberAt(index + 1) ? [one] : serial ? [other] : [one, other];
        const held = right.map(({ registers }) => registers.read("VolCellOV"));
        if (!held.includes(value)) problems.push(`confirmed ${value} for ${serial}, which holds ${held.join(" or ")}`);
      },
    );
    if (!refusal) result.accepted++;
    else if (refusal.reason === "other-pack") result.refused++;
  };

  while (result.accepted < count) {
    const place = random.below(PACKS);
    const [one, other] = places[place]!;
    switch (random.below(12)) {
      case 0:
        swap(place);
        break;
      case 1:
        identify(place, "");
        break;
      case 2:
        if (random.once(3)) one.faults.add({ kind: random.of(FAULTS), every: 2 + random.below(4), times: 4 });
        else other.faults.add({ kind: random.of(FAULTS), every: 2 + random.below(4), times: 4 });
        break;
    }
    const target = random.below(PACKS);
    write(target);
    // A swap may come in the middle of a write: between the serial number and the value, too.
    if (monitor.writes.pending && random.once(2)) {
      clock.runFor(100 + random.below(500));
      swap(target);
    }
    clock.runFor(random.below(2_500));
  }
  for (const pair of places) for (const pack of pair) pack.faults.clear();
  clock.runFor(WRITE_TIMEOUT);
  if (monitor.writes.pending) problems.push("stuck");
  monitor.close();
  bank.close();
  for (const [, other] of places) other.close();
  board.powerOff();
  board.clock.stop();
  return result;
}
