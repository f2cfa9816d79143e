/** Polls go on, and on time, while clients read a year of the history and its ten minutes, though the flash takes its time. */
import { expect, it } from "vitest";
import { plant, RINGS, type RingName } from "../support/system/history-flash";
import { System, turn } from "../support/system/system";

const INTERVAL = 1_000;
/** Script time of a read of the flash, ms: many times the chip's. 16 of them, one step of looking, take 8. */
const READ = 0.5;
/** What one client may delay a poll, ms: a step of looking, rows that are written, and this test's own steps of 5 ms. */
const STEP = 20;
const CLIENTS = 2;
const ANSWERS = 12;
const DAY = 86_400;
/** Friday, 15 January 2027. */
const TODAY = 1_799_971_200;

/** Fills all sectors of a ring but the one that is erased ahead. */
function fill(bytes: Uint8Array, name: RingName, seconds: number, payload: readonly number[]): void {
  const { sectors, record } = RINGS[name];
  const perSector = Math.floor((4_096 - 16) / record);
  for (let sector = 0; sector < sectors - 1; sector++)
    plant(
      bytes,
      name,
      sector,
      sector + 1,
      Array.from({ length: perSector }, (_, place) => {
        const index = sector * perSector + place;
        return [TODAY - ((sectors - 1) * perSector - index) * seconds, payload] as const;
      }),
    );
}

it("no poll is late or lost while JSON of all ten minutes and of four years is read", async () => {
  const system = await System.start({
    unpaced: true,
    board: { config: { settings: { bms: { interval: INTERVAL } } } },
    prepare({ history: { bytes } }) {
      fill(bytes, "fine", 600, [50, 20, 110, 128, 10]);
      fill(bytes, "days", DAY, [0, 4, 210, 0, 3, 132, 20, 98]);
    },
  });
  await system.untilLoaded();
  const { clock, history, script } = system.board;
  const read = history.read.bind(history);
  let reads = 0;
  history.read = (buffer, at) => {
    reads++;
    script.busyFor(READ);
    return read(buffer, at);
  };
  const polls: number[] = [];
  const statistics = (): { requests: number; timeouts: number } => system.monitor().statistics!;
  const before = { ...statistics() };
  let rows = 0;
  let last = before.requests;
  const asking = Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let answer = 0; answer < ANSWERS; answer++) {
        const reply = await system.get(`/api/history?series=${client ? "days" : "fine"}`);
        expect(reply.status).toBe(200);
        rows += (reply.json as { data: { rows: unknown[] } }).data.rows.length;
      }
    }),
  );
  let ended = false;
  void asking.finally(() => (ended = true)).catch(() => undefined);
  while (!ended) {
    clock.runFor(5);
    const { requests } = statistics();
    if (requests > last) polls.push(clock.now);
    last = requests;
    await turn();
  }
  await asking;
  expect(rows).toBe(CLIENTS * ANSWERS * 500);
  // What was looked at: all records of both, once; then the times of sectors are known.
  expect(reads).toBeGreaterThan(13 * 185 + 13 * 127);
  expect(statistics().timeouts).toBe(before.timeouts);
  const gaps = polls.slice(1).map((at, index) => at - polls[index]!);
  expect(gaps.length).toBeGreaterThan(10);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(INTERVAL + 2 * STEP);
  system.stop();
});
