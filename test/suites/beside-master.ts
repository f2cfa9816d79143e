/** The firmware's monitor of two packs on a bus whose master is a third: what it loses, and whether their values follow. */
import { strict as assert } from "node:assert";
import * as FIELDS from "../../modules/jk-bms/field-table";
import { readRaw } from "../../modules/jk-bms/fields";
import { bankOf } from "../../host-sim/bms/packs";
import { MASTER_TIMING } from "../../host-sim/bms/bus-master";
import { SimulatedBoard } from "../../host-sim/board";
import { BmsMonitor } from "../../src/bms/monitor";
import { OFFLINE_LISTENING } from "../../src/packs/limits";
import { PackOnLine } from "../support/bms/pack-on-line";
import { Random } from "../fuzz/random";

const MINUTE = 60_000;
const PACKS = 2;
/** Of a current that does not change. */
const TOLERANCE = 0.05;

/** Throws what went wrong. Nothing else uses this thread meanwhile. */
export function besideMaster(minutes: number, seed = 1): void {
  const random = new Random(seed);
  // The ticks wrap after 3 s. By itself: vitest is not there in `npm run soak`.
  const board = new SimulatedBoard({ console: () => undefined, online: true, ticks: 2 ** 31 - 3_000 });
  board.powerOn();
  const { clock, wire } = board;
  // The packs are never empty nor full: a protection would end a current at any moment.
  const bank = bankOf({ clock, wire, count: PACKS, master: true, seed, timeFactor: 0 });
  let sent = 0;
  const send = wire.board.send.bind(wire.board);
  wire.board.send = (bytes) => {
    sent++;
    send(bytes);
  };
  const addresses = bank.packs.map((_, index) => index + 1);
  const monitor = new BmsMonitor({
    settings: { address: 1, baud: 115_200, interval: 1000, readMode: "auto", gap: 75, mode: "auto" },
    opener: new PackOnLine(board),
    packs: addresses.map((address) => ({ address, name: "", serial: "" })),
  });
  monitor.start();
  const lost: number[] = [];
  monitor.observe({ packOnlineChanged: ({ online }) => void (online || lost.push(clock.now)) });
  const { master } = bank.master!;
  const { statistics } = master!;

  for (let minute = 0; minute < minutes; minute++) {
    for (const { pack } of bank.packs) pack.current = (random.below(2) ? 1 : -1) * (5 + random.below(90));
    clock.runFor(MINUTE);
    monitor.packs.forEach((pack, index) => {
      const when = `pack ${index + 1}, minute ${minute}`;
      const expected = bank.packs[index]!.registers.read("BatCurrent");
      const shown = readRaw(pack.telemetry, FIELDS.packCurrent);
      assert.ok(Math.abs(shown - expected) <= Math.abs(expected) * TOLERANCE, `${when}: ${shown} mA, not ${expected}`);
      assert.ok(pack.online && pack.listening && pack.configurationLoaded, when);
      assert.ok(pack.age! <= 2 * MASTER_TIMING.cycle, `${when}: ${pack.age} ms old`);
    });
  }
  assert.deepEqual([sent, lost, statistics.lost], [0, [], 0]);
  assert.ok(
    statistics.cycles >= Math.floor((minutes * MINUTE) / (2 * MASTER_TIMING.cycle)),
    `${statistics.cycles} cycles`,
  );

  // It stops: the values are old after three of its cycles, and are asked for once it has been silent for long enough.
  master!.stop();
  const cycle = Math.max(...monitor.packs.map(({ cycle }) => cycle));
  clock.runFor(Math.max(3 * cycle, OFFLINE_LISTENING) + 2000);
  assert.deepEqual(
    monitor.packs.map(({ online }) => online),
    addresses.map(() => false),
  );
  assert.equal(sent, 0);
  clock.runFor(MINUTE);
  assert.deepEqual(
    monitor.packs.map(({ online, listening }) => [online, listening]),
    addresses.map(() => [true, false]),
  );
  monitor.close();
  bank.close();
  board.powerOff();
  clock.stop();
}
