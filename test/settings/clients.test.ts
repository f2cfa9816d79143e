/** The setting modbus.clients: whom an invalid entry would lock out, or let in. */
import { describe, expect, it } from "vitest";
import { MAX_ALLOWED, MAX_CLIENTS } from "../../src/settings/limits";
import { startSettings } from "../support/fakes/settings";
import { FaultyStorage } from "../support/fakes/storage";
import { poweredBoard } from "../support/system/simulated-board";

const DEMAND = `not-text\tmodbus.clients\t0\t${MAX_CLIENTS}\tclients`;
const LONGEST = "255.255.255.255";
const list = (count: number, between = ", "): string => Array<string>(count).fill(LONGEST).join(between);

describe("modbus.clients", () => {
  it.each([
    ["none", ""],
    ["one", "192.0.2.7"],
    ["one less than the most", list(MAX_ALLOWED - 1)],
    ["the most", list(MAX_ALLOWED)],
    ["with blanks", list(MAX_ALLOWED, " ")],
    ["with commas", list(MAX_ALLOWED, ",")],
    ["the most characters less one", ` ${list(MAX_ALLOWED, ",").padEnd(MAX_CLIENTS - 2)}`],
    ["the most characters", list(MAX_ALLOWED, ",").padEnd(MAX_CLIENTS)],
  ])("accepts %s, and has it after a restart", (_, clients) => {
    poweredBoard();
    const storage = new FaultyStorage();
    expect(startSettings(storage).update("modbus", { clients })).toBeUndefined();
    expect([startSettings(storage).modbus.clients, startSettings(storage).problems]).toEqual([clients, []]);
  });

  it.each([
    [
      "one more than the most",
      Array<string>(MAX_ALLOWED + 1)
        .fill("1.1.1.1")
        .join(" "),
    ],
    ["one character too many", list(MAX_ALLOWED, ",").padEnd(MAX_CLIENTS + 1)],
    ["a name", "evcc.local"],
    ["a number of three parts", "192.0.2"],
    ["a number too large", "192.0.2.256"],
    ["a leading zero", "192.0.2.07"],
    ["a sign", "192.0.2.-1"],
    ["a plus", "192.0.2.+1"],
    ["an exponent", "192.0.2.1e1"],
    ["an invalid one among others", "192.0.2.7, 192.0.2.300"],
    ["an invalid last one", "192.0.2.7 192.0.2.8 192.0.2.9 192.0.2."],
    ["a blank alone", " "],
    ["a comma alone", ","],
    ["another separator", "192.0.2.7;192.0.2.8"],
    ["IPv6", "fe80::1"],
  ])("refuses %s, says what it must be, and keeps the one before", (_, clients) => {
    poweredBoard();
    const settings = startSettings();
    settings.update("modbus", { clients: "192.0.2.9" });
    expect(settings.update("modbus", { clients })).toBe(DEMAND);
    expect(settings.modbus.clients).toBe("192.0.2.9");
  });

  it("that an older firmware stored stays, and is said to be wrong: none would let the subnet in", () => {
    poweredBoard();
    const storage = new FaultyStorage();
    startSettings(storage).update("modbus", { enabled: true, clients: "192.0.2.7" });
    storage.put("settings", "modbus", String(storage.get("settings", "modbus")).replace("192.0.2.7", "evcc.local"));
    const settings = startSettings(storage);
    expect([settings.modbus, settings.problems]).toMatchObject([
      { enabled: true, clients: "evcc.local" },
      ["not-allowed\tmodbus.clients"],
    ]);
    expect(settings.update("modbus", { port: 1_502 })).toBeUndefined();
    expect(startSettings(storage).modbus).toEqual({ enabled: true, port: 1_502, clients: "evcc.local" });
    expect(settings.update("modbus", { clients: "" })).toBeUndefined();
    expect(startSettings(storage).problems).toEqual([]);
  });
});
