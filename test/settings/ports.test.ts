/** Servers of the device do not take each other's ports, whoever sets them. */
import { beforeEach, expect, it } from "vitest";
import type { StoredSettings } from "../../src/settings/settings";
import { startSettings } from "../support/fakes/settings";
import { FaultyStorage } from "../support/fakes/storage";

const HTTP = 1_502;
const TAKEN = "equal\tmodbus.port\tHTTP";
const HELD = "same\tmodbus.port\tHTTP";

let storage: FaultyStorage;
beforeEach(() => {
  storage = new FaultyStorage();
});

const open = (httpPort = HTTP, configured = {}): StoredSettings => startSettings(storage, { httpPort, configured });
const store = (port: number, enabled = true): void => {
  const values = { enabled, port, clients: "192.0.2.7" };
  storage.put("settings", "modbus", JSON.stringify({ version: 1, values }));
};
const storedText = (): unknown => storage.get("settings", "modbus");

it.each([
  [HTTP - 1, undefined],
  [HTTP, TAKEN],
  [HTTP + 1, undefined],
])("Modbus at port %i beside the web server at 1502: %j, on or off", (port, refusal) => {
  for (const enabled of [true, false]) {
    const settings = open();
    const before = settings.modbus;
    expect(settings.update("modbus", { enabled, port })).toBe(refusal);
    expect(settings.modbus).toEqual(refusal ? before : { enabled, port, clients: "" });
  }
});

it("is not switched on at the web server's port by a default, and nothing else is refused for it", () => {
  const settings = open(502);
  expect(settings.problems).toEqual([]);
  expect(settings.update("modbus", { enabled: true })).toBe(TAKEN);
  expect(settings.update("bms", { interval: 2_000 })).toBeUndefined();
  expect(settings.update("modbus", { enabled: true, port: 503 })).toBeUndefined();
});

it.each([
  [HTTP - 1, true, []],
  [HTTP, false, [HELD]],
  [HTTP + 1, true, []],
])("with a stored port of %i Modbus is on: %j", (port, enabled, problems) => {
  store(port);
  const settings = open();
  expect(settings.modbus).toEqual({ enabled, port, clients: "192.0.2.7" });
  expect(settings.problems.filter((problem) => problem.includes("modbus"))).toEqual(problems);
});

it("what was held is stored as it was, and goes on once it has a port of its own", () => {
  store(HTTP);
  const text = storedText();
  const settings = open();
  expect(settings.update("modbus", { clients: "192.0.2.8" })).toBe(TAKEN);
  expect(storedText()).toBe(text);
  expect(settings.update("modbus", { port: HTTP + 1 })).toBeUndefined();
  expect(settings.modbus).toEqual({ enabled: true, port: HTTP + 1, clients: "192.0.2.7" });
  // The page's own port has changed: nothing collides any more.
  store(HTTP);
  expect(open(8_080).modbus.enabled).toBe(true);
});

it("one that is off is no problem", () => {
  store(HTTP, false);
  expect(open().problems.filter((problem) => problem.includes("modbus"))).toEqual([]);
});

it("the board's configuration is held as well", () => {
  const settings = open(HTTP, { modbus: { enabled: true, port: HTTP } });
  expect(settings.modbus.enabled).toBe(false);
  expect(settings.problems).toContain(HELD);
});
