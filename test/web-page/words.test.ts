import { describe, expect, it } from "vitest";
import { ALARMS_TABLE } from "../../src/catalogue/alarms.ts";
import { COMMANDS_TABLE } from "../../src/catalogue/commands.ts";
import { SETTINGS_TABLE } from "../../src/catalogue/settings.ts";
import { report } from "../../src/bms/write-report.ts";
import { alarmsOf } from "../../web/alarms.ts";
import { readOutcome } from "../../web/outcome.ts";
import { en } from "../../web/texts/en.ts";
import { pt } from "../../web/texts/pt.ts";

type Tree = Record<string, unknown>;

/** Paths of all texts, with what they are. */
function leaves(tree: Tree, prefix = ""): [string, unknown][] {
  return Object.entries(tree).flatMap(([key, value]): [string, unknown][] =>
    typeof value === "object" ? leaves(value as Tree, `${prefix}${key}/`) : [[prefix + key, value]],
  );
}

describe("both languages", () => {
  const english = new Map(leaves(en));
  const portuguese = new Map(leaves(pt));

  it("have the same texts", () => {
    expect([...portuguese.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it("leave none empty, and take the same parts", () => {
    for (const [path, text] of english) {
      const other = portuguese.get(path);
      expect(typeof other, path).toBe(typeof text);
      if (typeof text === "function") expect((other as () => string).length, path).toBe(text.length);
      else for (const one of [text, other]) expect(String(one).trim(), path).not.toBe("");
    }
  });

  it("use every part that is handed in", () => {
    for (const [path, text] of [...english, ...portuguese])
      if (typeof text === "function" && path !== "history/gaps") {
        const parts = Array.from({ length: text.length }, (_, index) => `part${index}`);
        const result = (text as (...parts: string[]) => string)(...parts);
        for (const part of parts) expect(result, path).toContain(part);
      }
  });

  it("have a hint for each command and setting and advice for each alarm", () => {
    for (const words of [en, pt]) {
      expect(Object.keys(words.commands)).toEqual(COMMANDS_TABLE.map(({ name }) => name));
      expect(Object.keys(words.settings)).toEqual(SETTINGS_TABLE.map(({ name }) => name));
      expect(Object.keys(words.alarms)).toEqual(ALARMS_TABLE.map(({ name }) => name));
    }
  });
});

describe("alarms", () => {
  it("are named by their bits, faults first", () => {
    expect(alarmsOf(0)).toEqual([]);
    expect(alarmsOf((1 << 4) | (1 << 11) | (1 << 0)).map(({ name }) => name)).toEqual([
      "wire_resistance",
      "cell_undervoltage",
      "fully_charged",
    ]);
  });

  it("that the table does not have are left to the code", () => {
    expect(alarmsOf(0x8000_0000)).toEqual([]);
    expect(alarmsOf(0xffff_ffff)).toHaveLength(29);
  });
});

describe("the outcome of a write", () => {
  const setting = SETTINGS_TABLE.find(({ name }) => name === "cell_ovp_voltage");
  const command = COMMANDS_TABLE.find(({ name }) => name === "charge_mos");
  if (!setting || !command) throw new Error("no such row");
  const write = { setting, value: 3_650 };

  it("is told in the reader's language", () => {
    expect(readOutcome(report(write, { outcome: "confirmed" }), pt)).toEqual({
      write: "Proteção de sobretensão da célula: 3.65 V",
      ending: "Confirmado pelo BMS.",
    });
    expect(readOutcome(report({ command, value: 0 }, { outcome: "no-reply" }), en)).toEqual({
      write: "Charging: off",
      ending: "The BMS did not reply.",
    });
  });

  it("says why the BMS refused, and what it still has", () => {
    expect(readOutcome(report(write, { outcome: "refused", exception: 3 }), pt).ending).toBe(
      "O BMS recusou (exceção 3: valor ilegal).",
    );
    expect(readOutcome(report(write, { outcome: "not-applied", readBack: 3_600 }), en).ending).toBe(
      "Acknowledged, but the BMS still has 3.6 V.",
    );
  });

  it("of every kind the monitor knows has words of its own", () => {
    const outcomes = [
      "confirmed",
      "mismatch",
      "no-reply",
      "not-applied",
      "unverified",
      "lost",
      "not-sent",
      "timeout",
      "failed",
    ];
    for (const outcome of outcomes) {
      const text = report(write, { outcome } as Parameters<typeof report>[1]);
      expect(readOutcome(text, pt).ending, text).not.toBe(text.slice(text.indexOf(": ") + 2));
    }
  });

  it("that cannot be read is passed on", () => {
    expect(readOutcome("something else", en)).toEqual({ write: "", ending: "something else" });
    expect(readOutcome("", en)).toEqual({ write: "", ending: "" });
  });
});
