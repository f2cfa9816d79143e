/** A backup is hostile input: the page reads the file, the device judges each group. */
import { beforeEach, describe, expect, it } from "vitest";
import { MAX_GROUP_BODY } from "../../src/web/limits";
import { MIN_TOKEN } from "../../src/settings/limits";
import type { Field, Values } from "../../src/settings/field";
import GROUPS from "../../src/settings/tables";
import type { GroupName } from "../../src/settings/types";
import { readBackup } from "../../web/backup-file";
import { WebBench } from "../support/web/web-bench";

/** Where a text is in its group, and its rule. */
interface TextPlace {
  readonly path: readonly string[];
  readonly rule: string;
}

const placesIn = (fields: Readonly<Record<string, Field>>): TextPlace[] =>
  Object.entries(fields).flatMap(([member, field]): TextPlace[] => {
    if (field.kind === "text") return [{ path: [member], rule: field.rule }];
    const inner = field.kind === "list" ? { ...field.items } : field.kind === "record" ? { "": field.fields } : {};
    return Object.entries(inner).flatMap(([index, items]) =>
      placesIn(items as Readonly<Record<string, Field>>).map(({ path, rule }) => ({
        path: [member, ...(index ? [index] : []), ...path],
        rule,
      })),
    );
  });

const at = (values: Values, path: readonly string[]): unknown =>
  path.reduce((inner: unknown, member) => (inner as Values)[member], values);

function put(values: Values, path: readonly string[], text: string): void {
  const inner = at(values, path.slice(0, -1)) as Record<string, unknown>;
  inner[path.at(-1)!] = text;
}

let bench: WebBench;
let cookie: string;
beforeEach(() => {
  bench = new WebBench();
  cookie = bench.signIn();
  bench.settings.update("packs", { further: [{ address: 2, name: "Shed" }] });
});

const post = (group: string, body: string): [number | undefined, unknown] => {
  const headers = { "content-type": "application/json" } as const;
  const exchange = bench.ask({ method: "POST", path: `/web/group/${group}`, body, cookie, headers });
  return [exchange.status, exchange.json];
};

describe("a backup on the page", () => {
  const backup = (groups: unknown): string => JSON.stringify({ kind: "jk-bms-monitor settings", version: "1", groups });

  it("must have objects as groups", () => {
    expect(readBackup(backup({ device: { name: "a" }, elsewhere: 1 }))?.groups.device).toEqual({ name: "a" });
  });

  it.each([
    ["", "null", "1", '"text"', "[]", "{}", '{"kind":"jk-bms-monitor settings"}', "[".repeat(50_000)],
    ['{"version":"1","groups":{}}', '{"kind":"other settings","version":"1","groups":{}}'],
    [null, [], 1, "text", { device: null }, { device: [] }, { device: "text" }, { api: 1 }].map(backup),
  ])("cannot be anything else: %#", (...texts) => {
    for (const text of texts) expect(readBackup(text), text.slice(0, 80)).toBeUndefined();
  });
});

describe("a restored group", () => {
  const before = (): string => JSON.stringify([bench.settings.device, bench.settings.api, bench.settings.monitoring]);

  it.each([
    ["api", '{"token":"x"}'],
    ["api", JSON.stringify({ token: "x".repeat(MIN_TOKEN - 1) })],
    ["api", '{"token":null}'],
    ["api", '{"enabled":"true"}'],
    ["device", '{"name":{"a":1}}'],
    ["device", '{"name":["a"]}'],
    ["device", '{"hostname":"a\\nb"}'],
    ["monitoring", '{"inputs":[]}'],
    ["monitoring", '{"inputs":[1,2]}'],
    ["monitoring", '{"inputs":[{},{},{}]}'],
    ["monitoring", '{"voltages":{"0":{"ratio":1}}}'],
    ["monitoring", '{"temperature":[]}'],
    ["monitoring", '{"temperature":{"beta":1e999}}'],
    ["device", `{"name":${"[".repeat(200)}${"]".repeat(200)}}`],
    ["device", "[1]"],
    ["device", "null"],
    ["device", '{"name":"a"'],
  ])("%s %s is refused and changes nothing", (group, body) => {
    const old = before();
    expect(post(group, body)[0]).toBe(400);
    expect(before()).toBe(old);
  });

  const SEPARATORS = ["line separator", "override", "isolate"];
  /** By the rule for its characters: which of TEXTS it takes. */
  const TAKEN: Readonly<Record<string, readonly string[]>> = {
    name: ["markup", "formula", "quotes", "right-to-left", "4 bytes"],
    topic: ["markup", "formula", "quotes", "right-to-left", "4 bytes"],
    utf8: [
      "markup",
      "formula",
      "quotes",
      "right-to-left",
      "right-to-left mark",
      "zero width",
      "4 bytes",
      ...SEPARATORS,
    ],
    ascii: ["markup", "formula", "quotes"],
    passphrase: ["markup", "formula", "quotes"],
    token: ["markup", "formula", "quotes"],
    key: ["markup", "formula"],
  };
  /** Of fields that have a form of their own. */
  const FORMED: Readonly<Record<string, readonly string[]>> = { "network bssid": [] };
  const TEXTS = {
    markup: "<script>1</script>",
    formula: "=cmd|'calc'!A0-----",
    quotes: '"},{\\"name\\":"\\----',
    "right-to-left": "a\u05d0b",
    "right-to-left mark": "aaaaaaaaaaaaaaaaa\u200fb",
    "zero width": "aaaaaaaaaaaaaaaaa\u200b",
    "4 bytes": "🔋🔋🔋",
    NUL: "aaaaaaaaaaaaaaaaa\0",
    "line feed": "aaaaaaaaaaaaaaaaa\nb",
    "carriage return": "aaaaaaaaaaaaaaaaa\rb",
    tab: "aaaaaaaaaaaaaaaaa\tb",
    escape: "aaaaaaaaaaaaaaaaa\u001b[2J",
    DEL: "aaaaaaaaaaaaaaaaa\u007f",
    C1: "aaaaaaaaaaaaaaaaa\u0085",
    "line separator": "aaaaaaaaaaaaaaaaa\u2028",
    override: "aaaaaaaaaaaaaaaaa\u202e",
    isolate: "aaaaaaaaaaaaaaaaa\u2066",
    "lone surrogate": "aaaaaaaaaaaaaaaaa\ud83d",
  };
  const GIVEN = Object.entries(GROUPS).filter(([group]) => group !== "web" && group !== "access");

  it.each(
    GIVEN.flatMap(([group, { fields }]) =>
      placesIn(fields as unknown as Readonly<Record<string, Field>>).map(
        (place) => [group, place.path.join("."), place] as const,
      ),
    ),
  )("%s %s: a hostile text is refused, or is the same text when it comes back", (group, place, { path, rule }) => {
    const settings = (): Values => bench.settings[group as GroupName] as unknown as Values;
    for (const [name, text] of Object.entries(TEXTS)) {
      const old = at(settings(), path);
      const body = JSON.parse(JSON.stringify({ [path[0]!]: settings()[path[0]!] })) as Values;
      put(body, path, text);
      const isTaken = (FORMED[`${group} ${place}`] ?? TAKEN[rule] ?? []).includes(name);
      expect([name, post(group, JSON.stringify(body))[0]]).toEqual([name, isTaken ? 200 : 400]);
      const now = at(settings(), path);
      expect([name, now]).toEqual([name, isTaken ? text : old]);
      const { json } = bench.ask({ path: `/web/group/${group}`, query: "secrets=1", cookie });
      expect([name, at((json as { data: Values }).data, path)]).toEqual([name, now]);
    }
  });

  it("may have the maximum length, but not one byte more", () => {
    const body = (length: number): string => '{"name":"Garage"}'.padEnd(length);
    expect(post("device", body(MAX_GROUP_BODY + 1))[0]).toBe(413);
    expect(bench.settings.device.name).not.toBe("Garage");
    expect(post("device", body(MAX_GROUP_BODY))[0]).toBe(200);
  });

  it("loses unknown members, wherever they are", () => {
    const body = '{"__proto__":{"name":"a"},"constructor":1,"name":"Garage","password":"x","token":"y"}';
    expect(post("device", body)).toEqual([200, { success: true }]);
    expect(bench.settings.device).toEqual({ ...bench.settings.device, name: "Garage" });
    expect(Object.keys(bench.settings.device)).not.toContain("token");
    expect(({} as { name?: string }).name).toBeUndefined();
  });

  it("does not apply passwords and hashes of another device", () => {
    for (const group of ["web", "access"]) {
      const old = JSON.stringify(bench.settings[group as "web"]);
      expect(post(group, '{"password":"x","guest":"x","tokens":[]}')[0]).toBe(404);
      expect(JSON.stringify(bench.settings[group as "web"])).toBe(old);
    }
    expect(bench.get("/web/status", cookie).status).toBe(200);
  });
});
