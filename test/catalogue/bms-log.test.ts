/** The names of the codes in the BMS's own log, and the longest document that they can make. */
import { readFileSync } from "node:fs";
import { LOG_BYTES, visitLog } from "jk-bms/system-log";
import { expect, it } from "vitest";
import { RESPONSE_BUFFER_BYTES } from "../../modules/http-server/limits";
import { Api } from "../../src/api/api";
import { ALARMS_TABLE } from "../../src/catalogue/alarms";
import { logEvent } from "../../src/catalogue/bms-log";
import { fakeParts, TOKEN } from "../support/fakes/fake-parts";
import { FakeExchange } from "../support/http/fake-exchange";
import { poweredBoard } from "../support/system/simulated-board";

const ALL = Array.from({ length: 256 }, (_, code) => logEvent(code));

it("are those of docs/jk-modbus.md, each once", () => {
  const told = new Map(
    [...readFileSync("docs/jk-modbus.md", "utf8").matchAll(/\| (\d+) +\| `([a-z0-9_]+)` +(?=\|)/g)].map(
      ([, code, name]) => [Number(code), name],
    ),
  );
  expect([...told.keys()].sort((one, other) => one - other)).toEqual(Array.from({ length: 73 }, (_, at) => at + 1));
  for (const [code, name] of told) expect([code, logEvent(code)]).toEqual([code, name]);
  const named = ALL.filter(Boolean);
  expect(new Set(named).size).toBe(named.length);
});

it("name the cells from 100 and 200 on, and nothing that is not known", () => {
  expect([ALL[100], ALL[131], ALL[200], ALL[231]]).toEqual([
    ...["cell_1_overcharged", "cell_32_overcharged"],
    ...["cell_1_overdischarged", "cell_32_overdischarged"],
  ]);
  for (const code of [0, 74, 99, 132, 199, 232, 255]) expect([code, ALL[code]]).toEqual([code, ""]);
});

it("an alarm has the name of its bit, and another when it is over", () => {
  expect([ALL[17], ALL[18], ALL[27], ALL[28]]).toEqual([
    ...["cell_overvoltage", "cell_overvoltage_released"],
    ...["charge_undertemperature", "charge_undertemperature_released"],
  ]);
  const alarms = ALARMS_TABLE.map(({ name }) => name);
  for (const name of ALL.filter((name) => name.endsWith("_released")))
    expect(alarms).toContain(name.replace("_released", ""));
});

it("the longest log fits the buffer of an answer", () => {
  poweredBoard();
  const longest = ALL.reduce((most, name, code) => (name.length > (ALL[most] as string).length ? code : most), 0);
  const systemLog = new Uint8Array(LOG_BYTES).fill(0xff);
  const view = new DataView(systemLog.buffer);
  view.setUint8(4, (0xffffffff - 1) % 50);
  for (let place = 0; place < 50; place++) view.setUint8(9 + 5 * place, longest);
  let entries = 0;
  visitLog(systemLog, () => void entries++);
  expect(entries).toBe(50);
  const parts = fakeParts();
  Object.assign(parts.monitor.pack, { systemLog, systemLogAge: 0x7fffffff });
  const exchange = new FakeExchange({
    path: "/api/bms/log",
    sources: true,
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  new Api(parts).answer(exchange);
  const { data } = exchange.json as { data: { entries: { event: string }[] } };
  expect(data.entries.map(({ event }) => event)).toEqual(Array.from({ length: 50 }, () => logEvent(longest)));
  expect(JSON.stringify(exchange.json).length).toBeLessThanOrEqual(RESPONSE_BUFFER_BYTES);
});
