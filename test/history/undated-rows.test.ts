/** GET /api/history while the clock is not known: how long ago in place of a time. */
import { JsonWriter } from "json/writer";
import { store as storeField } from "flash-log/field";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SimulatedBoard } from "../../host-sim/board";
import { NorFlash } from "../../host-sim/nor-flash";
import { getHistory } from "../../src/endpoints/history";
import { HISTORY_ROWS } from "../../src/endpoints/limits";
import { Turns } from "../../src/endpoints/turns";
import { FINE, FIRST_SECTOR, HOURS, SECTORS } from "../../src/history/layout";
import { RecordStore } from "../../src/history/record-store";
import { FINE_FIELDS, FINE_RECORD, HOUR_FIELDS, HOUR_RECORD } from "../../src/history/records";
import { DIALECT } from "../support/fakes/dialect";
import { FakeExchange } from "../support/http/fake-exchange";

const STEP = 600;
const HOUR = 3_600;
const THEN = 1_800_057_600;

let board: SimulatedBoard;
let store: RecordStore;
let uptime: number;
beforeEach(() => {
  board = new SimulatedBoard();
  board.powerOn();
  store = new RecordStore(new NorFlash(FIRST_SECTOR + SECTORS));
  uptime = 0;
});
afterEach(() => board.powerOff());

/** Ten minutes; without a time unless it is given. */
function record(soc: number, time?: number): void {
  const bytes = new Uint8Array(FINE_RECORD.bytes).fill(0xff);
  storeField(bytes, 0, FINE_FIELDS.soc, soc);
  store.append(FINE, bytes, time, uptime);
  uptime += STEP;
}

function ask(query: string, accept = "application/json"): FakeExchange {
  const exchange = new FakeExchange({ query, headers: { accept }, sources: true });
  const flashHistory = { store, recorder: {} as never, transfers: 0 };
  const device = { flashHistory, turns: new Turns(1), json: new JsonWriter(), uptime: () => uptime };
  getHistory({ dialect: DIALECT, pack: {} as never, device }, exchange);
  board.clock.runFor(1_000);
  return exchange;
}
interface Row {
  readonly time: number | null;
  readonly ago?: number;
  readonly soc: number;
  readonly pack: number;
}
const rowsOf = (query = ""): { rows: Row[]; next: number | null } =>
  (ask(query).json as { data: { rows: Row[]; next: number | null } }).data;
const told = (query?: string): (number | null | undefined)[][] =>
  rowsOf(query).rows.map(({ time, ago, soc }) => [time, ago, soc]);

it("says how long ago each was, behind what has a time", () => {
  record(61, THEN);
  record(62);
  record(63);
  uptime += 90;
  expect(told()).toEqual([
    [THEN, undefined, 61],
    [null, 2 * STEP + 90, 62],
    [null, STEP + 90, 63],
  ]);
  expect(told(`from=${THEN + 1}`).map(([, ago]) => ago)).toEqual([2 * STEP + 90, STEP + 90]);
  // Whether it was before that nobody knows.
  expect(told(`to=${THEN + 1}`)).toEqual([[THEN, undefined, 61]]);
});

it("has the time in its place once the clock is known, and nothing of a run before", () => {
  record(62);
  expect(told()).toEqual([[null, STEP, 62]]);
  while (store.stamp(THEN));
  expect(told()).toEqual([[THEN, undefined, 62]]);
  record(63);
  store = new RecordStore(new NorFlash(FIRST_SECTOR + SECTORS));
  expect(told()).toEqual([]);
});

it("writes CSV with a last column for it, if there are such rows", () => {
  const lines = (): string[][] =>
    new TextDecoder()
      .decode(ask("", "text/csv").body)
      .trim()
      .split("\r\n")
      .map((line) => [line.split(",")[0]!, line.split(",")[1]!, line.split(",").at(-1)!]);
  record(61, THEN);
  expect(lines()).toEqual([
    ["time", "soc", "relay"],
    [String(THEN), "61", ""],
  ]);
  record(62);
  expect(lines()).toEqual([
    ["time", "soc", "ago"],
    [String(THEN), "61", ""],
    ["", "62", String(STEP)],
  ]);
});

it("shows those of the pack that is asked for", () => {
  for (const pack of [1, 7, 15]) {
    const bytes = new Uint8Array(HOUR_RECORD.bytes).fill(0xff);
    storeField(bytes, 0, HOUR_FIELDS.pack, pack);
    store.append(HOURS, bytes, undefined, uptime);
  }
  uptime = HOUR;
  for (const pack of [1, 7, 15])
    expect(rowsOf(`series=hours&pack=${pack}`).rows).toMatchObject([{ time: null, ago: HOUR, pack }]);
  expect(rowsOf("series=hours").rows.map(({ pack }) => pack)).toEqual([1, 7, 15]);
});

it.each([HISTORY_ROWS - 1, HISTORY_ROWS, HISTORY_ROWS + 1])(
  "with %i of them has the newest, no more than a page",
  (count) => {
    for (let index = 0; index < count; index++) record(index % 101);
    const { rows, next } = rowsOf();
    expect(rows).toHaveLength(Math.min(count, HISTORY_ROWS));
    expect(rows.map(({ ago }) => ago)).toEqual(rows.map((_, index) => (rows.length - index) * STEP));
    expect([rows.at(-1)!.soc, next]).toEqual([(count - 1) % 101, null]);
  },
);

it("leaves what has a time its room, and begins behind the last page", () => {
  for (let index = 0; index < HISTORY_ROWS - 1; index++) record(1, THEN + index * STEP);
  for (let index = 0; index < 3; index++) record(2);
  expect(told().slice(-2)).toEqual([
    [THEN + (HISTORY_ROWS - 2) * STEP, undefined, 1],
    [null, STEP, 2],
  ]);
  record(1, THEN + HISTORY_ROWS * STEP);
  record(1, THEN + (HISTORY_ROWS + 1) * STEP);
  const { rows, next } = rowsOf();
  expect([rows.length, rows.filter(({ time }) => time === null).length]).toEqual([HISTORY_ROWS, 0]);
  expect(told(`from=${next}`).map(([, ago]) => ago)).toEqual([undefined, 5 * STEP, 4 * STEP, 3 * STEP]);
});
