import { describe, expect, it } from "vitest";
import { LocalTime } from "../../src/settings/local-time.ts";
import { duration, manufactureDate, number, power, quantity, timestamp } from "../../web/format.ts";

describe("numbers", () => {
  it("use the language's format, with the requested decimals", () => {
    expect(number("en", 1234.5, 2)).toBe("1,234.50");
    expect(number("pt", 1234.5, 2)).toBe("1.234,50");
  });

  it("use a real minus sign, but none on zero", () => {
    expect(number("en", -23.4, 1)).toBe("\u221223.4");
    expect(number("en", -0.04, 1)).toBe("0.0");
  });

  it("show a dash when unknown: unknown is not zero", () => {
    for (const value of [undefined, null, NaN, Infinity]) {
      expect(number("en", value, 1)).toBe("–");
      expect(quantity("en", value, "°C", 1)).toBe("–");
    }
  });

  it("stay with their unit", () => {
    expect(quantity("en", 3.312, "V", 3)).toBe("3.312\u202fV");
    expect(quantity("en", 16, "")).toBe("16");
  });

  it("are kilowatts from 10,000 W up, and tenths of a watt below 10 W", () => {
    expect(power("en", 9_999)).toBe("9,999\u202fW");
    expect(power("en", 10_000)).toBe("10.0\u202fkW");
    expect(power("en", 9.94)).toBe("9.9\u202fW");
  });
});

describe("times", () => {
  it.each([
    [-1, "0 s"],
    [59.9, "59 s"],
    [60, "1 min"],
    [3_599, "59 min"],
    [3_600, "1 h"],
    [3_660, "1 h 1 min"],
    [86_399, "23 h 59 min"],
    [86_400, "1 d"],
    [90_000, "1 d 1 h"],
  ])("%d s is %s", (seconds, text) => {
    expect(duration(seconds).replaceAll("\u202f", " ")).toBe(text);
  });

  it("of the device are shown in its time zone", () => {
    const at = (offset: number, zone = ""): LocalTime => new LocalTime({ time: { offset, zone } });
    expect(timestamp(1_780_000_000, at(0))).toBe("2026-05-28 20:26");
    expect(timestamp(1_780_000_000, at(330))).toBe("2026-05-29 01:56");
    expect(timestamp(1_780_000_000, at(330, "CET-1CEST,M3.5.0,M10.5.0/3"))).toBe("2026-05-28 22:26");
    expect(timestamp(1_770_000_000, at(330, "CET-1CEST,M3.5.0,M10.5.0/3"))).toBe("2026-02-02 03:40");
  });

  it("of manufacture are dates; anything else is shown unchanged", () => {
    expect(manufactureDate("240614")).toBe("2024-06-14");
    expect(manufactureDate("24W")).toBe("24W");
  });
});
