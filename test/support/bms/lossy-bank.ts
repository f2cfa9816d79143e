/** A bank on a line that loses or damages replies at random: how soon its packs are online, how much of the time they are and are read, and how writes end. */
import { serialNumberAt, SimulatedBms } from "../../../host-sim/bms/simulated-bms";
import { SimulatedBoard } from "../../../host-sim/board";
import Storage from "../../../host-sim/io/key-value";
import Serial from "../../../host-sim/io/serial";
import { PackEnergy } from "../../../src/energy/energy";
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
  /** ms from the start until all were online. */
  readonly started: number;
  /** What the energy counters missed of the energy that flowed, %. */
  readonly missed: number;
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
/** From the end of a write to the next, ms: as much, and up to twice as much more. */
const PAUSE = 1_000;
/** mW, of each pack. */
const POWER = 1_000_000;

export function lossyBank({ packs: count, lost, seed, minutes = 60, writes = 60, slow }: LossyOptions): LossyBank {
  const random = new Random(seed);
  const problems: string[] = [];
  const board = new SimulatedBoard({ console: (text) => problems.push(text), online: true, ticks: 2 ** 31 - 3_000 });
  board.powerOn();
  const { clock, wire } = board;
  const rate = 10 * lost;
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
  const energy = new PackEnergy({ storage: Storage, settings: { noteStored: () => undefined } });
  let drops = 0;
  let replies = 0;
  monitor.observe({
    packIdentified: ({ index, identifier }) => {
      identities = identities.map((pack, at) => (at === index ? { ...pack, serial: identifier } : pack));
      monitor.reconfigure(BANK_SETTINGS, identities);
    },
    packOnlineChanged: ({ index, online }) => {
      if (online) return;
      drops++;
      energy.interrupt(index);
    },
    packUpdated: (pack) => {
      replies++;
      energy.update(pack, POWER);
    },
  });
  monitor.start();
  const since = clock.now;
  while (!monitor.packs.every((pack) => pack.online)) clock.runFor(100);
  const started = clock.now - since;
  clock.runFor(Math.max(0, WARM_UP - started));
  drops = replies = 0;
  const joules = energy.chargedJoules;

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
  const flowed = (POWER / 1_000) * 60 * minutes * count;
  const missed = 100 * (1 - (energy.chargedJoules - joules) / flowed);

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
    const asked = clock.now;
    while (monitor.writes.pending && clock.now - asked < WRITE_TIMEOUT) clock.runFor(10);
    if (monitor.writes.pending) problems.push("stuck");
    clock.runFor(PAUSE + random.below(2 * PAUSE));
  }
  monitor.close();
  for (const pack of packs) pack.close();
  board.powerOff();
  board.clock.stop();
  const least = (counts: readonly number[]): number => (100 * Math.min(...counts)) / steps;
  return {
    started,
    missed,
    online: least(online),
    loaded: least(loaded),
    drops: wentOffline,
    confirmed: endings["confirmed"] ?? 0,
    endings,
    round,
    problems,
  };
}
