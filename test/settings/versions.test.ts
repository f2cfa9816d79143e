import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import GROUPS from "../../src/settings/tables";
import type { StoredSettings } from "../../src/settings/settings";
import type { GroupName } from "../../src/settings/types";
import { DEFAULTS, startSettings } from "../support/fakes/settings";
import { FaultyStorage } from "../support/fakes/storage";

/** The stored texts as version 0.1.0 wrote them, with no member at its default but `relay.fitted` and `mqtt.ca`. */
const WRITTEN = JSON.parse(
  readFileSync(new URL("../fixtures/settings/0.1.0.json", import.meta.url), "utf8"),
) as Readonly<Record<GroupName, string>>;

type Json = { [member: string]: Json };
type Place = readonly string[];

const groups = Object.keys(WRITTEN) as GroupName[];
const valuesOf = (group: GroupName): Json => (JSON.parse(WRITTEN[group]) as { values: Json }).values;
const isEssential = (group: GroupName, member: string): boolean =>
  (GROUPS[group].essential as readonly string[] | undefined)?.includes(member) ?? false;

/** The places of all members, nested ones too: `["monitoring", "voltages", "1", "ratio"]`. A list's items are none. */
const placesIn = (values: Json, at: Place): Place[] =>
  Object.entries(values).flatMap(([member, value]) => [
    ...(Array.isArray(values) ? [] : [[...at, member]]),
    ...(typeof value === "object" ? placesIn(value, [...at, member]) : []),
  ]);
const places = groups.flatMap((group) => placesIn(valuesOf(group), [group]));
const at = (from: unknown, place: Place): Json => place.reduce((value, member) => value[member] as Json, from as Json);

let storage: FaultyStorage;
beforeEach(() => {
  storage = new FaultyStorage();
  for (const group of groups) storage.put("settings", group, WRITTEN[group]);
});

/** Changes what is stored of a group. */
function rewrite(group: GroupName, change: (values: Json) => void): void {
  const values = valuesOf(group);
  change(values);
  storage.put("settings", group, JSON.stringify({ version: 1, values }));
}

const plain = (settings: StoredSettings): Json => {
  const all = Object.fromEntries(groups.map((group) => [group, settings[group]]));
  return JSON.parse(JSON.stringify(all)) as Json;
};
const WHOLE: Json = Object.fromEntries(groups.map((group) => [group, valuesOf(group)]));

it("what version 0.1.0 stored is read in full, and nothing is written at the start", () => {
  const settings = startSettings(storage);
  expect([settings.problems, storage.writes]).toEqual([[], 0]);
  expect(plain(settings)).toMatchObject(WHOLE);
});

describe("a member that an older version did not have", () => {
  const optional = places.filter(([group, member]) => !isEssential(group as GroupName, member as string));
  it.each(optional.map((place) => place.join(".")))("takes its default silently, and all others stay: %s", (place) => {
    const [group, ...inside] = place.split(".") as [GroupName, ...string[]];
    const last = inside.at(-1) as string;
    rewrite(group, (values) => delete at(values, inside.slice(0, -1))[last]);
    const settings = startSettings(storage);
    const expected = structuredClone(WHOLE);
    at(expected[group], inside.slice(0, -1))[last] = at(plain(DEFAULTS)[group], inside);
    expect(settings.problems).toEqual([]);
    expect(plain(settings)).toMatchObject(expected);
  });

  it.each(groups.filter((group) => !["api", "relay", "web"].includes(group)))(
    "the whole group %s: likewise",
    (group) => {
      storage.open({ path: "settings", format: "string" }).delete(group);
      const settings = startSettings(storage);
      expect(settings.problems).toEqual([]);
      expect(plain(settings)).toMatchObject({ ...WHOLE, [group]: plain(DEFAULTS)[group] });
    },
  );

  it.each([
    ["monitoring", "voltages"],
    ["monitoring", "inputs"],
    ["access", "tokens"],
  ] as const)("an item of the list %s.%s: likewise", (group, list) => {
    rewrite(group, (values) => (values[list] as unknown as Json[]).pop());
    const settings = startSettings(storage);
    const expected = (valuesOf(group)[list] as unknown as Json[]).slice(0, -1);
    const found = plain(settings)[group]?.[list] as unknown as Json[];
    expect(settings.problems).toEqual([]);
    expect(found.slice(0, -1)).toEqual(expected);
    expect(found.at(-1)).toEqual((plain(DEFAULTS)[group]?.[list] as unknown as Json[]).at(-1));
  });

  it.each(
    groups.flatMap((group) => (GROUPS[group].essential ?? []).map((member) => [group, member as string] as const)),
  )("%s.%s, which every version has stored, is damage and reported", (group, member) => {
    rewrite(group, (values) => delete values[member]);
    expect(startSettings(storage).problems).toEqual([`missing\t${group}.${member}`]);
  });
});

describe("after a roll-back from a newer version", () => {
  beforeEach(() => {
    for (const group of groups)
      rewrite(group, (values) => {
        values["added"] = "later" as unknown as Json;
        for (const value of Object.values(values)) {
          if (Array.isArray(value)) value.push({ ...value[0], name: "One more", added: 1 });
          else if (typeof value === "object") Object.assign(value, { added: [1] });
        }
      });
  });

  it("everything known is found, silently, and nothing is written at the start", () => {
    const settings = startSettings(storage);
    expect([settings.problems, storage.writes]).toEqual([[], 0]);
    expect(plain(settings)).toMatchObject(WHOLE);
  });

  it("a change stores the known members only, and the newer version's next start finds them", () => {
    expect(startSettings(storage).update("monitoring", { fitted: true })).toBeUndefined();
    const { values } = JSON.parse(storage.get("settings", "monitoring") as string) as { values: Json };
    expect(values).toEqual({ ...valuesOf("monitoring"), fitted: true });
    expect(startSettings(storage)).toMatchObject({ problems: [], monitoring: { fitted: true } });
  });
});

it("a list of another length is refused in an update, which is no stored group", () => {
  const settings = startSettings(storage);
  const { inputs } = settings.monitoring;
  expect(settings.update("monitoring", { inputs: [inputs[0]] as unknown as typeof inputs })).toMatch(/^not-list\t/);
});
