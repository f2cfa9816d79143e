/** The page's list of time zones, and the browser's own zone in it. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { installedVersion, zoneTable } from "../../scripts/zones.mjs";
import { isZone, LocalTime } from "../../src/settings/local-time.ts";
import { accepts } from "../../src/settings/field.ts";
import GROUPS from "../../src/settings/tables.ts";
import { browserZone, fixedRule, zonesOf } from "../../web/zones.ts";
import { TABLE, VERSION } from "../../web/zone-table.ts";

const zones = zonesOf(TABLE);
const MINUTE = 60_000;

/** Seconds east of UTC by the engine's own database. */
function offsetOf(timeZone: string, time: number): number {
  const format = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  const text = format.formatToParts(time).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours, minutes = 0] = /^GMT(?:([+-])(\d+):?(\d+)?)?$/.exec(text) ?? [];
  return sign ? (sign === "-" ? -60 : 60) * (60 * Number(hours) + Number(minutes)) : 0;
}

describe("the list", () => {
  it("has each zone that a country has, and UTC", () => {
    expect(zones.size).toBeGreaterThan(400);
    for (const name of ["Europe/Lisbon", "America/Argentina/Buenos_Aires", "Asia/Kolkata", "Pacific/Chatham", "UTC"])
      expect(zones.get(name)).toMatch(new RegExp(`^${name} \\S+$`));
    expect([...zones.keys()]).toEqual([...zones.keys()].sort());
  });

  it("is that of the installed database, if the version is the same", () => {
    const installed = zoneTable();
    if (installedVersion() === VERSION) expect(installed).toContain(TABLE);
    else expect(installed).toContain("|Europe/");
  });

  it.each([...zones])("%s is accepted by the device", (_, zone) => {
    expect(accepts(GROUPS.time.fields.zone, zone)).toBe(true);
  });

  it("agrees with the engine's own database wherever it has the same law", () => {
    // Of a winter and of a summer; a country whose law has changed since the engine was built differs.
    const times = ["2025-01-15T12:00Z", "2025-07-15T12:00Z", "2025-03-30T00:59Z", "2025-03-30T01:01Z"].map(Date.parse);
    const differ = [...zones].filter(([name, zone]) => {
      const local = new LocalTime({ time: { zone, offset: 0 } });
      return times.some((time) => local.offsetAt(time / 1_000) !== offsetOf(name, time));
    });
    expect(differ.map(([name]) => name).filter((name) => name.startsWith("Europe/"))).toEqual([]);
    expect(differ.length).toBeLessThan(10);
  });
});

describe("the browser's zone", () => {
  afterEach(() => void vi.unstubAllEnvs());
  it.each([
    ["Europe/Lisbon", "Europe/Lisbon WET0WEST,M3.5.0/1,M10.5.0"],
    ["Asia/Calcutta", "Asia/Kolkata IST-5:30"],
    ["America/Buenos_Aires", "America/Argentina/Buenos_Aires <-03>3"],
    ["UTC", "UTC UTC0"],
  ])("%s is found: %s", (name, zone) => {
    vi.stubEnv("TZ", name);
    expect(browserZone(zones)).toBe(zone);
  });

  it("is today's offset if the list does not have it, or did not arrive", () => {
    vi.stubEnv("TZ", "Asia/Kolkata");
    expect(browserZone(zonesOf(""))).toBe("<+0530>-5:30");
    expect(new Date().getTimezoneOffset() * -MINUTE).toBe(330 * MINUTE);
  });

  it.each([
    [330, "<+0530>-5:30"],
    [-210, "<-0330>3:30"],
    [-720, "<-1200>12:00"],
    [840, "<+1400>-14:00"],
    [0, "<+0000>-0:00"],
  ])("%i minutes from UTC are %s", (minutes, rule) => {
    expect(fixedRule(minutes)).toBe(rule);
    expect(isZone(rule)).toBe(true);
    expect(new LocalTime({ time: { zone: rule, offset: 0 } }).offsetAt(1e9)).toBe(minutes * 60 || 0);
  });
});
