/** The setting time.zone, and the local time that follows from it. */
import { describe, expect, it } from "vitest";
import { MAX_ZONE as MAX_RULE } from "../../modules/posix-tz/limits";
import { MAX_ZONE, MAX_ZONE_NAME } from "../../src/settings/limits";
import { LocalTime } from "../../src/settings/local-time";
import { startSettings } from "../support/fakes/settings";
import { FaultyStorage } from "../support/fakes/storage";
import { poweredBoard } from "../support/system/simulated-board";

const DEMAND = `not-text\ttime.zone\t0\t${MAX_ZONE}\tzone`;
const LISBON = "Europe/Lisbon WET0WEST,M3.5.0/1,M10.5.0";
const SANTIAGO = "America/Santiago <-04>4<-03>,M9.1.6/24,M4.1.6/24";
const utc = (text: string): number => Date.parse(`${text}Z`) / 1_000;

const withName = (length: number): string => `${"N".repeat(length)} UTC0`;
const withRule = (length: number): string => `<${"R".repeat(length - 3)}>0`;

describe("time.zone", () => {
  it.each([
    ["none", ""],
    ["a rule", "CET-1CEST,M3.5.0,M10.5.0/3"],
    ["a rule behind a name", LISBON],
    ["names with digits and signs", "Etc/GMT+12 <-12>12"],
    ["a name with a dash and an underscore", "America/Port-au_Prince EST5"],
    ["the longest name", withName(MAX_ZONE_NAME)],
    ["one character less", withName(MAX_ZONE_NAME - 1)],
    ["the longest rule", withRule(MAX_RULE)],
    ["one character less", withRule(MAX_RULE - 1)],
    ["both at their longest", `${"N".repeat(MAX_ZONE_NAME)} ${withRule(MAX_RULE)}`],
  ])("accepts %s, and has it after a restart", (_, zone) => {
    poweredBoard();
    const storage = new FaultyStorage();
    expect(startSettings(storage).update("time", { zone })).toBeUndefined();
    expect(startSettings(storage).time.zone).toBe(zone);
    expect(startSettings(storage).problems).toEqual([]);
  });

  it.each([
    ["a name alone", "Europe/Lisbon"],
    ["an unknown name", "Mars/Olympus"],
    ["a name and no rule", "Europe/Lisbon "],
    ["no name before the blank", " UTC0"],
    ["two blanks", "Europe/Lisbon  UTC0"],
    ["something behind the rule", "UTC0 "],
    ["a rule that does not say when summer begins", "Europe/Lisbon WET0WEST"],
    ["an implementation's own form", ":Europe/Lisbon"],
    ["a name with other characters", "Europe/São_Tomé GMT0"],
    ["a name with a dot", "../etc UTC0"],
    ["a name that is too long", withName(MAX_ZONE_NAME + 1)],
    ["a rule that is too long", withRule(MAX_RULE + 1)],
    ["all of it too long", `${"N".repeat(MAX_ZONE_NAME)} ${withRule(MAX_RULE + 1)}`],
    ["a control character", "UTC0\u0000"],
    ["no text", 60 as unknown as string],
  ])("refuses %s, says what it must be, and keeps the one before", (_, zone) => {
    poweredBoard();
    const settings = startSettings();
    settings.update("time", { zone: LISBON });
    expect(settings.update("time", { zone })).toBe(DEMAND);
    expect(settings.time.zone).toBe(LISBON);
  });

  it("counts as none where an earlier firmware did not store it", () => {
    poweredBoard();
    const storage = new FaultyStorage();
    startSettings(storage).update("time", { offset: 60, zone: LISBON });
    storage.put("settings", "time", String(storage.get("settings", "time")).replace(/,"zone":"[^"]*"/, ""));
    const { time, problems } = startSettings(storage);
    expect([time.zone, time.offset, problems]).toEqual(["", 60, []]);
  });

  it("is none, and said to be wrong, if what is stored is no zone", () => {
    poweredBoard();
    const storage = new FaultyStorage();
    startSettings(storage).update("time", { zone: LISBON });
    storage.put("settings", "time", String(storage.get("settings", "time")).replace("WET0WEST", "WET0"));
    const { time, problems } = startSettings(storage);
    expect([time.zone, problems]).toEqual(["", ["not-allowed\ttime.zone"]]);
  });
});

describe("local time", () => {
  const hoursAt = (zone: string, text: string): number =>
    new LocalTime({ time: { zone, offset: 90 } }).offsetAt(utc(text)) / 3_600;

  it.each([
    ["north, to summer", LISBON, "2026-03-29T00:59:59", 0, "2026-03-29T01:00:00", 1],
    ["north, to winter", LISBON, "2026-10-25T00:59:59", 1, "2026-10-25T01:00:00", 0],
    ["south, to winter", SANTIAGO, "2026-04-05T02:59:59", -3, "2026-04-05T03:00:00", -4],
    ["south, to summer", SANTIAGO, "2026-09-06T03:59:59", -4, "2026-09-06T04:00:00", -3],
  ])("changes at the second: %s", (_, zone, before, first, after, then) => {
    expect([hoursAt(zone, before), hoursAt(zone, after)]).toEqual([first, then]);
  });

  it("is at the fixed offset until a zone is chosen, and again when none is", () => {
    poweredBoard();
    const settings = startSettings();
    const local = new LocalTime(settings);
    const summer = utc("2026-07-01T12:00:00");
    expect(local.offsetAt(summer)).toBe(0);
    settings.update("time", { offset: -210 });
    expect(local.offsetAt(summer)).toBe(-210 * 60);
    settings.update("time", { zone: LISBON });
    expect(local.offsetAt(summer)).toBe(3_600);
    settings.update("time", { zone: SANTIAGO });
    expect(local.offsetAt(summer)).toBe(-4 * 3_600);
    settings.update("time", { zone: "" });
    expect(local.offsetAt(summer)).toBe(-210 * 60);
  });
});
