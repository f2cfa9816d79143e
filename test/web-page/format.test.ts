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

  it("of the device are shown in its time zone, in the form of the language", () => {
    const told = (seconds: number, zone: LocalTime): string => timestamp(seconds, zone, "pt");
    const at = (offset: number, zone = ""): LocalTime => new LocalTime({ time: { offset, zone } });
    expect(told(1_780_000_000, at(0))).toBe("28 de mai. de 2026, 20:26");
    expect(told(1_780_000_000, at(330))).toBe("29 de mai. de 2026, 01:56");
    expect(told(1_780_000_000, at(330, "CET-1CEST,M3.5.0,M10.5.0/3"))).toBe("28 de mai. de 2026, 22:26");
    expect(told(1_770_000_000, at(330, "CET-1CEST,M3.5.0,M10.5.0/3"))).toBe("2 de fev. de 2026, 03:40");
  });

  it("of manufacture are dates; anything else is shown unchanged", () => {
    expect(manufactureDate("240614", "pt")).toMatch(/^14 de jun\. de 2024$/);
    expect(manufactureDate("240614", "en")).toMatch(/Jun/);
    for (const other of ["24W", "240231x", "241301"]) expect(manufactureDate(other, "en")).toBe(other);
    expect(manufactureDate(null, "en")).toBe("–");
  });
});
