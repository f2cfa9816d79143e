/** A backup is hostile input: the page reads the file, the device judges each group. */
import { beforeEach, describe, expect, it } from "vitest";
import { MAX_GROUP_BODY } from "../../src/web/limits";
import { MIN_TOKEN } from "../../src/settings/limits";
import { readBackup } from "../../web/group-values";
import { WebBench } from "../support/web-bench";

let bench: WebBench;
let cookie: string;
beforeEach(() => {
  bench = new WebBench();
  cookie = bench.signIn();
});

const post = (group: string, body: string): [number | undefined, unknown] => {
  const headers = { "content-type": "application/json" } as const;
  const exchange = bench.ask({ method: "POST", path: `/web/group/${group}`, body, cookie, headers });
  return [exchange.status, exchange.json];
};

describe("a backup on the page", () => {
  const backup = (groups: unknown): string => JSON.stringify({ kind: "jk-bms-monitor settings", version: "1", groups });

  it("is one whose groups are objects", () => {
    expect(readBackup(backup({ device: { name: "a" }, elsewhere: 1 }))?.groups.device).toEqual({ name: "a" });
  });

  it.each([
    ["", "null", "1", '"text"', "[]", "{}", '{"kind":"jk-bms-monitor settings"}', "[".repeat(50_000)],
    [null, [], 1, "text", { device: null }, { device: [] }, { device: "text" }, { api: 1 }].map(backup),
  ])("is nothing else: %#", (...texts) => {
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

  it("may be as long as it may, and no byte longer", () => {
    const body = (length: number): string => '{"name":"Garage"}'.padEnd(length);
    expect(post("device", body(MAX_GROUP_BODY + 1))[0]).toBe(413);
    expect(bench.settings.device.name).not.toBe("Garage");
    expect(post("device", body(MAX_GROUP_BODY))[0]).toBe(200);
  });

  it("is taken without members that there are not, wherever they are", () => {
    const body = '{"__proto__":{"name":"a"},"constructor":1,"name":"Garage","password":"x","token":"y"}';
    expect(post("device", body)).toEqual([200, { success: true }]);
    expect(bench.settings.device).toEqual({ ...bench.settings.device, name: "Garage" });
    expect(Object.keys(bench.settings.device)).not.toContain("token");
    expect(({} as { name?: string }).name).toBeUndefined();
  });

  it("with passwords and hashes of another device does not reach them", () => {
    for (const group of ["web", "access"]) {
      const old = JSON.stringify(bench.settings[group as "web"]);
      expect(post(group, '{"password":"x","guest":"x","tokens":[]}')[0]).toBe(404);
      expect(JSON.stringify(bench.settings[group as "web"])).toBe(old);
    }
    expect(bench.get("/web/status", cookie).status).toBe(200);
  });
});
