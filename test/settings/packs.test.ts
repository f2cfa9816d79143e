/** The list of further packs: what it refuses, and that it is accepted again as it was read. */
import { beforeEach, describe, expect, it } from "vitest";
import { MAX_PACKS } from "../../src/settings/limits";
import type { PackSettings } from "../../src/settings/types";
import { startSettings } from "../support/fakes/settings";
import { FaultyStorage } from "../support/fakes/storage";

const pack = (address: number, name = `Pack ${address}`): PackSettings => ({ address, name });
const packs = (...addresses: number[]): PackSettings[] => addresses.map((address) => pack(address));
const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, index) => from + index);

let storage: FaultyStorage;
beforeEach(() => {
  storage = new FaultyStorage();
});

it("is empty at first, and again when it is given as empty", () => {
  const settings = startSettings(storage);
  expect(settings.packs).toEqual({ first: "Pack 1", further: [] });
  expect(settings.update("packs", { further: packs(2, 3) })).toBeUndefined();
  expect(settings.update("packs", { further: [] })).toBeUndefined();
  expect(settings.packs.further).toEqual([]);
  expect(startSettings(storage).packs.further).toEqual([]);
});

it("keeps its order over a restart, and is accepted as it was read", () => {
  const settings = startSettings(storage);
  const further = packs(5, 0, 15);
  expect(settings.update("packs", { further })).toBeUndefined();
  const again = startSettings(storage);
  expect([again.problems, again.packs.further]).toEqual([[], further]);
  const { writes } = storage;
  expect(again.update("packs", structuredClone(again.packs))).toBeUndefined();
  expect([again.packs.further, storage.writes]).toEqual([further, writes]);
});

it("tells its observers when only its length changes", () => {
  const settings = startSettings(storage);
  const told: string[] = [];
  settings.observe({ settingsChanged: (group) => void told.push(group) });
  settings.update("packs", { further: packs(2, 3) });
  settings.update("packs", { further: packs(2) });
  settings.update("packs", { further: packs(2) });
  settings.update("packs", { further: packs(2, 4) });
  expect(told).toEqual(["packs", "packs", "packs"]);
});

describe("what is refused changes nothing", () => {
  const RANGE = "0\t15\t";
  const NAME = "1\t32\tname";
  it.each<[string, unknown, string]>([
    ["no list", { 0: pack(2) }, "not-list\tpacks.further\t1"],
    ["no object", [pack(2), 3], "not-object\tpacks.further.1"],
    ["an address below", packs(2, -1), `not-integer\tpacks.further.1.address\t${RANGE}`],
    ["an address beyond", packs(16), `not-integer\tpacks.further.0.address\t${RANGE}`],
    ["no whole address", packs(2.5), `not-integer\tpacks.further.0.address\t${RANGE}`],
    ["no address", [{ name: "Shed" }], `not-integer\tpacks.further.0.address\t${RANGE}`],
    ["no name", [{ address: 2 }], `not-text\tpacks.further.0.name\t${NAME}`],
    ["an empty name", [pack(2, "")], `not-text\tpacks.further.0.name\t${NAME}`],
    ["a name too long", [pack(2, "x".repeat(33))], `not-text\tpacks.further.0.name\t${NAME}`],
    ["another member", [{ ...pack(2), serial: "1" }], "no-member\tpacks"],
    ["an address twice", packs(2, 3, 2), "equal\tpacks.further.2.address\tpacks.further.0.address"],
    ["that of the first pack", packs(2, 1), "equal\tpacks.further.1.address\tbms.address"],
  ])("%s", (_, further, refusal) => {
    const settings = startSettings(storage);
    settings.update("packs", { further: packs(8, 9) });
    const { writes } = storage;
    expect(settings.update("packs", { further: further as PackSettings[] })).toBe(refusal);
    expect(settings.packs.further).toEqual(packs(8, 9));
    expect(storage.writes).toBe(writes);
  });

  it("the address of another pack as that of the first", () => {
    const settings = startSettings(storage);
    settings.update("packs", { further: packs(2, 3) });
    expect(settings.update("bms", { address: 3 })).toBe("equal\tpacks.further.1.address\tbms.address");
    expect(settings.bms.address).toBe(1);
    expect(settings.update("bms", { address: 4 })).toBeUndefined();
  });
});

describe.each([8, MAX_PACKS])("a board that bears %i packs", (maxPacks) => {
  it.each([
    ["one less", maxPacks - 2, undefined],
    ["as many", maxPacks - 1, undefined],
    ["one more", maxPacks, `too-many-packs\t${maxPacks}`],
  ])("%s", (_, further, refusal) => {
    const settings = startSettings(storage, { maxPacks });
    settings.update("bms", { address: 0 });
    // Of 17 one is at an address that there is not.
    const list = packs(...range(1, further)).map((one) => ({ ...one, address: Math.min(one.address, 15) }));
    expect(settings.update("packs", { further: list })).toBe(refusal);
    expect(settings.packs.further).toHaveLength(refusal ? 0 : further);
  });
});

describe("what was stored", () => {
  const store = (further: unknown): void => {
    startSettings(storage);
    storage.put("settings", "packs", JSON.stringify({ version: 1, values: { first: "House", further } }));
  };

  it("loses what is damaged, keeps the rest and says so", () => {
    store([pack(2), { address: 99, name: "x" }, pack(4), { name: "y" }]);
    const settings = startSettings(storage);
    expect(settings.packs).toEqual({ first: "House", further: packs(2, 4) });
    expect(settings.problems).toEqual(["not-allowed\tpacks.further.1.address", "not-allowed\tpacks.further.3.address"]);
    expect(settings.update("packs", structuredClone(settings.packs))).toBeUndefined();
  });

  it("loses the pack whose address older firmware has given to the first one", () => {
    store(packs(2, 3, 4));
    storage.put("settings", "bms", JSON.stringify({ version: 1, values: { address: 3 } }));
    const settings = startSettings(storage);
    expect(settings.packs.further).toEqual(packs(2, 4));
    expect(settings.problems).toContain("not-allowed\tpacks.further");
    expect(settings.update("packs", structuredClone(settings.packs))).toBeUndefined();
  });

  it("loses what this board does not bear", () => {
    store(packs(...range(2, 9)));
    const settings = startSettings(storage, { maxPacks: 8 });
    expect(settings.packs.further).toEqual(packs(...range(2, 7)));
    expect(settings.problems).toContain("not-allowed\tpacks.further");
  });
});
