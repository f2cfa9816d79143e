import { beforeEach, describe, expect, it } from "vitest";
import { KnownPacks } from "../../src/packs/known-packs";
import { MAX_SERIAL, MAX_STORED_SERIALS } from "../../src/packs/limits";
import type { StoredSettings } from "../../src/settings/settings";
import { startSettings } from "../support/fakes/settings";
import { FaultyStorage } from "../support/fakes/storage";

let storage: FaultyStorage;
let settings: StoredSettings;
beforeEach(() => {
  storage = new FaultyStorage();
  settings = startSettings(storage);
  settings.update("packs", { further: [{ address: 4, name: "Shed" }] });
});

const start = (): KnownPacks => new KnownPacks({ storage, settings });
const serials = (known: KnownPacks): string[] => known.identities.map(({ serial }) => serial);
const stored = (): unknown => storage.get("state", "packs");

it("the packs are those of the settings, the first with the address of the BMS", () => {
  expect(start().identities).toEqual([
    { address: 1, name: "Pack 1", serial: "" },
    { address: 4, name: "Shed", serial: "" },
  ]);
});

describe("a serial number", () => {
  it("lasts over a restart", () => {
    start().keep(4, 'A"\\\u0001');
    start().keep(1, "x".repeat(MAX_SERIAL));
    expect(serials(start())).toEqual(["x".repeat(MAX_SERIAL), 'A"\\\u0001']);
  });

  it("is known until the next start even if it cannot be stored, which is told", () => {
    const known = start();
    storage.writesLeft = 0;
    known.keep(4, "A");
    expect(serials(known)).toEqual(["", "A"]);
    expect(settings.problems).toContain("unwritable-packs");
    storage.writesLeft = Infinity;
    known.keep(1, "B");
    expect(settings.problems).not.toContain("unwritable-packs");
    expect(serials(start())).toEqual(["B", "A"]);
  });

  it("is forgotten with its address, and with the last further pack", () => {
    const known = start();
    known.keep(1, "A");
    known.keep(4, "B");
    settings.update("bms", { address: 2 });
    known.forget();
    expect([serials(known), JSON.parse(stored() as string)]).toEqual([
      ["", "B"],
      { 4: "B", sum: expect.any(Number) as number },
    ]);
    const { writes } = storage;
    known.forget();
    expect(storage.writes).toBe(writes);
    settings.update("packs", { further: [] });
    known.forget();
    expect([serials(known), stored()]).toEqual([[""], '{"sum":0}']);
  });

  it.each([
    ["no JSON", "{"],
    ["null", "null"],
    ["no text", 7],
    ["of another kind", '{"4":7}'],
    ["too long", `{"4":"${"x".repeat(MAX_SERIAL + 1)}"}`],
    ["in a text too long", `{"4":"A"${" ".repeat(MAX_STORED_SERIALS)}}`],
  ])("that is damaged counts as not known: %s", (_, text) => {
    storage.put("state", "packs", text);
    expect(serials(start())).toEqual(["", ""]);
  });

  it("that has a wrong character, or another address, counts as not known; one of an earlier version has no sum", () => {
    start().keep(4, "ABC");
    const right = stored() as string;
    for (let at = 0; at < right.indexOf(',"sum"'); at++) {
      const wrong = String.fromCharCode(right.charCodeAt(at) ^ 1);
      storage.put("state", "packs", right.slice(0, at) + wrong + right.slice(at + 1));
      expect([at, serials(start())]).toEqual([at, ["", ""]]);
    }
    storage.put("state", "packs", '{"4":"ABC"}');
    expect(serials(start())).toEqual(["", "ABC"]);
  });

  it("that cannot be read counts as not known", () => {
    start().keep(4, "A");
    storage.failsToOpen = true;
    expect(serials(start())).toEqual(["", ""]);
  });

  it("of 16 packs, all bytes escaped, fits", () => {
    settings.update("packs", {
      further: Array.from({ length: 15 }, (_, index) => ({ address: (index + 2) % 16, name: "x" })),
    });
    const known = start();
    for (let address = 0; address < 16; address++) known.keep(address, "\u0001".repeat(MAX_SERIAL));
    expect(serials(start())).toEqual(new Array<string>(16).fill("\u0001".repeat(MAX_SERIAL)));
  });
});
