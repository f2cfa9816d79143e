/** An alarm that comes and goes for days, with restarts in between: what the owner is told of it, and what it takes. */
import { strict as assert } from "node:assert";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { DAY, MAX_DAILY } from "../../src/notify/limits";
import { Random } from "../fuzz/random";
import { Bench } from "./bench";

/** Seconds between two changes. */
const SHORTEST = 2;
const LONGEST = 1_200;
/** Days after which the engine has settled. */
const WARM = 2;
/** What the heap may differ by from then on, bytes: far less than one byte for each second. */
const FLAT = 100_000;
/** Changes between two restarts. */
const RESTART = 50;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const heap = (): number => {
  collect();
  return process.memoryUsage().heapUsed;
};

/** Messages of each day. Throws if a day has too many, or none, if the heap has grown, or if anything was written to the flash. */
export function flap(days: number, seed: number): number[] {
  const random = new Random(seed);
  const bench = new Bench();
  bench.start();
  const { writes } = bench;
  const told: number[] = [];
  let raised = false;
  let changes = 0;
  let settled = Infinity;
  for (let day = 0; day < days; day++) {
    const end = (day + 1) * DAY * 1_000;
    while (bench.board.clock.now < end) {
      bench.pass(SHORTEST + random.below(LONGEST - SHORTEST));
      raised = !raised;
      bench.alarm("cell_undervoltage", raised);
      if (++changes % RESTART === 0) bench.restart("panic");
    }
    const texts = bench.texts();
    told.push(texts.length);
    assert.ok(texts.length <= MAX_DAILY, `day ${day + 1}: ${texts.length} messages`);
    assert.ok(texts.length > 0, `day ${day + 1}: none`);
    assert.ok(bench.open <= 1, `${bench.open} connections are open`);
    if (day + 1 === WARM) settled = heap();
  }
  const grown = heap() - settled;
  assert.ok(!(grown > FLAT), `the heap has grown by ${grown} bytes`);
  assert.equal(bench.writes, writes, "the flash was written to");
  bench.notify.close();
  return told;
}
