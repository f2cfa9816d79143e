import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashPassword } from "../../host-sim/password";
import { plant, recordsIn, RINGS, type RingName } from "../support/system/history-flash";
import { System } from "../support/system/system";
import { WebClient } from "../support/web/web-client";

/** Friday, 15 January 2027, midnight in UTC. */
const TODAY = 1_800_057_600 - 86_400;
const DAY = 86_400;
const FINE = 600;
const PASSWORD = "Lítio-280-Ah";
const PER_SECTOR = { fine: 185, hours: 255, days: 127, cells: 63 };

let system: System;

const word = (value: number): number[] => [(value >> 8) & 0xff, value & 0xff];
const signed = (value: number): number[] => word(value + 0x8000);
const U = 0xff;

/** Ten minutes number `index`: all values differ from record to record. */
const fine = (index: number): number[] => [
  index % 101,
  ...word(5_000 + index),
  ...signed(index - 900),
  ...signed(index - 1_000),
  ...signed(index - 800),
  ...word(3_000 + (index % 500)),
  index % 200,
  90 + (index % 30),
  100 + (index % 30),
  (index % 11) | ((index % 2) << 4) | (index % 3 ? 0 : 1 << 5) | (index % 5 ? 0 : 1 << 6),
  1 + (index % 16),
];
const day = (charged: number, discharged: number): number[] => [
  ...[0, ...word(charged)],
  ...[0, ...word(discharged)],
  ...[20, 98, ...word(3_011), 4, ...word(3_456), 9, 5, 60, 95, U],
  ...[0, 0, 8, 1, ...word(123), 144, 0x12],
];

/** Four sectors of ten minutes, the clock set back by five hours before the third: 740 records until midnight. */
const times = Array.from({ length: 740 }, (_, index) => TODAY - (740 - index) * FINE - (index < 370 ? 0 : 30 * FINE));
const DAYS = 400;

beforeAll(async () => {
  system = await System.start({
    unpaced: true,
    board: { config: { settings: { bms: { interval: 5_000 }, web: { password: hashPassword(PASSWORD, 100) } } } },
    prepare({ history: { bytes } }) {
      for (let sector = 0; sector < 4; sector++)
        plant(
          bytes,
          "fine",
          sector + 1,
          sector + 1,
          Array.from({ length: PER_SECTOR.fine }, (_, place) => {
            const index = sector * PER_SECTOR.fine + place;
            return [times[index], fine(index)] as const;
          }),
        );
      for (let sector = 0; sector < 4; sector++)
        plant(
          bytes,
          "days",
          sector,
          sector + 1,
          Array.from({ length: PER_SECTOR.days }, (_, place) => sector * PER_SECTOR.days + place)
            .filter((index) => index < DAYS)
            .map((index) => [TODAY - (DAYS - index) * DAY, day(1_000 + index, 500 + index)] as const),
        );
      plant(
        bytes,
        "hours",
        0,
        1,
        Array.from(
          { length: 40 },
          (_, index) =>
            [
              TODAY - (20 - Math.floor(index / 2)) * 3_600,
              [1 + (index % 2), 55, ...word(5_210), ...signed(-123), ...word(17), 122, 60 | (index ? 0 : 0x40)],
            ] as const,
        ),
      );
      const cells = (zero: number): number[] =>
        Array.from({ length: 16 }, (_, index) => (index < 15 ? zero + index : U));
      plant(bytes, "cells", 0, 1, [
        [
          TODAY - 7 * DAY,
          [
            1,
            0,
            ...word(3_301),
            ...word(U * 257),
            ...cells(120),
            ...cells(128),
            ...cells(60),
            ...word(77),
            ...word(2_799),
          ],
        ],
        [undefined, [1, 0]],
      ]);
    },
  });
  await system.untilLoaded();
  system.probes.setTime(TODAY * 1000);
  system.skip(11 * 60_000);
});
afterAll(() => system.stop());

/** The scan pauses on the virtual clock. */
async function get(path: string, headers: Record<string, string> = {}): ReturnType<System["get"]> {
  return finished(system.request("GET", path, { headers }));
}

async function finished<Reply>(reply: Promise<Reply>): Promise<Reply> {
  let isDone = false;
  void reply.finally(() => (isDone = true)).catch(() => undefined);
  await system.skipUntil("the answer is there", () => isDone, 60);
  return reply;
}

const answer = async (path: string): Promise<{ status: number; json: unknown }> => get(path);

interface Row {
  readonly [name: string]: unknown;
  readonly time: number;
}
interface PageOfRows {
  readonly series: string;
  readonly rows: Row[];
  readonly next: number | null;
}
const pageOf = async (query: string): Promise<PageOfRows> => {
  const { status, json } = await answer(`/api/history${query}`);
  expect(status).toBe(200);
  return (json as { data: PageOfRows }).data;
};

/** All pages from the first on. */
async function all(query: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let from: number | null = 0; from !== null;) {
    const page = await pageOf(`?from=${from}${query}`);
    expect(page.rows.length).toBeLessThanOrEqual(500);
    rows.push(...page.rows);
    from = page.next;
  }
  return rows;
}

/** As the API shows ten minutes: from the bytes by docs/history.md. */
function shown(time: number, bytes: Buffer): Row {
  const known = <Value>(at: number, count: number, value: Value): Value | null =>
    bytes.subarray(at, at + count).every((byte) => byte === U) ? null : value;
  const state = bytes[19]!;
  const power = (at: number): number | null => known(at, 2, (bytes.readUInt16BE(at) - 0x8000) * 10);
  return {
    time,
    soc: known(5, 1, bytes[5]!),
    voltage: known(6, 2, bytes.readUInt16BE(6) / 100),
    power: power(8),
    minPower: power(10),
    maxPower: power(12),
    minCellVoltage: known(14, 2, bytes.readUInt16BE(14) / 1000),
    minCell: known(20, 1, bytes[20]!),
    delta: known(16, 1, (bytes[16]! * 2) / 1000),
    minTemperature: known(17, 1, bytes[17]! - 100),
    maxTemperature: known(18, 1, bytes[18]! - 100),
    minutes: state & 0x0f,
    alarm: (state & 0x10) > 0,
    packMissing: (state & 0x20) > 0,
    relay: (state & 0x40) > 0,
  };
}
const expectedRows = (): Row[] =>
  recordsIn(system.board.history.bytes, "fine")
    .filter(({ time }) => time !== undefined)
    .map(({ time, bytes }) => shown(time!, bytes))
    .sort((one, other) => one.time - other.time);

describe("GET /api/history", () => {
  it("has every record once and in order, though the clock was set back, in pages of at most 500", async () => {
    const rows = await all("");
    expect(rows).toHaveLength(741);
    expect(rows.map(({ time }) => time)).toEqual([...rows.map(({ time }) => time)].sort((one, other) => one - other));
    const sorted = (list: Row[]): string[] => list.map((row) => JSON.stringify(row)).sort();
    expect(sorted(rows)).toEqual(sorted(expectedRows()));
  });

  it("has what was recorded in this run", async () => {
    const { rows, next } = await pageOf(`?from=${TODAY}`);
    expect([rows.length, rows[0]!.time, next]).toEqual([1, TODAY, null]);
    expect(rows[0]!["voltage"]).toBeGreaterThan(40);
  });

  it("keeps to from and to, both included", async () => {
    const [from, to] = [times[3]!, times[9]!];
    const { rows, next } = await pageOf(`?from=${from}&to=${to}&series=fine`);
    expect(next).toBeNull();
    expect(rows).toEqual(expectedRows().filter(({ time }) => time >= from && time <= to));
    expect(rows.length).toBeGreaterThanOrEqual(7);
    expect((await pageOf(`?from=${to + 1}&to=${to + 1}`)).rows).toEqual([]);
  });

  it("shows hours, of all packs or of one", async () => {
    expect((await pageOf("?series=hours")).rows.filter(({ time }) => time < TODAY)).toHaveLength(40);
    const { rows } = await pageOf("?series=hours&pack=2");
    expect(rows).toHaveLength(20);
    expect(rows[0]).toEqual({
      time: TODAY - 20 * 3_600,
      pack: 2,
      soc: 55,
      voltage: 52.1,
      current: -12.3,
      delta: 0.017,
      maxTemperature: 22,
      minutes: 60,
      alarm: false,
    });
    expect((await pageOf("?series=hours&pack=1")).rows[0]!["alarm"]).toBe(true);
  });

  it("shows days, a year in one answer", async () => {
    const { rows, next } = await pageOf("?series=days");
    expect([rows.length, next]).toEqual([DAYS, null]);
    expect(rows[0]).toEqual({
      time: TODAY - DAYS * DAY,
      charged: 1_000,
      discharged: 500,
      minSoc: 20,
      maxSoc: 98,
      minCellVoltage: 3.011,
      minCell: 4,
      minCellPack: 1,
      maxCellVoltage: 3.456,
      maxCell: 9,
      maxCellPack: 2,
      deltaAtRest: 0.01,
      deltaUnderLoad: 0.12,
      minTemperature: -5,
      maxTemperature: null,
      alarms: 0x801,
      cycles: 123,
      tenMinutes: 144,
    });
  });

  it("shows cells, and none whose time is not known", async () => {
    const cells = (first: number): (number | null)[] =>
      Array.from({ length: 16 }, (_, index) => (index < 15 ? (first + index) / 1000 : null));
    expect((await pageOf("?series=cells&pack=1")).rows).toEqual([
      {
        time: TODAY - 7 * DAY,
        pack: 1,
        firstCell: 1,
        meanAtRest: 3.301,
        meanFull: null,
        atRest: cells(-8),
        full: cells(0),
        wires: cells(60),
        cycles: 77,
        capacityAh: 279.9,
      },
    ]);
  });

  it.each([
    ["text", "from=yesterday"],
    ["nothing", "from="],
    ["no value", "to"],
    ["a negative number", "from=-1"],
    ["an exponent", "to=1e9"],
    ["a fraction", "from=1.5"],
    ["hexadecimal", "from=0x10"],
    ["a sign", "from=%2B1"],
    ["a blank", "from=+1"],
    ["more than 32 bits", "to=4294967295"],
    ["a leading zero", "to=01"],
    ["many digits", "to=11111111111111111111"],
    ["from after to", "from=2&to=1"],
    ["an unknown series", "series=minutes"],
    ["no series", "series="],
    ["a series in capitals", "series=Fine"],
    ["an unknown member", "limit=3"],
    ["an empty member", "from=1&&to=2"],
    ["a pack that is no address", "series=hours&pack=16"],
    ["a pack in words", "series=hours&pack=one"],
    ["a pack of the bank's series", "series=days&pack=1"],
  ])("refuses %s: ?%s", async (_, query) => {
    const { status, json } = await answer(`/api/history?${query}`);
    expect([status, (json as { success: boolean }).success]).toEqual([400, false]);
    expect((json as { error: string }).error).toMatch(/\w\.$/);
  });

  it.each(["fine", "days"])("says that %s are the bank's, where a pack is asked for", async (series) => {
    expect((await answer(`/api/history?series=${series}&pack=1`)).json).toEqual({
      success: false,
      error: "pack is for hours and cells: fine and days are the bank's.",
    });
  });

  it("takes the largest and the least that it names", async () => {
    for (const query of ["from=0&to=4294967294", "from=1&to=1", "series=hours&pack=0", "series=cells&pack=15"])
      expect((await get(`/api/history?${query}`)).status).toBe(200);
  });

  it("needs the token", async () => {
    for (const path of ["/api/history", "/api/events", "/api/energy"])
      expect((await get(path, { Authorization: "" })).status).toBe(401);
  });

  it("answers all that ask at once, in turn", async () => {
    const replies = Array.from({ length: 5 }, () => system.get("/api/history"));
    let done = 0;
    for (const reply of replies) void reply.then(() => done++);
    await system.skipUntil("all are there", () => done === replies.length, 60);
    for (const reply of replies) expect((await reply).status).toBe(200);
  });
});

it("clients that go while their answer is looked for keep nobody else waiting", async () => {
  const controller = new AbortController();
  const headers = { Authorization: `Bearer ${system.token}` };
  const asked = [1, 2, 3].map(() => fetch(`${system.url}/api/history`, { headers, signal: controller.signal }));
  for (const one of asked) one.catch(() => undefined);
  // The clock stands: one is being looked for, two wait. They have come when what is asked for behind them is answered.
  expect((await get("/api")).status).toBe(200);
  controller.abort();
  await system.skipUntil("one is answered", async () => (await get("/api/history?from=1&to=1")).status === 200);
  expect((await Promise.all([get("/api/history"), get("/api/history")])).map(({ status }) => status)).toEqual([
    200, 200,
  ]);
});

describe("CSV", () => {
  it("links to the rest, whose pages are all of it", async () => {
    const lines: string[] = [];
    const links: string[] = [];
    for (let path: string | undefined = "/api/history?from=1"; path !== undefined;) {
      const { status, headers, text } = await get(path, { Accept: "text/csv" });
      expect(status).toBe(200);
      const [names, ...rows] = text.trimEnd().split("\r\n");
      expect(names).toMatch(/^time,soc,/);
      expect(rows.length).toBeLessThanOrEqual(500);
      lines.push(...rows);
      const link = headers.get("link");
      if (link !== null) links.push(link);
      expect(links.length).toBeLessThan(5);
      path = link === null ? undefined : /^<([^>]*)>; rel="next"$/.exec(link)![1];
    }
    expect(lines.map((line) => Number(line.split(",")[0]))).toEqual(expectedRows().map(({ time }) => time));
    const { next } = await pageOf("?from=1");
    expect(links).toEqual([`</api/history?series=fine&from=${next}&to=4294967294>; rel="next"`]);
  });

  it("keeps series, to and pack in the link", async () => {
    const before = Buffer.from(system.board.history.bytes);
    const hours = Array.from({ length: 255 }, (_, index) => [TODAY + index, [1 + (index % 2), 55]] as const);
    for (const sector of [1, 2, 3, 4]) plant(system.board.history.bytes, "hours", sector, sector + 1, hours);
    const query = `series=hours&from=${TODAY}&to=${TODAY + 999}&pack=2`;
    const { headers } = await get(`/api/history?${query}`, { Accept: "text/csv" });
    // Four records of each odd second.
    expect(headers.get("link")).toBe(
      `</api/history?series=hours&from=${TODAY + 251}&to=${TODAY + 999}&pack=2>; rel="next"`,
    );
    system.board.history.bytes.set(before);
  });

  it.each(["fine", "hours", "days", "cells"])("of %s is read by Python as the same rows", async (series) => {
    const { status, headers, text } = await get(`/api/history?series=${series}`, { Accept: "text/csv" });
    expect([status, headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
    const program =
      "import csv,json,sys; print(json.dumps(list(csv.DictReader(sys.stdin.read().splitlines(True), strict=True))))";
    const { stdout, status: code } = spawnSync("python3", ["-c", program], { input: text, encoding: "utf8" });
    expect(code).toBe(0);
    const { rows } = await pageOf(`?series=${series}`);
    const cell = (value: unknown): string =>
      value === null ? "" : JSON.stringify(typeof value === "boolean" ? Number(value) : value);
    expect(JSON.parse(stdout)).toEqual(
      rows.map((row) =>
        Object.fromEntries(
          Object.entries(row).flatMap(([name, value]) =>
            Array.isArray(value)
              ? value.map((one, index) => [`${name}${index + 1}`, cell(one)])
              : [[name, cell(value)]],
          ),
        ),
      ),
    );
  });
});

it("GET /api/events has what happened, in order", async () => {
  await system.request("GET", "/api", { headers: { Authorization: "Bearer wrong" } });
  const { status, json } = await answer("/api/events");
  expect(status).toBe(200);
  const { data } = json as { data: { event: string; parameters: string[]; time: number | null; count: number }[] };
  expect(data.map(({ event }) => event)).toEqual(
    expect.arrayContaining(["started", "start-reason", "bms-online", "sign-in-refused"]),
  );
  expect(data[0]).toMatchObject({ event: "started", parameters: ["0.1.0", expect.any(String)], restarts: 0, count: 1 });
  expect(data[0]!.time).toBeGreaterThan(TODAY - 600);
  expect((await get("/api/events?from=1")).status).toBe(400);
});

it("GET /api/energy sums the owner's days, today among them", async () => {
  const { status, json } = await answer("/api/energy");
  expect(status).toBe(200);
  const { data } = json as { data: Record<string, { charged: number | null; discharged: number | null }> };
  const planted = (first: number, count: number, base: number): number =>
    Array.from({ length: count }, (_, index) => base + first + index).reduce((sum, one) => sum + one, 0);
  expect(data["yesterday"]).toEqual({ charged: 1.399, discharged: 0.899 });
  expect(data["lastMonth"]).toEqual({
    charged: planted(355, 31, 1_000) / 1_000,
    discharged: planted(355, 31, 500) / 1_000,
  });
  const today = data["today"]!;
  expect(today.charged! + today.discharged!).toBeGreaterThan(0);
  expect(data["month"]!.charged).toBeCloseTo(planted(386, 14, 1_000) / 1_000 + today.charged!, 6);
  expect(data["year"]).toEqual(data["month"]);
  expect(data["total"]!.charged).not.toBeNull();
  expect((await get("/api/energy?x")).status).toBe(400);
});

describe("the page", () => {
  let client: WebClient;
  beforeAll(async () => {
    client = new WebClient(system);
    expect((await finished(client.signIn(PASSWORD))).status).toBe(200);
  });

  const raw = async (query: string): Promise<Buffer> => {
    const answer = await client.open("GET", `/web/records${query}`);
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "application/octet-stream"]);
    return Buffer.concat(await answer.toArray());
  };
  const kept = (name: RingName): Buffer =>
    Buffer.concat(recordsIn(system.board.history.bytes, name).map(({ bytes }) => bytes));

  it("gets the records as they are", async () => {
    expect(await raw("")).toEqual(kept("fine"));
    for (const series of Object.keys(RINGS) as RingName[]) {
      const records = await raw(`?series=${series}`);
      expect(records.length).toBeGreaterThan(0);
      expect(records).toEqual(kept(series));
    }
  });

  it("gets today's range of each cell", async () => {
    const ranges = await raw("?series=today");
    expect(ranges).toHaveLength(128);
    const { cells } = system.bms.pack;
    expect(ranges.readUInt16BE(0)).toBeGreaterThan(2_500);
    expect(ranges.readUInt16BE(2)).toBeGreaterThanOrEqual(ranges.readUInt16BE(0));
    expect(ranges.subarray(4 * cells.length).every((byte) => byte === 0xff)).toBe(true);
  });

  it.each([
    [1, 1],
    [PER_SECTOR.fine, 1],
    [PER_SECTOR.fine + 1, 2],
    [4_294_967_295, 4],
  ])("gets the newest %i at least: %i full sectors, and the one that was begun", async (last, full) => {
    const all = kept("fine");
    const begun = all.length / 22 - 4 * PER_SECTOR.fine;
    expect(begun).toBeGreaterThan(0);
    const bytes = await raw(`?series=fine&last=${last}`);
    expect(bytes.length / 22).toBe(full * PER_SECTOR.fine + begun);
    expect(bytes).toEqual(all.subarray(all.length - bytes.length));
  });

  it.each([
    "series=minutes",
    "series=fine&last=0",
    "series=fine&last=",
    "series=fine&last=-1",
    "last=1",
    "series=fine&last=1&last=1",
    "series=fine&last=01",
    "series=fine&last=4294967296",
    "series=",
    "series=Fine",
    "series=fine&from=1",
    "from=1",
    "fine",
  ])("is refused ?%s", async (query) => {
    expect((await client.get(`/web/records?${query}`)).status).toBe(400);
  });

  it("gets the energy of the API, and both only with its session", async () => {
    const { data } = (await finished(client.get("/web/energy"))).json as { data: Record<string, unknown> };
    expect(data["yesterday"]).toEqual({ charged: 1.399, discharged: 0.899 });
    for (const path of ["/web/records", "/web/energy"]) {
      expect((await new WebClient(system).get(path)).status).toBe(401);
      // Nor with the API's token.
      expect((await system.get(path)).status).toBe(401);
    }
  });

  it("gets records beside as many answers of the API as are made at a time", async () => {
    // The clock stands: one is being made, two wait.
    const others = [1, 2, 3].map(() => system.get("/api/history"));
    expect(await raw("?series=hours")).toEqual(kept("hours"));
    await Promise.all(others.map(finished));
  });
});
