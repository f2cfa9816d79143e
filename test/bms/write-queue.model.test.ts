/**
 * The write queue against a model of it: any order of writes, link answers (late ones too), silence, offline and time.
 */
import fc, { runs } from "../support/property";
import type { WriteResult } from "jk-bms/types";
import type { WriteName } from "jk-bms/writes";
import { expect, it } from "vitest";
import { BACKSTOP_RESERVE, LINK_RESERVE, WRITE_TIMEOUT } from "../../src/bms/limits.ts";
import { WRITE_MINIMUM } from "../../src/packs/limits.ts";
import { poweredBoard } from "../support/system/simulated-board.ts";
import type { SimulatedBoard } from "../../host-sim/board.ts";
import { QueueBench } from "../support/bms/queue-bench.ts";

let board: SimulatedBoard;

interface ModelWrite {
  readonly name: string;
  readonly acceptedAt: number;
}

interface Model {
  online: boolean;
  loaded: boolean;
  pending: ModelWrite | undefined;
  /** What the link is busy with; another than `pending` when that write was given up. */
  onLink: ModelWrite | undefined;
  lastName: string;
  lastOk: boolean;
}

/** A link that answers when told. */
class HeldLink {
  done: ((result: WriteResult) => void) | undefined;
  started = 0;
  write(_name: WriteName, _value: number | string, _timeout: number, done: (result: WriteResult) => void): void {
    if (this.done) throw new Error("two writes at once");
    this.done = done;
    this.started++;
  }
}

class Real extends QueueBench<HeldLink> {
  constructor(place: { index: number; count: number }) {
    super(new HeldLink(), place);
  }

  get executed(): number {
    return this.pack.read.length;
  }
}

type Step = fc.Command<Model, Real>;

function resolved(model: Model, ok: boolean): void {
  model.lastName = model.pending?.name ?? "";
  model.lastOk = ok;
  model.pending = undefined;
}

/** What must hold after every step. */
function compare(model: Model, bench: Real): void {
  const { queue, link, proceeded } = bench;
  expect(queue.pending).toBe(model.pending !== undefined);
  expect(queue.waiting).toBe(model.pending !== undefined && model.onLink !== model.pending);
  expect(bench.lastCommandOk).toBe(model.lastOk);
  expect(bench.lastCommand.split(" ")[0]).toBe(model.lastName);
  expect(bench.lastCommand.includes("confirmed by the BMS")).toBe(model.lastOk);
  expect(link.started).toBeLessThanOrEqual(proceeded);
  if (model.pending) expect(board.clock.now - model.pending.acceptedAt).toBeLessThan(WRITE_TIMEOUT);
}

const step = (text: string, act: (model: Model, real: Real) => void): Step => ({
  check: () => true,
  run: (model, real) => {
    act(model, real);
    compare(model, real);
  },
  toString: () => text,
});

const submit = (name: string, isParameter: boolean, value: number): Step =>
  step(`submit ${name} ${value}`, (model, bench) => {
    const refused = isParameter ? bench.parameter(name, value) : bench.command(name, value > 0);
    let reason: string | undefined;
    if (isParameter && (value < 0 || value > 5)) reason = "invalid";
    else if (!model.online) reason = "offline";
    else if (isParameter && !model.loaded) reason = "not-loaded";
    else if (model.pending) reason = "pending";
    expect(refused?.reason).toBe(reason);
    if (!reason) model.pending = { name, acceptedAt: board.clock.now };
  });

const start = step("start", (model, { queue, link }) => {
  // The poller starts a write only when the link is free.
  if (link.done) return;
  queue.start();
  if (!model.pending || model.onLink) return;
  const left = model.pending.acceptedAt + WRITE_TIMEOUT - LINK_RESERVE - board.clock.now;
  if (left < WRITE_MINIMUM) resolved(model, false);
  else model.onLink = model.pending;
});

const answer = (result: WriteResult): Step =>
  step(`answer ${result.outcome}`, (model, real) => {
    const { done } = real.link;
    if (!done) return;
    real.link.done = undefined;
    const before = real.executed;
    done(result);
    expect(real.executed).toBe(before + 1);
    if (model.onLink === model.pending) resolved(model, result.outcome === "confirmed");
    model.onLink = undefined;
  });

const goOffline = step("offline", (model, bench) => {
  bench.pack.online = bench.pack.configurationLoaded = model.online = model.loaded = false;
  bench.abandon();
  if (model.pending) resolved(model, false);
});

const goOnline = (loaded: boolean): Step =>
  step(`online, loaded ${loaded}`, (model, { pack }) => {
    pack.online = model.online = true;
    pack.configurationLoaded = model.loaded = loaded;
  });

const pass = (duration: number): Step =>
  step(`${duration} ms`, (model) => {
    board.clock.runFor(duration);
    if (!model.pending) return;
    if (board.clock.now - model.pending.acceptedAt >= WRITE_TIMEOUT - BACKSTOP_RESERVE) resolved(model, false);
  });

const RESULTS: WriteResult[] = [
  { outcome: "confirmed" },
  { outcome: "refused", exception: 3 },
  { outcome: "mismatch" },
  { outcome: "no-reply" },
  { outcome: "not-applied", readBack: 1 },
  { outcome: "unverified" },
];

const steps = [
  fc.constantFrom(submit("charge_mos", false, 1), submit("emergency", false, 0)),
  fc.double({ min: -1, max: 6, noNaN: true }).map((value) => submit("cell_ovp_voltage", true, value)),
  fc.constant(start),
  fc.constantFrom(...RESULTS).map(answer),
  fc.constantFrom(goOffline, goOnline(true), goOnline(true), goOnline(false)),
  fc.integer({ min: 1, max: 6000 }).map(pass),
];

it.each([
  { index: 0, count: 1 },
  { index: 0, count: 3 },
  { index: 1, count: 3 },
  { index: 2, count: 3 },
])("ends every write to pack $index of $count in time and once, and reports ok only if confirmed", (place) => {
  fc.assert(
    fc.property(fc.commands(steps, { maxCommands: 60 }), fc.integer(), (commands, origin) => {
      board = poweredBoard({ ticks: origin | 0 });
      fc.modelRun(
        () => ({
          model: {
            online: true,
            loaded: true,
            pending: undefined,
            onLink: undefined,
            lastName: "",
            lastOk: false,
          },
          real: new Real(place),
        }),
        commands,
      );
    }),
    { numRuns: runs(200) },
  );
});
