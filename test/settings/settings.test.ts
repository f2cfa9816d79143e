import fc, { runs } from "../support/property";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { hashPassword } from "../../host-sim/password";
import { MAX_EVENT_TEXT } from "../../src/events/limits";
import { MAX_PROBLEMS, MAX_STORED_DEPTH, MAX_STORED_TEXT } from "../../src/settings/limits";
import FROM_FLASH from "../../src/settings/defaults";
import { STORE_PROBLEMS } from "../../src/settings/settings";
import GROUPS from "../../src/settings/tables";
import type { GroupName, Settings } from "../../src/settings/types";
import { overlay } from "../../src/settings/values";
import { DEFAULTS, startSettings, TOKEN } from "../support/fakes/settings";
import { FaultyStorage } from "../support/fakes/storage";

const names = Object.keys(GROUPS) as GroupName[];

let storage: FaultyStorage;
beforeEach(() => {
  storage = new FaultyStorage();
});

const NONE_YET = '{"version":1,"values":{"password":""}}';
const API_ON = `{"version":1,"values":{"enabled":true,"token":"${TOKEN}"}}`;
/** In a store that is not virgin: no password has been chosen. */
const put = (group: GroupName, value: unknown): void => {
  if (storage.get("settings", "web") === undefined) storage.put("settings", "web", NONE_YET);
  if (storage.get("settings", "api") === undefined) storage.put("settings", "api", API_ON);
  storage.put("settings", group, value);
};
const stored = (group: GroupName): unknown => {
  const text = storage.get("settings", group);
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
};

/** Everything is there, in its range and frozen. */
function expectSound(settings: Settings): void {
  for (const name of names) {
    const faults: string[] = [];
    overlay<object>(GROUPS[name].fields, settings[name], settings[name], name, (path) => faults.push(path));
    expect(faults).toEqual([]);
  }
  expect(settings.relay.onAt).not.toBe(settings.relay.offAt);
  expect(settings.problems.length).toBeLessThanOrEqual(MAX_PROBLEMS);
  const { temperature, voltages, inputs } = settings.monitoring;
  for (const part of [settings.device, settings.monitoring, temperature, voltages, ...voltages, inputs, ...inputs])
    expect(Object.isFrozen(part)).toBe(true);
}

const NO_SNMP = { contact: "", location: "", receiver1: "", receiver2: "" };

it.each([
  [200, 200, []],
  [201, 200, ["not-allowed\tbms.gap"]],
  [500, 200, ["not-allowed\tbms.gap"]],
  [29, 75, ["not-allowed\tbms.gap"]],
  ["450", 75, ["not-allowed\tbms.gap"]],
])("a stored gap of %j becomes %i, and is logged if it was none that is allowed", (stored, gap, problems) => {
  storage.put("settings", "bms", JSON.stringify({ version: 1, values: { ...DEFAULTS.bms, gap: stored } }));
  storage.put("settings", "web", NONE_YET);
  storage.put("settings", "api", API_ON);
  const settings = startSettings(storage);
  expect([settings.bms.gap, settings.problems]).toEqual([gap, problems]);
});

describe("the first start", () => {
  it("applies the defaults, generates a 128-bit token and stores it at once", () => {
    const settings = startSettings(storage, { mac: "24:6F:28:0A:0B:0C" });
    expect(settings.problems).toEqual([]);
    const made = { device: { ...DEFAULTS.device, hostname: "jk-bms-0a0b0c" }, api: { enabled: true, token: TOKEN } };
    for (const name of names) expect(settings[name], name).toEqual({ ...DEFAULTS, ...made }[name]);
    expect(storage.writes).toBe(2);
    expect(stored("web")).toEqual({ version: 1, values: { password: "" } });
    expect(stored("api")).toEqual({ version: 1, values: { enabled: true, token: TOKEN } });
    expectSound(settings);
  });

  it.each([undefined, "", "no address", "24:6f:28:0a:0b:ü1"])(
    "has a plain hostname without a MAC address (%j)",
    (mac) => {
      const { hostname } = startSettings(storage, { mac }).device;
      if (mac === "no address") expect(hostname).toMatch(/^jk-bms/);
      else expect(hostname).toBe("jk-bms");
    },
  );

  it("asks the generator for 16 bytes once, and not at the next start", () => {
    const get = vi.fn(() => new Uint8Array(16).fill(0xa5).buffer);
    expect(startSettings(storage, { random: { get } }).api.token).toBe("a5".repeat(16));
    expect(get).toHaveBeenCalledExactlyOnceWith(16);
    expect(startSettings(storage, { random: { get } }).api.token).toBe("a5".repeat(16));
    expect(get).toHaveBeenCalledOnce();
    expect(storage.writes).toBe(2);
  });

  describe("without random numbers for the token", () => {
    const none = {
      get: (): never => {
        throw new Error("no memory");
      },
    };
    const some = { get: (length: number): ArrayBuffer => new Uint8Array(length).fill(0xa5).buffer };

    it("makes it once there are some; until then the API is on, and admits nobody", () => {
      const settings = startSettings(storage, { random: none });
      const changed = vi.fn();
      settings.observe({ settingsChanged: changed });
      expect(settings.api).toEqual({ enabled: true, token: "" });
      expect(() => settings.completeToken(none)).toThrow("no memory");
      expect(stored("api")).toBeUndefined();
      settings.completeToken(some);
      expect(settings.api).toEqual({ enabled: true, token: "a5".repeat(16) });
      expect(stored("api")).toEqual({ version: 1, values: settings.api });
      expect(changed).toHaveBeenCalledExactlyOnceWith("api");
      expectSound(settings);
    });

    it("is a first start still at the next", () => {
      startSettings(storage, { random: none });
      expect(startSettings(storage, { random: some }).api).toEqual({ enabled: true, token: "a5".repeat(16) });
    });

    it("leaves an API off whose token was lost", () => {
      storage.put("settings", "web", `{"version":1,"values":{"password":"${hashPassword("Lítio-280-Ah", 1)}"}}`);
      const settings = startSettings(storage, { random: none });
      settings.completeToken(some);
      expect(settings.api).toEqual({ enabled: false, token: "a5".repeat(16) });
    });

    it("tries again when it cannot be stored", () => {
      const settings = startSettings(storage, { random: none });
      storage.writesLeft = 0;
      expect(() => settings.completeToken(some)).toThrow("not-stored");
      storage.writesLeft = Infinity;
      settings.completeToken(some);
      expect(settings.api.token).toBe("a5".repeat(16));
    });

    it("replaces none that exists, or may exist unread", () => {
      startSettings(storage).completeToken(some);
      expect(startSettings(storage).api.token).toBe(TOKEN);
      storage.failsToRead = ["api"];
      const settings = startSettings(storage, { random: none });
      settings.completeToken(some);
      storage.failsToRead = [];
      expect(startSettings(storage).api.token).toBe(TOKEN);
    });
  });

  it("keeps leading zeros of the token", () => {
    const get = (): ArrayBuffer => new ArrayBuffer(16);
    expect(startSettings(storage, { random: { get } }).api.token).toBe("0".repeat(32));
  });
});

describe.each(["relay", "monitoring"] as const)("a board that lacks what %s is for", (name) => {
  const lacks = { [name]: true };
  const other = name === "relay" ? "monitoring" : "relay";

  it("has it not fitted, and all else as ever; stored is what was stored", () => {
    const settings = startSettings(storage, { lacks });
    expect(settings[name]).toEqual({ ...DEFAULTS[name], fitted: false });
    expect(settings[other]).toEqual(DEFAULTS[other]);
    expect([settings.problems, storage.writes]).toEqual([[], 2]);
    expect(startSettings(storage)[name].fitted).toBe(true);
  });

  it("does not get it by an update, a stored value or the configuration", () => {
    expect(startSettings(storage, { lacks }).update(name, { fitted: true })).toBeUndefined();
    const settings = startSettings(storage, { lacks, configured: { [name]: { fitted: true } } });
    expect(settings[name].fitted).toBe(false);
    const listener = vi.fn();
    settings.observe({ settingsChanged: listener });
    expect(settings.update(name, { fitted: true })).toBeUndefined();
    expect(settings.update(name, { fitted: false })).toBeUndefined();
    expect(settings.update(name, { fitted: true })).toBeUndefined();
    expect([settings[name].fitted, listener.mock.calls]).toEqual([false, []]);
    expect(startSettings(storage)[name].fitted).toBe(true);
  });
});

it("a board without a relay has none after a configuration that clashes with what is stored, either", () => {
  const settings = startSettings(storage, { lacks: { relay: true }, configured: { relay: { onAt: 30 } } });
  expect(settings.problems).toEqual(["not-allowed-by-board\trelay"]);
  expect(settings.relay).toEqual({ ...DEFAULTS.relay, fitted: false });
  expect(settings.update("relay", { onAt: 25 })).toBeUndefined();
  expect(settings.relay).toEqual({ ...DEFAULTS.relay, fitted: false, onAt: 25 });
});

describe("settings from the board's configuration", () => {
  const token = "given";
  const configured = { api: { token } };

  it("override the stored ones without being stored", () => {
    startSettings(storage);
    const settings = startSettings(storage, { configured: { api: { token }, bms: { address: 9, baud: 9600 } } });
    expect(settings.api).toEqual({ enabled: true, token: "given" });
    expect(settings.bms).toEqual({ ...DEFAULTS.bms, address: 9, baud: 9600 });
    expect(settings.problems).toEqual([]);
    expect(storage.writes).toBe(2);
    expect(startSettings(storage).api.token).toBe(TOKEN);
    expect(startSettings(storage).bms.address).toBe(1);
    expectSound(startSettings(storage, { configured: { bms: { address: 9 } } }));
  });

  it("stay in force while another member changes, and are not stored with it", () => {
    const settings = startSettings(storage, { configured });
    expect(settings.update("api", { enabled: false })).toBeUndefined();
    expect(settings.api).toEqual({ enabled: false, token: "given" });
    expect(Object.isFrozen(settings.api)).toBe(true);
    expect(startSettings(storage).api).toEqual({ enabled: false, token: TOKEN });
  });

  it("give way to later updates, member by member", () => {
    const settings = startSettings(storage, { configured: { bms: { address: 9, gap: 100 } } });
    const listener = vi.fn();
    settings.observe({ settingsChanged: listener });
    expect(settings.update("bms", { address: 7 })).toBeUndefined();
    expect(settings.bms).toMatchObject({ address: 7, gap: 100 });
    expect(settings.update("bms", { interval: 2000 })).toBeUndefined();
    expect(settings.bms).toMatchObject({ address: 7, gap: 100, interval: 2000 });
    expect(listener).toHaveBeenCalledTimes(2);
    expect(startSettings(storage).bms).toMatchObject({ address: 7, gap: 75, interval: 2000 });
  });

  it("give way to the stored value when it is set again, without a write", () => {
    const settings = startSettings(storage, { configured });
    const listener = vi.fn();
    settings.observe({ settingsChanged: listener });
    expect(settings.update("api", { token: TOKEN })).toBeUndefined();
    expect(settings.api.token).toBe(TOKEN);
    expect(listener).toHaveBeenCalledOnce();
    expect(storage.writes).toBe(2);
  });

  it("stay in force when the new one could not be stored", () => {
    const settings = startSettings(storage, { configured });
    storage.writesLeft = 0;
    expect(settings.update("api", { token: "f".repeat(32) })).toBe("not-stored");
    expect(settings.api.token).toBe("given");
    storage.writesLeft = 1;
    expect(settings.update("api", { enabled: false })).toBeUndefined();
    expect(settings.api.token).toBe("given");
  });

  it("tell who listens for the owner's changes nothing of what the device makes for itself", () => {
    const settings = startSettings(storage);
    const told: string[] = [];
    settings.observe({
      settingsChanged: (group) => void told.push(`changed ${group}`),
      settingsChosen: (group) => void told.push(`chosen ${group}`),
    });
    expect(settings.update("network", { accessPointPassword: "made by it" }, true)).toBeUndefined();
    expect(told).toEqual(["changed network"]);
    expect(settings.update("network", { accessPointPassword: "chosen by her" })).toBeUndefined();
    expect(told).toEqual(["changed network", "changed network", "chosen network"]);
  });

  it("cause no notification when the update matches what is in force", () => {
    const settings = startSettings(storage, { configured: { bms: { address: 9 } } });
    const listener = vi.fn();
    settings.observe({ settingsChanged: listener });
    expect(settings.update("bms", { address: 9 })).toBeUndefined();
    expect(listener).not.toHaveBeenCalled();
    expect(startSettings(storage).bms.address).toBe(9);
  });

  it.each(["", 5, null, "with blank", "ü", "a".repeat(129)])(
    "are ignored and reported when the token is %j",
    (wrong) => {
      const settings = startSettings(storage, { configured: { api: { token: wrong as string } } });
      expect(settings.api.token).toBe(TOKEN);
      expect(settings.problems).toEqual(["not-allowed-by-board\tapi.token"]);
    },
  );

  it.each(["a", "a".repeat(128)])("may have the token %j", (right) => {
    expect(startSettings(storage, { configured: { api: { token: right } } }).api.token).toBe(right);
  });

  it("are ignored when undefined or of an unknown group", () => {
    const none = { api: { token: undefined }, relay: undefined, other: { token } } as unknown as object;
    const settings = startSettings(storage, { configured: none });
    expect(settings.problems).toEqual([]);
    expect(settings.api.token).toBe(TOKEN);
  });

  it("are reported when there is no such setting", () => {
    const configured = { bms: { speed: 1 } } as unknown as object;
    expect(startSettings(storage, { configured }).problems).toEqual(["not-allowed-by-board\tbms.speed"]);
  });

  it("are refused when they contradict the stored ones, and so is an update", () => {
    const clashing = startSettings(storage, { configured: { relay: { onAt: 30 } } });
    expect(clashing.problems).toEqual(["not-allowed-by-board\trelay"]);
    expect(clashing.relay.onAt).toBe(20);
    const settings = startSettings(storage, { configured: { relay: { onAt: 40 } } });
    expect(settings.update("relay", { offAt: 40 })).toBe("equal\trelay.onAt\trelay.offAt");
    expect(settings.relay).toMatchObject({ onAt: 40, offAt: 30 });
    // In force they would differ, but not after the next start.
    expect(settings.update("relay", { offAt: 20 })).toBe("equal\trelay.onAt\trelay.offAt");
  });
});

/** A stored group, two levels deep, with `value` in it. */
const groupWith = (value: unknown): string => JSON.stringify({ version: 1, values: { name: value } });
const nested = (depth: number): unknown => (depth ? [nested(depth - 1)] : 0);

describe("damaged stored settings", () => {
  it.each([
    ["no JSON", "{"],
    ["an empty text", ""],
    ["a number", "5"],
    ["null", "null"],
    ["a list", "[]"],
    ["no version", '{"values":{}}'],
    ["a version that is no number", '{"version":"1","values":{}}'],
    ["a version with a fraction", '{"version":1.5,"values":{}}'],
    ["no values", '{"version":1}'],
    ["null values", '{"version":1,"values":null}'],
    ["values that are no object", '{"version":1,"values":5}'],
    ["bytes", new ArrayBuffer(4)],
    ["a number in the storage", 7],
    ["too long a text", `{"version":1,"values":{}}${" ".repeat(MAX_STORED_TEXT)}`],
    ["too deep a text", "[".repeat(MAX_STORED_DEPTH + 1)],
    ["one level too deep a value", groupWith(nested(MAX_STORED_DEPTH - 1))],
  ])("%s: only that group falls back to its defaults, reported by name", (_, text) => {
    put("relay", text);
    put("bms", '{"version":1,"values":{"address":7,"baud":9600,"interval":2000,"readMode":"frames","gap":100}}');
    const settings = startSettings(storage);
    expect(settings.problems).toEqual(["corrupt\trelay"]);
    expect(settings.relay).toEqual({ ...DEFAULTS.relay, fitted: false });
    expect(settings.bms).toEqual({
      address: 7,
      baud: 9600,
      interval: 2000,
      readMode: "frames",
      gap: 100,
      mode: "auto",
    });
  });

  it("fall back member by member, reported by name without values", () => {
    put(
      "relay",
      '{"version":1,"values":{"fitted":false,"name":"secret\\n","mode":9,"activeLevel":0,"onAt":1e9,"offAt":40}}',
    );
    const settings = startSettings(storage);
    expect(settings.relay).toEqual({ ...DEFAULTS.relay, fitted: false, activeLevel: 0, offAt: 40 });
    expect(settings.problems).toEqual([
      "not-allowed\trelay.name",
      "not-allowed\trelay.mode",
      "not-allowed\trelay.onAt",
    ]);
    expect(settings.problems.join()).not.toContain("secret");
  });

  it("are read up to the maximum depth, and brackets in strings do not count", () => {
    put("device", groupWith(nested(MAX_STORED_DEPTH - 2)));
    put("web", groupWith(Array(MAX_STORED_DEPTH).fill([])));
    put("relay", groupWith(`"\\${"[".repeat(MAX_STORED_DEPTH + 1)}`));
    const settings = startSettings(storage);
    expect(settings.problems).toContain("not-allowed\tdevice.name");
    expect(settings.problems).not.toContain("corrupt\tweb");
    expect(settings.problems).not.toContain("corrupt\trelay");
    expect(settings.relay.name).toBe(`"\\${"[".repeat(MAX_STORED_DEPTH + 1)}`);
  });

  it("are read up to the maximum length", () => {
    const text = '{"version":1,"values":{"server":"","offset":60}}';
    put("time", text.padEnd(MAX_STORED_TEXT));
    expect(startSettings(storage).time.offset).toBe(60);
    put("time", text.padEnd(MAX_STORED_TEXT + 1));
    expect(startSettings(storage).problems).toEqual(["corrupt\ttime"]);
  });

  it("fall back inside nested channels", () => {
    const settings = startSettings(storage);
    const [one, two, three] = settings.monitoring.voltages;
    settings.update("monitoring", { voltages: [{ ...one, ratio: 11 }, { ...two, ratio: 12 }, three] });
    put("monitoring", (storage.get("settings", "monitoring") as string).replace('"ratio":12', '"ratio":-12'));
    const again = startSettings(storage);
    expect(again.monitoring.voltages.map(({ ratio }) => ratio)).toEqual([11, 25, 25]);
    expect(again.problems).toEqual(["not-allowed\tmonitoring.voltages.1.ratio"]);
  });

  it.each([
    [0, "older\tsnmp"],
    [2, "newer\tsnmp"],
  ])("of version %i keep valid members, and are reported", (version, problem) => {
    put("snmp", JSON.stringify({ version, values: { enabled: true, later: 1 } }));
    const settings = startSettings(storage);
    expect(settings.snmp).toEqual({ enabled: true, community: "", ...NO_SNMP });
    expect(settings.problems).toEqual([problem]);
  });

  it("give both thresholds their defaults when they are equal", () => {
    const values = { ...DEFAULTS.relay, onAt: 30, offAt: 30, name: "Pump" };
    put("relay", JSON.stringify({ version: 1, values }));
    const settings = startSettings(storage);
    expect(settings.relay).toMatchObject({ name: "Pump", onAt: 20, offAt: 30 });
    expect(settings.problems).toEqual(["same\trelay.onAt\trelay.offAt"]);
  });

  it("are repaired by the next update, even one that changes nothing", () => {
    put("relay", "{");
    const settings = startSettings(storage);
    const listener = vi.fn();
    settings.observe({ settingsChanged: listener });
    const before = storage.writes;
    expect(settings.update("relay", { mode: 0 })).toBeUndefined();
    expect(storage.writes).toBe(before + 1);
    expect(settings.update("relay", { mode: 0 })).toBeUndefined();
    expect(storage.writes).toBe(before + 1);
    expect(listener).not.toHaveBeenCalled();
    expect(startSettings(storage).problems).toEqual([]);
  });

  it("create and store a new token when the stored one is lost", () => {
    put("api", '{"version":1,"values":{"enabled":false,"token":"short"}}');
    const settings = startSettings(storage);
    expect(settings.api).toEqual({ enabled: false, token: TOKEN });
    expect(settings.problems).toEqual(["not-allowed\tapi.token"]);
    expect(startSettings(storage).problems).toEqual([]);
  });

  it("report a limited number of problems", () => {
    for (const name of names) {
      const values = Object.fromEntries(Object.keys(GROUPS[name].fields).map((member) => [member, null]));
      put(name, JSON.stringify({ version: 1, values }));
    }
    const { problems } = startSettings(storage);
    expect(problems.length).toBe(MAX_PROBLEMS);
    expect(problems.at(-1)).toBe("more");
    expect(Object.isFrozen(problems)).toBe(true);
  });

  it("never prevent the start: any JSON and any text in every group", () => {
    const near = fc.record({
      version: fc.oneof(fc.constant(1), fc.integer()),
      values: fc.dictionary(
        fc.constantFrom(
          "name",
          "token",
          "enabled",
          "mode",
          "onAt",
          "offAt",
          "temperature",
          "voltages",
          "inputs",
          "__proto__",
        ),
        fc.oneof(fc.jsonValue(), fc.constant([{}, { ratio: 5 }, {}]), fc.integer({ min: 0, max: 40 })),
      ),
    });
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.json(),
      near.map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(fc.array(text, { minLength: names.length, maxLength: names.length }), (texts) => {
        storage = new FaultyStorage();
        names.forEach((name, at) => put(name, texts[at]));
        const settings = startSettings(storage);
        expectSound(settings);
        expect(settings.update("device", { name: "still working" })).toBeUndefined();
        expect(startSettings(storage).device.name).toBe("still working");
      }),
      { numRuns: runs(300) },
    );
  });
});

describe("an API that may have been switched off", () => {
  it.each([
    ["corrupt", "{", "corrupt\tapi"],
    ["no text", 7, "corrupt\tapi"],
    ["without the switch", `{"version":1,"values":{"token":"${TOKEN}"}}`, "missing\tapi.enabled"],
    ["with another switch", `{"version":1,"values":{"enabled":1,"token":"${TOKEN}"}}`, "not-allowed\tapi.enabled"],
  ])("stays off if its settings are %s, until it is switched on", (_, text, problem) => {
    put("api", text);
    const settings = startSettings(storage);
    expect(settings.api).toEqual({ enabled: false, token: TOKEN });
    expect(settings.problems).toContain(problem);
    expect(settings.update("api", { enabled: true })).toBeUndefined();
    expect(startSettings(storage)).toMatchObject({ api: { enabled: true }, problems: [] });
  });

  it("stays off if its settings are gone and others are not", () => {
    put("bms", '{"version":1,"values":{"address":7,"baud":9600,"interval":2000,"readMode":"frames","gap":100}}');
    storage.open({ path: "settings", format: "string" }).delete("api");
    const settings = startSettings(storage);
    expect([settings.api.enabled, settings.problems]).toEqual([false, ["missing\tapi"]]);
    expect(startSettings(storage)).toMatchObject({ api: { enabled: false }, problems: [] });
  });

  it("stays off if its settings are gone and only a chosen password is left", () => {
    storage.put("settings", "web", '{"version":1,"values":{"password":"chosen"}}');
    const settings = startSettings(storage);
    expect([settings.api.enabled, settings.problems]).toEqual([false, ["missing\tapi"]]);
  });

  it("is on if the power failed during the first start, before its token was stored", () => {
    storage.put("settings", "web", NONE_YET);
    expect(startSettings(storage)).toMatchObject({ api: { enabled: true, token: TOKEN }, problems: [] });
  });
});

it("include what the platform did to the storage, in lines that fit the log", () => {
  expect(startSettings(storage, { storeState: 0 }).problems).toEqual([]);
  STORE_PROBLEMS.forEach((problem, storeState) => {
    if (!problem) return;
    expect(startSettings(storage, { storeState }).problems).toEqual([problem]);
    expect(`settings\t${problem}`.length).toBeLessThanOrEqual(MAX_EVENT_TEXT);
  });
});

describe("a failing storage", () => {
  it("that fails to open once is opened all the same", () => {
    startSettings(storage).update("device", { name: "Shed" });
    const once = Object.create(storage) as FaultyStorage;
    let failures = 1;
    once.open = (options) => {
      if (failures-- > 0) throw new Error("ESP_ERR_NO_MEM");
      return storage.open(options);
    };
    const settings = startSettings(once);
    expect([settings.device.name, settings.problems]).toEqual(["Shed", []]);
  });

  it("on open: defaults, a token for this run, a report; updates are refused", () => {
    storage.failsToOpen = true;
    const settings = startSettings(storage);
    expect(settings.problems).toEqual(["store-closed", "unwritable\tapi.token"]);
    expect(settings.api.token).toBe(TOKEN);
    expect(settings.update("relay", { mode: 1 })).toBe("not-stored");
    expect(settings.relay.mode).toBe(0);
    expectSound(settings);
  });

  it("on reading a group: that group's defaults, the others as stored", () => {
    startSettings(storage).update("bms", { address: 5 });
    storage.failsToRead = ["relay"];
    const settings = startSettings(storage);
    expect(settings.problems).toEqual(["unreadable\trelay"]);
    expect(settings.bms.address).toBe(5);
  });

  it("on reading a group: it is told as unreadable until something is stored over it", () => {
    storage.failsToRead = ["relay"];
    const settings = startSettings(storage);
    expect([settings.isUnreadable("relay"), settings.isUnreadable("bms")]).toEqual([true, false]);
    storage.writesLeft = 0;
    settings.update("relay", { mode: 1 });
    expect(settings.isUnreadable("relay")).toBe(true);
    storage.writesLeft = Infinity;
    settings.update("relay", { mode: 1 });
    expect(settings.isUnreadable("relay")).toBe(false);
  });

  it("on reading the token: one for this run that does not replace the stored one", () => {
    startSettings(storage).update("api", { token: "f".repeat(32) });
    storage.failsToRead = ["api"];
    expect(startSettings(storage).api.token).toBe(TOKEN);
    storage.failsToRead = [];
    expect(startSettings(storage).api.token).toBe("f".repeat(32));
  });

  it("on reading the API's settings: it is off for this run", () => {
    startSettings(storage);
    storage.failsToRead = ["api"];
    expect(startSettings(storage).api.enabled).toBe(false);
    storage.failsToRead = [];
    expect(startSettings(storage).api.enabled).toBe(true);
    storage.failsToOpen = true;
    expect(startSettings(storage).api.enabled).toBe(false);
  });

  it("on writing: reported once, until it works again", () => {
    const settings = startSettings(storage);
    const settingsProblem = vi.fn();
    settings.observe({ settingsChanged: () => undefined, settingsProblem });
    storage.writesLeft = 0;
    for (let round = 0; round < 2; round++) {
      settings.update("bms", { address: 5 });
      settings.update("relay", { mode: 1 });
    }
    expect(settings.problems).toEqual(["unwritable\tbms", "unwritable\trelay"]);
    expect(settingsProblem.mock.calls).toEqual([["unwritable\tbms"], ["unwritable\trelay"]]);
    storage.writesLeft = 1;
    settings.update("bms", { address: 6 });
    expect(settings.problems).toEqual(["unwritable\trelay"]);
    storage.writesLeft = 0;
    settings.update("bms", { address: 7 });
    expect(settings.problems).toEqual(["unwritable\trelay", "unwritable\tbms"]);
  });

  it("on writing: nothing changes, nobody is notified, and the next attempt counts", () => {
    const settings = startSettings(storage);
    const listener = vi.fn();
    settings.observe({ settingsChanged: listener });
    const before = settings.bms;
    storage.writesLeft = 0;
    expect(settings.update("bms", { address: 5 })).toBe("not-stored");
    expect(settings.bms).toBe(before);
    expect(listener).not.toHaveBeenCalled();
    storage.writesLeft = 1;
    expect(settings.update("bms", { address: 5 })).toBeUndefined();
    expect(listener).toHaveBeenCalledOnce();
  });

  it("on writing: the next update stores what is in force, even without a change; the stored text may differ", () => {
    const settings = startSettings(storage);
    storage.writesLeft = 0;
    expect(settings.update("bms", { address: 5 })).toBe("not-stored");
    storage.writesLeft = Infinity;
    const { writes } = storage;
    for (let round = 0; round < 2; round++) expect(settings.update("bms", { address: 1 })).toBeUndefined();
    expect(storage.writes).toBe(writes + 1);
  });

  it("on a power cut after any write: each group is either entirely old or entirely new", () => {
    for (let cut = 0; cut <= 5; cut++) {
      storage = new FaultyStorage();
      storage.writesLeft = cut;
      const settings = startSettings(storage);
      settings.update("bms", { address: 5, gap: 100 });
      settings.update("relay", { mode: 1, onAt: 60 });
      settings.update("bms", { address: 6, gap: 200 });
      storage.writesLeft = Infinity;
      const again = startSettings(storage);
      expect(again.problems).toEqual([]);
      expectSound(again);
      expect([again.bms.address, again.bms.gap]).toEqual(
        [
          [1, 75],
          [1, 75],
          [1, 75],
          [5, 100],
          [5, 100],
          [6, 200],
        ][cut],
      );
      expect([again.relay.mode, again.relay.onAt]).toEqual(cut < 4 ? [0, 20] : [1, 60]);
    }
  });
});

describe("update", () => {
  it("validates all members before it changes one", () => {
    const settings = startSettings(storage);
    const before = settings.bms;
    expect(settings.update("bms", { address: 5, gap: 29 })).toContain("bms.gap");
    expect(settings.bms).toBe(before);
    expect(storage.writes).toBe(2);
  });

  it.each(["speed", "__proto__", "toString", "constructor"])("refuses the unknown member %s", (member) => {
    const settings = startSettings(storage);
    const change = JSON.parse(`{"address":5,"${member}":1}`) as object;
    expect(settings.update("bms", change)).toBe("no-member\tbms");
    expect(settings.bms.address).toBe(1);
  });

  it("takes the own members of the change", () => {
    const settings = startSettings(storage);
    expect(settings.update("bms", Object.create({ address: 5 }) as object)).toBeUndefined();
    expect(settings.bms.address).toBe(1);
  });

  it.each([null, undefined, 5, "text", []])("refuses %j instead of members", (change) => {
    expect(startSettings(storage).update("bms", change as object)).toBe("not-object\tbms");
  });

  it("refuses equal thresholds, whether both or one is given", () => {
    const settings = startSettings(storage);
    const message = "equal\trelay.onAt\trelay.offAt";
    expect(settings.update("relay", { onAt: 40, offAt: 40 })).toBe(message);
    expect(settings.update("relay", { onAt: 30 })).toBe(message);
    expect(settings.update("relay", { onAt: 30.001 })).toBeUndefined();
  });

  it("leaves members that are not given, also inside channels", () => {
    const settings = startSettings(storage);
    expect(settings.update("monitoring", { temperature: { beta: 3435 } as never })).toBeUndefined();
    expect(settings.monitoring.temperature).toEqual({ ...DEFAULTS.monitoring.temperature, beta: 3435 });
    expect(settings.monitoring.inputs).toEqual(DEFAULTS.monitoring.inputs);
  });

  it("stores first, then notifies once", () => {
    const settings = startSettings(storage);
    const seen: unknown[] = [];
    settings.observe({
      settingsChanged: (group) => void seen.push("first", group, settings.relay.mode, stored("relay")),
    });
    settings.observe({ settingsChanged: () => void seen.push("second") });
    settings.update("relay", { mode: 1 });
    expect(seen).toEqual(["first", "relay", 1, { version: 1, values: { ...settings.relay } }, "second"]);
  });

  it("writes nothing when nothing changes", () => {
    const settings = startSettings(storage);
    const listener = vi.fn();
    settings.observe({ settingsChanged: listener });
    for (const name of names) {
      expect(settings.update(name, {})).toBeUndefined();
      expect(settings.update(name, structuredClone(settings[name]))).toBeUndefined();
    }
    expect(storage.writes).toBe(2);
    expect(listener).not.toHaveBeenCalled();
  });

  it("keeps nothing of the given object, and returns the same frozen one until the next change", () => {
    const settings = startSettings(storage);
    const voltages = structuredClone(settings.monitoring.voltages);
    Object.assign(voltages[0], { ratio: 3 });
    settings.update("monitoring", { voltages });
    Object.assign(voltages[0], { ratio: 4 });
    expect(settings.monitoring.voltages[0].ratio).toBe(3);
    expect(settings.monitoring).toBe(settings.monitoring);
    expect(() => Object.assign(settings.monitoring.voltages[0], { ratio: 5 })).toThrow(TypeError);
    expectSound(settings);
  });
});

describe("memory", () => {
  it("a group with its defaults is the one in flash, stored or not, and so is a part of it", () => {
    const settings = startSettings(storage);
    expect(settings.bms).toBe(FROM_FLASH.bms);
    settings.update("bms", { gap: 100 });
    settings.update("bms", { gap: FROM_FLASH.bms.gap });
    settings.update("monitoring", { voltages: [{ name: "Solar" }, {}, {}] as never });
    expect(stored("bms")).toBeDefined();
    const { bms, monitoring } = startSettings(storage);
    expect(bms).toBe(FROM_FLASH.bms);
    expect(monitoring.voltages[0]).toEqual({ ...FROM_FLASH.monitoring.voltages[0], name: "Solar" });
    expect(monitoring.voltages[1]).toBe(FROM_FLASH.monitoring.voltages[1]);
    expect(monitoring.inputs).toBe(FROM_FLASH.monitoring.inputs);
  });

  it("a configuration without differences creates no object", () => {
    const settings = startSettings(storage, { configured: { bms: { address: 1 }, web: {} } });
    expect(settings.bms).toBe(FROM_FLASH.bms);
    expect(settings.web).toBe(FROM_FLASH.web);
  });

  // XS cannot stringify what is in flash: nothing but a copy is given to JSON.
  it("what is stored is a copy of the values", () => {
    const seen = new Set<unknown>();
    const stringify = vi.spyOn(JSON, "stringify").mockImplementation((value) => {
      const collect = (part: unknown): void => {
        seen.add(part);
        if (typeof part === "object" && part) Object.values(part).forEach(collect);
      };
      collect(value);
      return "{}";
    });
    try {
      startSettings(storage).update("monitoring", { fitted: false });
    } finally {
      stringify.mockRestore();
    }
    expect(seen).toContain(false);
    const { monitoring } = FROM_FLASH;
    for (const part of [monitoring, monitoring.temperature, monitoring.voltages, ...monitoring.voltages])
      expect(seen).not.toContain(part);
  });
});

describe("no password", () => {
  const chosen = (): void => {
    startSettings(storage).update("web", { password: "kept" });
  };
  const lost = (): void => {
    const settings = startSettings(storage);
    expect(settings.web.password).toBe("lost");
    expect(settings.problems.length).toBeGreaterThan(0);
  };

  it("is assumed for an empty store, and then stored", () => {
    expect(startSettings(storage).web.password).toBe("");
    expect(startSettings(storage).web.password).toBe("");
    expect(startSettings(storage).problems).toEqual([]);
  });

  it("is stored before the token: after a power cut in between, the next start is a first one", () => {
    storage.writesLeft = 1;
    startSettings(storage);
    storage.writesLeft = Infinity;
    expect(stored("api")).toBeUndefined();
    const settings = startSettings(storage);
    expect([settings.web.password, settings.problems]).toEqual(["", []]);
  });

  it("is not assumed for a missing group", () => {
    chosen();
    storage.open({ path: "settings", format: "string" }).delete("web");
    lost();
  });

  it.each([
    "",
    "{",
    "null",
    '{"version":1,"values":{}}',
    '{"version":1,"values":{"password":7}}',
    '{"version":1,"values":{"password":"ü"}}',
    '{"version":2,"values":{"password":""}}',
    7,
  ])("is not assumed for the damaged group %j", (value) => {
    chosen();
    storage.put("settings", "web", value);
    lost();
  });

  it("is not assumed for an unreadable group or store", () => {
    chosen();
    storage.failsToRead = ["web"];
    lost();
    storage.failsToRead = [];
    storage.failsToOpen = true;
    lost();
    storage.failsToOpen = false;
    expect(startSettings(storage).web.password).toBe("kept");
  });

  it("results from erasing, which a power cut midway does not turn into a loophole", () => {
    chosen();
    const deleted: string[] = [];
    const open = storage.open.bind(storage);
    storage.open = (options) => {
      const opened = open(options);
      const remove = opened.delete.bind(opened);
      opened.delete = (key) => {
        deleted.push(key);
        remove(key);
      };
      return opened;
    };
    startSettings(storage).erase();
    expect(deleted.toSorted()).toEqual(names.toSorted());
    expect(deleted.at(-1)).toBe("web");
  });
});

describe("erase", () => {
  it("forgets everything stored: the next start is a first one", () => {
    const settings = startSettings(storage);
    settings.update("device", { name: "Garage" });
    settings.update("web", { password: "kept" });
    expect(settings.erase()).toBeUndefined();
    expect(names.map(stored)).toEqual(names.map(() => undefined));
    const again = startSettings(storage);
    expect([again.device.name, again.web.password]).toEqual([DEFAULTS.device.name, ""]);
  });

  it("stores nothing afterwards, so that the next start is a first one", () => {
    const settings = startSettings(storage);
    settings.update("web", { password: "kept" });
    settings.erase();
    expect(settings.update("relay", { mode: 1 })).toBe("not-stored");
    expect(names.map(stored)).toEqual(names.map(() => undefined));
    expect([settings.relay.mode, startSettings(storage).web.password]).toEqual([0, ""]);
  });

  it("reports a failing storage", () => {
    const settings = startSettings(storage);
    storage.failsToDelete = true;
    expect(settings.erase()).toBe("not-stored");
    storage.failsToOpen = true;
    expect(startSettings(storage).erase()).toBe("not-stored");
  });
});
