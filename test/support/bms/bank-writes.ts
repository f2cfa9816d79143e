/** Random writes to random packs of a bank, with faults on the line, and other packs at the addresses. */
import { bankOf } from "../../../host-sim/bms/packs";
import { SimulatedBms } from "../../../host-sim/bms/simulated-bms";
import { SimulatedBoard } from "../../../host-sim/board";
import Serial from "../../../host-sim/io/serial";
import { BmsMonitor } from "../../../src/bms/monitor";
import { BmsPort } from "../../../src/bms/port";
import type { WriteReport } from "../../../src/bms/outcomes";
import { WRITE_TIMEOUT } from "../../../src/bms/limits";
import type { BusPack, PackIdentity } from "../../../src/packs/types";
import type { BmsSettings } from "../../../src/settings/types";
import { Random } from "../../fuzz/random";
import { loseReplies } from "./lossy-port";

const PACKS = 4;
const OVP_REGISTER = 0x100c;
/** Of pairs of packs at an address: one has a serial number and the other another, or none; or neither has one. */
const NUMBERED = [
  [true, true],
  [true, false],
  [false, true],
  [false, false],
] as const;
/** Long enough for the serial number of each to be asked for. */
const NOTICED = 130_000;
/** What must have come from the pack that holds the value. */
const APPLIED = ["confirmed", "no-reply-applied", "refused-applied"];
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
  /** By outcome. */
  readonly endings: Record<string, number>;
}

/** @param count writes that the queue is to accept */
export function writeToBank(seed: number, count: number): BankWrites {
  const random = new Random(seed);
  const result: BankWrites = { problems: [], accepted: 0, confirmed: 0, refused: 0, unconfirmed: 0, endings: {} };
  const { problems } = result;
  // By itself: vitest is not there in `npm run soak`. The ticks wrap after 3 s.
  const board = new SimulatedBoard({ console: (text) => problems.push(text), online: true, ticks: 2 ** 31 - 3_000 });
  board.powerOn();
  const { clock, wire } = board;
  const bank = bankOf({ clock, wire, count: PACKS, seed, evolving: false });
  /** The pack and the value of each write that has been sent: one that was given up after that may be sent again while the next one waits. */
  const sent: string[] = [];
  const send = wire.board.send.bind(wire.board);
  wire.board.send = (bytes) => {
    if (bytes[1] === 0x10 && ((bytes[2]! << 8) | bytes[3]!) === OVP_REGISTER)
      sent.push(`${bytes[0]} ${Buffer.from(bytes).readUInt32BE(7)}`);
    send(bytes);
  };
  /** At each address two packs, of which one is plugged in. */
  const places = bank.packs.map((pack, index) => {
    const [isNumbered, isOtherNumbered] = NUMBERED[index % NUMBERED.length]!;
    if (!isNumbered) pack.registers.writeText("SerialNumber", "");
    const other = new SimulatedBms({
      clock,
      wire: wire.join(),
      address: index + 1,
      serialNumber: isOtherNumbered ? `OTHER${index + 1}` : "",
      seed: seed + 100 + index,
    });
    // The least by which two packs without a serial number differ.
    other.registers.writeText("FirstOnDate", "240102");
    other.setOnline(false);
    return [pack, other] as const;
  });
  /** Of 1,000 replies. */
  let lost = 0;
  for (const port of wire.ports) if (port !== wire.board) loseReplies(port, random, () => lost);
  /** By place: what each of its packs is known by. */
  const known = places.map(() => new Map<string, SimulatedBms>());
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
  monitor.observe({ packIdentified: ({ index, identifier }) => identify(index, identifier) });
  monitor.start();
  clock.runFor(20_000);

  let swaps = 0;
  /** A pack was exchanged during the write that is pending. */
  let isMoved = false;
  const swap = (index: number): void => {
    const [one, other] = places[index]!;
    const isOne = one.answering;
    one.setOnline(!isOne);
    other.setOnline(isOne);
    swaps++;
  };
  const learn = (): void =>
    places.forEach(([one, other], index) => {
      known[index]!.set(monitor.packs[index]!.identifier, one.answering ? one : other);
    });
  learn();
  places.forEach((_, index) => swap(index));
  clock.runFor(NOTICED);
  learn();
  monitor.packs.forEach(({ isSwapped }, index) => isSwapped || problems.push(`pack ${index + 1} is not noticed`));
  known.forEach((packs, index) => packs.size === 2 || problems.push(`packs at ${index + 1} are not told apart`));
  places.forEach((_, index) => swap(index));
  clock.runFor(NOTICED);
  let raw = 3_400;
  const write = (index: number): void => {
    raw = 3_400 + ((raw - 3_399) % 300);
    const value = raw;
    const since = clock.now;
    const { serial } = packs[index]!;
    const sentBefore = sent.length;
    const swapsBefore = swaps;
    const refusal = monitor.writes.parameter(
      monitor.packs[index] as BusPack,
      "cell_ovp_voltage",
      value / 1000,
      "API",
      (report: WriteReport) => {
        if (clock.now - since > WRITE_TIMEOUT) problems.push(`late: ${report.outcome}`);
        const { outcome } = report;
        isMoved = false;
        result.endings[outcome] = (result.endings[outcome] ?? 0) + 1;
        const [one, other] = places[index]!;
        const expected = known[index]!.get(serial);
        const right = expected ? [expected] : [one, other];
        const held = right.map(({ registers }) => registers.read("VolCellOV"));
        const contradicts = (what: string): void => void problems.push(`${outcome} ${value} for ${serial}: ${what}`);
        const wasSent = sent.includes(`${index + 1} ${value}`, sentBefore);
        if (outcome.startsWith("not-sent") && wasSent) contradicts("it was sent");
        // What is lost may have been given to the bus without a byte of it on the wire yet.
        if (!wasSent && !outcome.startsWith("not-sent") && outcome !== "lost") contradicts("it was not sent");
        if (outcome === "not-sent-other" && expected?.answering && swaps === swapsBefore)
          contradicts("it is the right one");
        if (outcome === "exchanged" && swaps === swapsBefore) contradicts("none was exchanged");
        if (outcome === "unidentified" && swaps === swapsBefore && !held.includes(value))
          contradicts("it was read back");
        if (APPLIED.includes(outcome) && !held.includes(value)) contradicts(`it holds ${held.join(" or ")}`);
        if (outcome === "confirmed") result.confirmed++;
        else result.unconfirmed++;
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
        // Nobody moves a cable twice in the second that a write takes: that cannot be told.
        if (!monitor.writes.pending) swap(place);
        break;
      case 1:
        // An owner accepts what answers there, or has forgotten it.
        identify(place, random.once(4) ? "" : monitor.packs[place]!.identifier);
        break;
      case 3:
        lost = random.of([0, 0, 30, 100, 200, 330]);
        break;
      case 2:
        if (random.once(3)) one.faults.add({ kind: random.of(FAULTS), every: 2 + random.below(4), times: 4 });
        else other.faults.add({ kind: random.of(FAULTS), every: 2 + random.below(4), times: 4 });
        break;
    }
    const target = random.below(PACKS);
    write(target);
    // A swap may come in the middle of a write: between the serial number and the value, too.
    if (monitor.writes.pending && !isMoved && random.once(2)) {
      clock.runFor(100 + random.below(500));
      isMoved = monitor.writes.pending;
      swap(target);
    }
    clock.runFor(random.below(2_500));
  }
  for (const pair of places) for (const pack of pair) pack.faults.clear();
  lost = 0;
  clock.runFor(WRITE_TIMEOUT);
  if (monitor.writes.pending) problems.push("stuck");
  monitor.close();
  bank.close();
  for (const [, other] of places) other.close();
  board.powerOff();
  board.clock.stop();
  return result;
}
