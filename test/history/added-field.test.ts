/** A field added to a table as the last: what records, the ring, GET /api/history and the page have it without another edit. */
import { transform } from "esbuild";
import { MOST, recordOf, store as storeField, WORD, type Field } from "flash-log/field";
import { JsonWriter } from "json/writer";
import * as FIELDS from "jk-bms/field-table";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SimulatedBoard } from "../../host-sim/board";
import { NorFlash } from "../../host-sim/nor-flash";
import { getHistory } from "../../src/endpoints/history";
import { Turns } from "../../src/endpoints/turns";
import { BankSum } from "../../src/packs/bank-sum";
import { FIRST_SECTOR, HOURS, RINGS, SECTORS } from "../../src/history/layout";
import { Recorder } from "../../src/history/recorder";
import { RecordStore } from "../../src/history/record-store";
import { HOUR_FIELDS, HOUR_RECORD } from "../../src/history/records";
import type * as records from "../../src/history/records";
import type * as retained from "../../src/runtime/retained";
import { recordsModule } from "../../web/generate-tables.mjs";
import { valuesOf } from "../../web/past/records";
import type { Table } from "../../web/past/tables";
import { TestMonitor } from "../support/bms/bms-link";
import { DIALECT } from "../support/fakes/dialect";
import { FaultyStorage } from "../support/fakes/storage";
import { FakeExchange } from "../support/http/fake-exchange";

vi.mock("../../src/history/records", async (original) => {
  const real = await original<typeof records>();
  // Without where they are, which recordOf adds.
  const kinds = Object.entries(real.HOUR_FIELDS).map(([name, field]) => [name, field & ~(0x7f | (7 << 13))]);
  const table = recordOf("hours", { ...(Object.fromEntries(kinds) as Record<string, Field>), added: WORD | MOST });
  const all = real.RECORDS.map((record) => (record.name === "hours" ? table : record));
  return { ...real, HOUR_RECORD: table, HOUR_FIELDS: table.fields, RECORDS: all };
});
// The room that this record takes until its hour is over.
vi.mock("../../src/runtime/retained", async (original) => {
  const real = await original<typeof retained>();
  return { ...real, HISTORY_PACK_BYTES: real.HISTORY_PACK_BYTES + 2 };
});

const MIDNIGHT = 1_800_057_600;
let board: SimulatedBoard;
beforeEach(() => {
  board = new SimulatedBoard();
  board.powerOn();
});
afterEach(() => board.powerOff());

it("a field added as the last is recorded, shown by the API and read by the page", async () => {
  const added = (HOUR_FIELDS as Record<string, Field>)["added"]!;
  expect(RINGS[HOURS]!.record).toBe(HOUR_RECORD.bytes);
  const store = new RecordStore(new NorFlash(FIRST_SECTOR + SECTORS));
  const monitor = new TestMonitor();
  monitor.identity = { address: 3, name: "", serial: "" };
  monitor.telemetry.set(FIELDS.soc, 63).set(FIELDS.packPower, 0).set(FIELDS.packCurrent, 12_300).setCells([3_300]);
  let utc = MIDNIGHT;
  const recorder = new Recorder(store, {
    ...{ time: () => utc, uptime: () => utc - MIDNIGHT, offsetAt: () => 0, energy: undefined, relay: { value: 0 } },
    ...{ monitor: { packs: [monitor] }, start: { intact: false }, storage: new FaultyStorage(board) },
  });
  const bank = new BankSum({ monitor: { packs: [monitor] }, uptime: () => utc - MIDNIGHT });
  for (; utc <= MIDNIGHT + 3_600; utc += 10) {
    bank.update(monitor, 0);
    recorder.update(monitor, bank);
  }
  // Nothing is read for it yet; one of another firmware has a value.
  const record = new Uint8Array(HOUR_RECORD.bytes).fill(0xff);
  storeField(record, 0, added, 0x1234);
  store.append(HOURS, record, MIDNIGHT + 3_600, 0);

  const ask = (accept: string): FakeExchange => {
    const exchange = new FakeExchange({ query: "series=hours", headers: { accept }, sources: true });
    const flashHistory = { store, recorder, transfers: 0 };
    const context = {
      dialect: DIALECT,
      pack: {} as never,
      device: { flashHistory, turns: new Turns(1), json: new JsonWriter(), uptime: () => utc - MIDNIGHT },
    };
    getHistory(context, exchange);
    board.clock.runFor(1_000);
    return exchange;
  };
  const [first, last] = (ask("application/json").json as { data: { rows: Record<string, unknown>[] } }).data.rows;
  expect(first).toMatchObject({ time: MIDNIGHT, pack: 3, soc: 63, current: 12.3, minutes: 60, added: null });
  expect(last).toMatchObject({ time: MIDNIGHT + 3_600, soc: null, added: 0x1234 });
  const [head, , line] = new TextDecoder().decode(ask("text/csv").body).split("\r\n");
  expect([head!.split(",").at(-1), line!.split(",").at(-1)]).toEqual(["added", String(0x1234)]);

  const { code } = await transform(await recordsModule([HOUR_RECORD]), { loader: "ts" });
  const page = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { HOURS: Table<object> };
  expect(valuesOf(page.HOURS, record)).toMatchObject({ soc: undefined, added: 0x1234 });
});
