/** Rules of the time zone database, beside glibc's date. */
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { MAX_HOURS, MAX_RULE_HOURS, MAX_ZONE } from "../../modules/posix-tz/limits";
import { Zone } from "../../modules/posix-tz/zone";
import { Random } from "../fuzz/random";
import { footerOf, ZONE_NAMES } from "../support/time-zones";

const YEAR = 31_556_952;

/** Seconds east of UTC by glibc, at each time. */
function glibc(zone: string, times: readonly number[]): number[] {
  const { stdout, stderr } = spawnSync("date", ["-f", "-", "+%::z"], {
    env: { TZ: zone, LC_ALL: "C" },
    input: times.map((time) => `@${time}\n`).join(""),
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return stdout
    .trim()
    .split("\n")
    .map((offset) => {
      const [hours, minutes, seconds] = offset.slice(1).split(":").map(Number) as [number, number, number];
      return 0 + (offset.startsWith("-") ? -1 : 1) * (3_600 * hours + 60 * minutes + seconds);
    });
}

/** Times between 2024 and 2060, those around each change of the zone among them. */
function times(zone: Zone, random: Random): number[] {
  const from = 54 * YEAR;
  const list = Array.from({ length: 60 }, () => from + random.below(36 * YEAR));
  for (let time = from; time < from + 8 * YEAR; time += 43_200) {
    if (zone.offsetAt(time) === zone.offsetAt(time + 43_200)) continue;
    let low = time;
    let high = time + 43_200;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (zone.offsetAt(middle) === zone.offsetAt(time)) low = middle;
      else high = middle;
    }
    list.push(low - 1, low, high, high + 1);
  }
  return list;
}

const agrees = (rule: string, random: Random): void => {
  const zone = Zone.parse(rule);
  expect(zone, rule).toBeDefined();
  const list = times(zone!, random);
  expect([rule, list.map((time) => zone!.offsetAt(time))]).toEqual([rule, glibc(rule, list)]);
};

describe("a zone", () => {
  const rules = [...new Set(ZONE_NAMES.map(footerOf))];

  it("of the database has glibc's time", () => {
    expect(rules.length).toBeGreaterThan(50);
    const random = new Random(1);
    for (const rule of rules) agrees(rule, random);
  });

  it.each([
    // Of a computer that has not been set up.
    "<-00>0",
    "AAA0",
    "AAA+24",
    "AAA-24:59:59",
    "<+03>-3",
    "<-0330>3:30",
    "EST5EDT,M3.2.0,M11.1.0",
    "EST+5EDT4:00:00,M3.2.0/2:00:00,M11.1.0/+2",
    "AAA3BBB,J60,J300",
    "AAA3BBB,J59/0,J365/23",
    "AAA3BBB,59,300/167",
    "AAA-3BBB,60/-167,365",
    "AAA-10BBB,M10.1.0,M4.1.0/3",
    "IST-1GMT0,M10.5.0,M3.5.0/1",
    "AAA8BBB,M1.1.1,M12.5.6/24",
  ])("%s has glibc's time", (rule) => agrees(rule, new Random(2)));

  it.each([
    "",
    "AA0",
    "<AA>0",
    "<AAA0",
    "AAA",
    "AAA:",
    "AAA1:",
    "AAA1:60",
    "AAA1:00:60",
    `AAA${MAX_HOURS + 1}`,
    "AAA3 ",
    "AAA3BBB",
    "AAA3BBB,",
    "AAA3BBB,M3.2.0",
    "AAA3BBB,M3.2.0,",
    "AAA3BBB,M3.2.0,M11.1.0,",
    "AAA3BBB,M0.2.0,M11.1.0",
    "AAA3BBB,M13.2.0,M11.1.0",
    "AAA3BBB,M3.0.0,M11.1.0",
    "AAA3BBB,M3.6.0,M11.1.0",
    "AAA3BBB,M3.2.7,M11.1.0",
    "AAA3BBB,M3.2,M11.1.0",
    "AAA3BBB,M3,M11.1.0",
    "AAA3BBB,J0,J300",
    "AAA3BBB,J1,J366",
    "AAA3BBB,-1,300",
    "AAA3BBB,1,366",
    `AAA3BBB,1,300/${MAX_RULE_HOURS + 1}`,
    "AAA3BBB,M3.2.0/,M11.1.0",
    ":Europe/Berlin",
    "Europe/Berlin",
    "AÄA3",
    `AAA${"0".repeat(MAX_ZONE)}`,
    `<${"A".repeat(MAX_ZONE - 2)}>3`,
  ])("%s is refused", (rule) => expect(Zone.parse(rule)).toBeUndefined());

  it("may be as long as the limit", () => {
    expect(Zone.parse(`<${"A".repeat(MAX_ZONE - 3)}>3`)?.offsetAt(0)).toBe(-10_800);
  });

  it("has room for the longest rule of the database", () => {
    expect(Math.max(...rules.map(({ length }) => length))).toBe(44);
  });
});
