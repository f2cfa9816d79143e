/** A bank on a line that loses or damages replies at random: how much of the time its packs are online and read, and how writes end. */
import { serialNumberAt, SimulatedBms } from "../../../host-sim/bms/simulated-bms";
import { SimulatedBoard } from "../../../host-sim/board";
import Serial from "../../../host-sim/io/serial";
import { BmsMonitor } from "../../../src/bms/monitor";
import { BmsPort } from "../../../src/bms/port";
import { WRITE_TIMEOUT } from "../../../src/bms/limits";
import type { BusPack, PackIdentity } from "../../../src/packs/types";
import { Random } from "../../fuzz/random";
import { BANK_SETTINGS } from "./bank-writes";
import { loseReplies } from "./lossy-port";

export interface LossyOptions {
  readonly packs: number;
  /** Of 100 replies. */
  readonly lost: number;
  readonly seed: number;
  readonly minutes?: number;
  readonly writes?: number;
  /** This pack begins to answer only after so many ms. */
  readonly slow?: { readonly place: number; readonly ms: number };
}

export interface LossyBank {
  /** % of the time, of the pack that was online or loaded least. */
  readonly online: number;
  readonly loaded: number;
  /** How often a pack went offline. */
  readonly drops: number;
  readonly confirmed: number;
  /** Writes by how they ended, or why they were refused. */
  readonly endings: Readonly<Record<string, number>>;
  /** ms between two rounds. */
  readonly round: number;
  readonly problems: readonly string[];
}

const WARM_UP = 120_000;
const STEP = 1_000;

export function lossyBank({ packs: count, lost, seed, minutes = 60, writes = 60, slow }: LossyOptions): LossyBank {
  const random = new Random(seed);
  const problems: string[] = [];
  const board = new SimulatedBoard({ console: (text) => problems.push(text), online: true, ticks: 2 ** 31 - 3_000 });
  board.powerOn();
  const { clock, wire } = board;
  let rate = 0;
  const packs = Array.from({ length: count }, (_, index) => {
    const port = index ? wire.join() : wire.bms;
    loseReplies(port, random, () => rate);
    const address = index + 1;
    return new SimulatedBms({
      clock,
      wire: port,
      address,
      seed: seed + address,
      serialNumber: serialNumberAt(address),
      // Nobody looks at its values.
      evolving: false,
    });
  });
  if (slow) packs[slow.place]!.faults.add({ kind: "delay", ms: slow.ms });
  let identities: PackIdentity[] = packs.map((_, index) => ({ address: index + 1, name: "", serial: "" }));
  const monitor = new BmsMonitor({
    settings: BANK_SETTINGS,
    opener: new BmsPort({
      serial: Serial,
      build: board.config,
      parts: { failed: (_part, error) => problems.push(String(error)), works: () => undefined },
    }),
    packs: identities,
  });
  let drops = 0;
  let replies = 0;
  monitor.observe({
    packIdentified: ({ index, identifier }) => {
      identities = identities.map((pack, at) => (at === index ? { ...pack, serial: identifier } : pack));
      monitor.reconfigure(BANK_SETTINGS, identities);
    },
    packOnlineChanged: ({ online }) => void (online || drops++),
    packUpdated: () => void replies++,
  });
  monitor.start();
  clock.runFor(WARM_UP);
  rate = 10 * lost;
  drops = replies = 0;

  const online = packs.map(() => 0);
  const loaded = packs.map(() => 0);
  const steps = (minutes * 60_000) / STEP;
  for (let step = 0; step < steps; step++) {
    clock.runFor(STEP);
    monitor.packs.forEach((pack, index) => {
      if (pack.online) online[index]!++;
      if (pack.configurationLoaded) loaded[index]!++;
      if (pack.isContested) problems.push(`two packs at address ${index + 1}`);
    });
  }
  const round = (minutes * 60_000 * count) / replies;
  const wentOffline = drops;

  const endings: Record<string, number> = {};
  const note = (ending: string): void => void (endings[ending] = (endings[ending] ?? 0) + 1);
  for (let write = 0; write < writes; write++) {
    const index = random.below(count);
    const value = 3_400 + (write % 200);
    const refusal = monitor.writes.parameter(
      monitor.packs[index] as BusPack,
      "cell_ovp_voltage",
      value / 1000,
      "API",
      ({ outcome }) => {
        note(outcome);
        const held = packs[index]!.registers.read("VolCellOV");
        if (outcome === "confirmed" && held !== value) problems.push(`confirmed ${value}, but it holds ${held}`);
      },
    );
    if (refusal) note(refusal.reason);
    clock.runFor(WRITE_TIMEOUT + random.below(2_000));
    if (monitor.writes.pending) problems.push("stuck");
  }
  monitor.close();
  for (const pack of packs) pack.close();
  board.powerOff();
  board.clock.stop();
  const least = (counts: readonly number[]): number => (100 * Math.min(...counts)) / steps;
  return {
    online: least(online),
    loaded: least(loaded),
    drops: wentOffline,
    confirmed: endings["confirmed"] ?? 0,
    endings,
    round,
    problems,
  };
}
