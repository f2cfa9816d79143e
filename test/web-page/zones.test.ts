/** The page's list of time zones, and the browser's own zone in it. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { MAX_ZONE } from "../../modules/posix-tz/limits.ts";
import { accepts } from "../../src/settings/field.ts";
import GROUPS from "../../src/settings/tables.ts";
import { browserNames, browserZone, choiceOf, nameOf, zoneNamed } from "../../web/device/zone-choice.ts";
import { ruleOf, sameRule } from "../../web/device/zone-rule.ts";
import { DATABASE_VERSION, footerOf, ZONE_NAMES } from "../support/time-zones.ts";
import { differing, engineOffsets, ruleOffsets, TIMES } from "../support/web/zone-rules.ts";

/** An autumn: the next changes are of the next year. */
const NOW = Date.parse("2026-11-29T03:45:06.789Z");
const UTC = "UTC <+00>0";
/** Their law has no rule: summer time ends before Ramadan, from 2036 on. */
const MOON = ["Asia/Gaza", "Asia/Hebron"];
const rules = new Map(ZONE_NAMES.map((name) => [name, ruleOf(name, NOW)]));

describe("the rule of a zone", () => {
  it("is that of the time zone database, for every zone by all of its names, or of a law that only the engine knows", () => {
    expect(rules.size).toBeGreaterThan(590);
    const differ = differing(rules, NOW / 1_000);
    if (process.versions["tz"] === DATABASE_VERSION) expect(differ).toEqual(MOON);
    const times = TIMES(NOW / 1_000);
    for (const name of differ)
      expect([name, ruleOffsets(rules.get(name) ?? "", times)]).toEqual([name, engineOffsets({ name, times })]);
  });

  it.each([
    ["Europe/Lisbon", "<+00>0<+01>-1,M3.5.0/1,M10.5.0/2"],
    ["America/Los_Angeles", "<-08>8<-07>7,M3.2.0/2,M11.1.0/2"],
    ["Asia/Kolkata", "<+0530>-5:30"],
    ["Pacific/Marquesas", "<-0930>9:30"],
    ["Pacific/Kiritimati", "<+14>-14"],
    ["UTC", "<+00>0"],
    // Half an hour of summer time; two hours; in the south; quarters of an hour.
    ["Australia/Lord_Howe", "<+1030>-10:30<+11>-11,M10.1.0/2,M4.1.0/2"],
    ["Antarctica/Troll", "<+00>0<+02>-2,M3.5.0/1,M10.5.0/3"],
    ["America/Santiago", "<-04>4<-03>3,M9.1.6/24,M4.1.6/24"],
    ["Pacific/Chatham", "<+1245>-12:45<+1345>-13:45,M9.5.0/2:45,M4.1.0/3:45"],
    // The day before the last Sunday; the day after the fourth Thursday, and after the last.
    ["America/Nuuk", "<-02>2<-01>1,M3.5.0/-1,M10.5.0/0"],
    ["Asia/Jerusalem", "<+02>-2<+03>-3,M3.4.4/26,M10.5.0/2"],
    ["Africa/Cairo", "<+02>-2<+03>-3,M4.5.5/0,M10.5.4/24"],
    // Winter time in Ramadan: that of most of the year.
    ["Africa/Casablanca", "<+01>-1"],
  ])("%s: %s", (name, rule) => {
    expect(rules.get(name)).toBe(rule);
  });

  it("is the same in whichever month and year it is found", () => {
    const months = Array.from({ length: 12 }, (_, month) => Date.UTC(2027, month, 11, 1, 30));
    const years = Array.from({ length: 28 }, (_, year) => Date.UTC(2027 + year, 10));
    for (const name of ["Europe/Lisbon", "America/Santiago", "Asia/Jerusalem", "Africa/Casablanca", "America/Nuuk"])
      expect(new Set([...months, ...years].map((now) => ruleOf(name, now)))).toEqual(new Set([rules.get(name)]));
    // At a change, and a minute around it.
    for (const offset of [-60_000, 0, 60_000])
      expect(ruleOf("Europe/Lisbon", Date.parse("2027-03-28T01:00Z") + offset)).toBe(rules.get("Europe/Lisbon"));
  });

  it("is accepted by the device, behind the name", () => {
    for (const [name, rule] of rules) {
      expect(rule.length).toBeLessThanOrEqual(MAX_ZONE);
      expect([name, accepts(GROUPS.time.fields.zone, `${name} ${rule}`)]).toEqual([name, true]);
    }
  });

  it("is none for a name that the browser does not know", () => {
    expect(() => ruleOf("Europe/Atlantis", NOW)).toThrow(RangeError);
  });
});

describe("the list", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it("is the browser's", () => {
    expect(browserNames().length).toBeGreaterThan(400);
    expect(browserNames()).toContain("Europe/Lisbon");
  });

  it("is empty in a browser that does not tell", () => {
    const { DateTimeFormat } = Intl;
    vi.stubGlobal("Intl", { DateTimeFormat });
    expect(browserNames()).toEqual([]);
  });

  it.each([
    ["none", "", ""],
    ["of this list", zoneNamed("Europe/Lisbon", UTC), "Europe/Lisbon"],
    ["with the abbreviations of the database", "Europe/Lisbon WET0WEST,M3.5.0/1,M10.5.0", "Europe/Lisbon"],
    ["with winter time for summer time's opposite", "Europe/Dublin IST-1GMT0,M10.5.0,M3.5.0/1", "Europe/Dublin"],
    ["by another name of it", "Asia/Kolkata IST-5:30", "Asia/Kolkata"],
    ["by another law", "Europe/Lisbon WET0", "Europe/Lisbon WET0"],
    ["by a change a week later", "Europe/Lisbon WET0WEST,M3.4.0/1,M10.5.0", "Europe/Lisbon WET0WEST,M3.4.0/1,M10.5.0"],
    ["with an unknown name", "Europe/Atlantis WET0", "Europe/Atlantis WET0"],
    ["without a name", "XYZ-2:34", "XYZ-2:34"],
  ])("names the device's zone, %s", (_, zone, choice) => {
    vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
    expect(choiceOf(zone)).toBe(choice);
  });

  it.each(["<+0530>-5:30", "Etc/Unknown <+00>0"])("gives the browser's own back as it is: %s", (here) => {
    expect(zoneNamed(nameOf(here), here)).toBe(here);
    expect([zoneNamed("", here), zoneNamed("Asia/Kolkata", here)]).toEqual(["", "Asia/Kolkata <+0530>-5:30"]);
  });
});

describe("the browser's zone", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  it.each(["Europe/Lisbon", "Asia/Calcutta", "America/Argentina/Buenos_Aires", "UTC"])("%s is found", (name) => {
    vi.stubEnv("TZ", name);
    const zone = browserZone();
    expect(sameRule(zone)).toBe(sameRule(footerOf(name)));
    expect(zone).toBe(`${new Intl.DateTimeFormat().resolvedOptions().timeZone} ${ruleOf(name)}`);
  });

  it("is the rule alone if the device would not take its name", () => {
    vi.stubEnv("TZ", "Asia/Kolkata");
    const options = new Intl.DateTimeFormat().resolvedOptions();
    vi.spyOn(Intl.DateTimeFormat.prototype, "resolvedOptions").mockReturnValue({ ...options, timeZone: "+05:30" });
    expect(browserZone()).toBe("<+0530>-5:30");
  });
});
