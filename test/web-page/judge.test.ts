import { describe, expect, it } from "vitest";
import { PARAMETERS_TABLE } from "../../src/catalogue/parameters.ts";
import { toRaw } from "../../src/catalogue/validate.ts";
import groupsTable from "../../src/settings/tables.ts";
import { makeBackup, MAX_GROUP_BODY, readBackup, RESTORE_ORDER, restoreBodies } from "../../web/backup-file.ts";
import { changedMembers, valueOf } from "../../web/group-values.ts";
import { bounds, judgeParameter, plainNumber } from "../../web/judge.ts";
import { GROUPS, PARAMETERS, type ParameterRow } from "../../web/tables.ts";
import { groups } from "../support/web/web-mock-data.ts";

const row = (name: string): ParameterRow => PARAMETERS.find((one) => one.name === name) as ParameterRow;

describe("a value for the BMS", () => {
  it("may have a decimal comma", () => {
    expect(judgeParameter(row("cell_ovp_voltage"), " 3,65 ", "en")).toBe("3.65");
    expect(plainNumber("\u22125,5", "en")).toBe("-5.5");
  });

  it("with a thousands separator is refused in the page's language, never taken for a fraction", () => {
    expect(plainNumber("1,000", "en")).toBe("");
    expect(plainNumber("1.000", "pt")).toBe("");
    expect(plainNumber("1.000", "en")).toBe("1.000");
    expect(plainNumber("1,000", "pt")).toBe("1.000");
    expect(plainNumber("0,125", "en")).toBe("0.125");
    for (const typed of ["1,0000", "12,5000", "1,000,000", "-1,000", "01,000"]) {
      expect(plainNumber(typed, "en"), typed).toBe("");
      expect(plainNumber(typed.replaceAll(",", "."), "pt"), typed).toBe("");
    }
    for (const typed of ["1,5", "1,25", "0,0005"]) expect(plainNumber(typed, "en")).toBe(typed.replace(",", "."));
  });

  it("is validated like in the firmware, at and beyond each limit", () => {
    for (const one of PARAMETERS_TABLE) {
      const { kind, decimals } = one.quantity;
      if (kind !== "number" && kind !== "integer") continue;
      const [low, high] = bounds(row(one.name));
      const step = 10 ** -decimals;
      for (const value of [low - step, low, low + step, high - step, high, high + step]) {
        const text = value.toFixed(decimals);
        expect(judgeParameter(row(one.name), text, "en") !== undefined, `${one.name} ${text}`).toBe(
          toRaw(one, text) !== undefined,
        );
      }
      expect(judgeParameter(row(one.name), low.toFixed(decimals), "en")).toBeDefined();
      expect(judgeParameter(row(one.name), high.toFixed(decimals), "en")).toBeDefined();
    }
  });

  it("is not a fraction of a cell, a word or empty", () => {
    for (const text of ["3.5", "x", "", "1e1", "0x10"])
      expect(judgeParameter(row("cell_count"), text, "en")).toBeUndefined();
  });

  it("for a name has 1 to 12 plain characters", () => {
    for (const text of ["a", "Pack 1", "123456789012"])
      expect(judgeParameter(row("bluetooth_name"), text, "en")).toBe(text);
    for (const text of ["", "   ", "1234567890123", "São"])
      expect(judgeParameter(row("bluetooth_name"), text, "en")).toBeUndefined();
  });
});

describe("a value for the device", () => {
  const field = (group: keyof typeof GROUPS, path: string) => GROUPS[group][path] ?? expect.fail(path);

  it("must be of its field's kind", () => {
    expect(valueOf(field("bms", "baud"), "9600", "en")).toBe(9_600);
    expect(valueOf(field("bms", "readMode"), "frames", "en")).toBe("frames");
    expect(valueOf(field("bms", "address"), "15", "en")).toBe(15);
    expect(valueOf(field("mqtt", "enabled"), true, "en")).toBe(true);
    expect(valueOf(field("monitoring", "voltages.1.ratio"), "24,9", "en")).toBe(24.9);
  });

  it("outside its range is refused", () => {
    for (const typed of ["-1", "16", "1.5", "", "x"])
      expect(valueOf(field("bms", "address"), typed, "en")).toBeUndefined();
    expect(valueOf(field("bms", "baud"), "4800", "en")).toBeUndefined();
    expect(valueOf(field("network", "password"), "1234567", "en")).toBeUndefined();
    expect(valueOf(field("network", "password"), "12345678", "en")).toBe("12345678");
    expect(valueOf(field("device", "hostname"), "-x", "en")).toBeUndefined();
  });

  it("inside a member includes the whole member, and changes nothing else", () => {
    const { monitoring } = groups();
    const changed = changedMembers(
      monitoring,
      new Map<string, unknown>([
        ["voltages.1.ratio", 24.9],
        ["voltages.2.name", "Solar"],
      ]),
    );
    expect(changed).toEqual({
      voltages: [
        { name: "DC 1", ratio: 25, offset: 0 },
        { name: "DC 2", ratio: 24.9, offset: 0 },
        { name: "Solar", ratio: 25, offset: 0 },
      ],
    });
    expect(monitoring.voltages[1]?.ratio).toBe(25);
  });
});

describe("a backup", () => {
  it("is restored unchanged", () => {
    const all = groups();
    expect(readBackup(makeBackup("0.1.0", all))).toMatchObject({ version: "0.1.0", groups: all });
  });

  it("is distinguished from other files", () => {
    for (const text of ["", "{", "null", "{}", '{"kind":"other","groups":{}}'])
      expect(readBackup(text)).toBeUndefined();
  });

  it("holds every group except the page's passwords and token hashes, those last that may disconnect the page", () => {
    expect([...RESTORE_ORDER].sort()).toEqual(
      Object.keys(groupsTable)
        .filter((name) => name !== "web" && name !== "access")
        .sort(),
    );
    expect(RESTORE_ORDER.slice(-2)).toEqual(["device", "network"]);
  });

  it("without secrets keeps those of the device", () => {
    expect(restoreBodies("network", { ssid: "Home", password: true })).toEqual([{ ssid: "Home" }]);
    expect(restoreBodies("network", { ssid: "Home", password: "12345678" })).toEqual([
      { ssid: "Home", password: "12345678" },
    ]);
    expect(restoreBodies("api", { enabled: true, token: "" })).toEqual([{ enabled: true }]);
  });

  it("is sent in bodies that the device accepts", () => {
    const long = "ã".repeat(32);
    const monitoring = {
      ...groups().monitoring,
      voltages: [1, 2, 3].map(() => ({ name: long, ratio: 0.123_456_789_012_34, offset: -99.123_456_789_012 })),
      inputs: [1, 2].map(() => ({ name: long, activeLevel: 0, debounce: 10_000 })),
      temperature: { ...groups().monitoring.temperature, name: long, slope: -999.123_456_789_012_3 },
    };
    const bodies = restoreBodies("monitoring", { ...monitoring, spare: "x".repeat(300) });
    expect(bodies.length).toBeGreaterThan(1);
    for (const body of bodies) expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(MAX_GROUP_BODY);
  });
});
