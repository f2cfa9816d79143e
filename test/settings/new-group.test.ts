/** A group of settings that is a row of the table and nothing else. */
import { beforeEach, expect, it, vi } from "vitest";
import type { Group } from "../../src/settings/tables";
import type { GroupName } from "../../src/settings/types";
import { startSettings } from "../support/fakes/settings";
import { FaultyStorage } from "../support/fakes/storage";
import { WebBench } from "../support/web/web-bench";

interface Lamp {
  readonly color: string;
  readonly key: string;
  readonly bulbs: number;
}

vi.mock(import("../../src/settings/tables"), async (original) => {
  const lamp: Group<Lamp> = {
    version: 1,
    fields: {
      color: { kind: "choice", default: "white", choices: ["white", "red"] },
      key: { kind: "text", default: "", rule: "key", minimum: 0, maximum: 8, secret: true },
      bulbs: { kind: "integer", default: 1, minimum: 1, maximum: 4, unit: "" },
    },
  };
  const groups = Object.freeze({ ...(await original()).default, lamp });
  return { default: groups, GROUP_NAMES: Object.keys(groups) as GroupName[] };
});

const LAMP = "lamp" as GroupName;
const CHANGE: object = { color: "red", key: "secret" };
const changed = { color: "red", key: "secret", bulbs: 1 };

let storage: FaultyStorage;
beforeEach(() => {
  storage = new FaultyStorage();
});

it("has its defaults, is stored, and loaded again", () => {
  const settings = startSettings(storage);
  expect(settings[LAMP]).toEqual({ color: "white", key: "", bulbs: 1 });
  const told: string[] = [];
  settings.observe({ settingsChanged: (group) => void told.push(group) });
  expect(settings.update(LAMP, CHANGE)).toBeUndefined();
  expect([told, settings[LAMP]]).toEqual([[LAMP], changed]);
  const again = startSettings(storage);
  expect([again[LAMP], again.problems]).toEqual([changed, []]);
});

it("is judged by its rows, and reported when its text is damaged", () => {
  expect(startSettings(storage).update(LAMP, { bulbs: 5 } as object)).toBe("not-integer\tlamp.bulbs\t1\t4\t");
  storage.put("settings", LAMP, "{");
  const settings = startSettings(storage);
  expect([settings[LAMP], settings.problems]).toMatchObject([{ bulbs: 1 }, [`corrupt\t${LAMP}`]]);
});

it("is overridden by the board's configuration", () => {
  const settings = startSettings(storage, { configured: { [LAMP]: { bulbs: 3 } } });
  expect(settings[LAMP]).toMatchObject({ bulbs: 3 });
});

it("is erased by a factory reset", () => {
  const settings = startSettings(storage);
  settings.update(LAMP, CHANGE);
  expect(settings.erase()).toBeUndefined();
  expect(startSettings(storage)[LAMP]).toMatchObject({ color: "white", key: "" });
});

it("is read and restored by the page, its secret only on request", () => {
  const bench = new WebBench();
  const cookie = bench.signIn();
  const read = (query: string): unknown =>
    (bench.ask({ path: `/web/group/${LAMP}`, query, cookie }).json as { data: unknown }).data;
  expect(bench.post(`/web/group/${LAMP}`, changed, cookie).status).toBe(200);
  expect([read(""), read("secrets=1"), bench.settings[LAMP]]).toEqual([{ ...changed, key: true }, changed, changed]);
});
