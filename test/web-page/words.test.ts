import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ALARMS_TABLE } from "../../src/catalogue/alarms.ts";
import { COMMANDS_TABLE } from "../../src/catalogue/commands.ts";
import { PARAMETERS_TABLE, type ParameterRow } from "../../src/catalogue/parameters.ts";
import type { Outcome } from "../../src/bms/outcomes.ts";
import { reportOf } from "../../src/bms/write-report.ts";
import { resultOf } from "../../src/notify/words.ts";
import { alarmsOf } from "../../web/alarms.ts";
import { endingText, writeText } from "../../web/outcome.ts";
import { parameterText } from "../../web/screens/parameter-text.ts";
import { PARAMETERS } from "../../web/tables.ts";
import { en } from "../../web/texts/en.ts";
import { BANK_TEXTS } from "../../web/texts/later/bank.ts";
import { CONTROL_TEXTS } from "../../web/texts/later/control.ts";
import { DEVICE_TEXTS } from "../../web/texts/later/device.ts";
import { PAST_TEXTS } from "../../web/texts/later/past.ts";
import { SINCE_TEXTS } from "../../web/texts/later/since.ts";
import { pt } from "../../web/texts/pt.ts";

type Tree = Record<string, unknown>;

/** Paths of all texts, with what they are. */
function leaves(tree: Tree, prefix = ""): [string, unknown][] {
  return Object.entries(tree).flatMap(([key, value]): [string, unknown][] =>
    typeof value === "object" ? leaves(value as Tree, `${prefix}${key}/`) : [[prefix + key, value]],
  );
}

describe("both languages", () => {
  const english = new Map(
    leaves({
      ...en,
      past: PAST_TEXTS.en,
      control: CONTROL_TEXTS.en,
      own: DEVICE_TEXTS.en,
      packs: BANK_TEXTS.en,
      since: SINCE_TEXTS.en,
    }),
  );
  const portuguese = new Map(
    leaves({
      ...pt,
      past: PAST_TEXTS.pt,
      control: CONTROL_TEXTS.pt,
      own: DEVICE_TEXTS.pt,
      packs: BANK_TEXTS.pt,
      since: SINCE_TEXTS.pt,
    }),
  );

  it("have the same texts, except for what the device says in English itself", () => {
    const own = [...portuguese.keys()].filter((path) => !path.startsWith("own/deliveries/"));
    expect(own.sort()).toEqual([...english.keys()].sort());
  });

  it("have the same delivery results", () => {
    const own = Object.keys(DEVICE_TEXTS.pt.deliveries).map((problem) => [problem, resultOf(problem, 0, "")]);
    expect(own.filter(([, text]) => text!.startsWith("No secure connection"))).toEqual([]);
    expect(new Set(own.map(([, text]) => text)).size).toBe(own.length);
  });

  it("have no empty text, and use the same placeholders", () => {
    for (const [path, text] of english) {
      const other = portuguese.get(path);
      expect(typeof other, path).toBe(typeof text);
      if (typeof text === "function") expect((other as () => string).length, path).toBe(text.length);
      else for (const one of [text, other]) expect(String(one).trim(), path).not.toBe("");
    }
  });

  it("use every placeholder given", () => {
    for (const [path, text] of [...english, ...portuguese])
      if (typeof text === "function" && path !== "past/gaps") {
        const parts = Array.from({ length: text.length }, (_, index) => `part${index}`);
        const result = (text as (...parts: string[]) => string)(...parts);
        for (const part of parts) expect(result, path).toContain(part);
      }
  });

  it("is Brazilian Portuguese for the second", () => {
    const OTHER_WORDS =
      /\b(ecrã|ficheir|guardar\b|utilizador|regist[oa]s?\b|equipamento|definiç|ligaç|telemóvel|consola|contacto|demasiad|arranqu|tem de |têm de |num |numa |estão a |está a |à espera)/i;
    for (const [path, text] of portuguese) expect(String(text), path).not.toMatch(OTHER_WORDS);
  });

  it("have a hint for each command and parameter and advice for each alarm", () => {
    for (const words of [en, pt]) {
      expect(Object.keys(words.commands)).toEqual(COMMANDS_TABLE.map(({ name }) => name));
      expect(Object.keys(words.parameters)).toEqual(PARAMETERS_TABLE.map(({ name }) => name));
      expect(Object.keys(words.alarms)).toEqual(ALARMS_TABLE.map(({ name }) => name));
    }
  });
});

describe("reasons for a failed connection to the broker", () => {
  /** Codes as they stand in the sources. */
  const codes = [
    "modules/tls-socket/tls-problems.c",
    "modules/tls-socket/tls-problems.h",
    "host-sim/io/tls.ts",
  ].flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/"((?:tls|ca|certificate|not)-[a-z-]+)"/g)].map(([, code]) => code ?? ""),
  );

  it.each(codes)("%s has a text", (code) => {
    for (const { problems } of [en, pt]) expect(Object.keys(problems)).toContain(code);
  });

  it("are found in the sources", () => {
    const known = Object.keys(en.problems).filter((code) => /^(tls|ca|certificate|not)-/.test(code));
    expect([...new Set(codes)].sort()).toEqual(known.sort());
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

  it("missing from the table are shown by their code", () => {
    expect(alarmsOf(0x8000_0000)).toEqual([]);
    expect(alarmsOf(0xffff_ffff)).toHaveLength(30);
  });
});

it("a Bluetooth name that is not known is a dash", () => {
  const row = PARAMETERS.find(({ name }) => name === "bluetooth_name");
  if (!row) throw new Error("no such row");
  expect([undefined, null, "0"].map((value) => parameterText(row, value, "en", en))).toEqual(["–", "–", "0"]);
});

describe("the outcome of a write", () => {
  const parameterRow = (wanted: string): ParameterRow => {
    const row = PARAMETERS_TABLE.find(({ name }) => name === wanted);
    if (!row) throw new Error("no such row");
    return row;
  };
  const parameter = parameterRow("cell_ovp_voltage");
  const command = COMMANDS_TABLE.find(({ name }) => name === "charge_mos");
  if (!command) throw new Error("no such row");
  const write = { parameter, value: 3_650 };

  it("is in the reader's language", () => {
    const confirmed = reportOf(write, { outcome: "confirmed" });
    expect([writeText(confirmed, pt), endingText(confirmed, pt)]).toEqual([
      "Proteção de sobretensão da célula: 3,650 V",
      "Confirmado pelo BMS.",
    ]);
    expect(writeText(reportOf({ command, value: 0 }, { outcome: "no-reply" }), en)).toBe("Charging: off");
    const cells = reportOf({ parameter: parameterRow("cell_count"), value: 16 }, { outcome: "confirmed" });
    expect([writeText(cells, en), writeText(cells, pt)]).toEqual([
      "Cell count: 16 cells",
      "Número de células: 16 células",
    ]);
  });

  it("leaves a name as it is, whatever it looks like", () => {
    for (const name of ["on", "3.65 V", "16 cells", "refused"]) {
      const report = reportOf({ parameter: parameterRow("bluetooth_name"), value: name }, { outcome: "confirmed" });
      expect(writeText(report, pt)).toMatch(new RegExp(`: "${name}"$`));
    }
  });

  it("says why the BMS refused, and what it holds", () => {
    expect(endingText(reportOf(write, { outcome: "refused", exception: 3 }), pt)).toBe(
      "O BMS recusou (exceção 3: valor ilegal).",
    );
    expect(endingText(reportOf(write, { outcome: "refused", exception: 99 }), en)).toContain("exception 99");
    // Some packs accept no settings on RS485-2; a value that is refused is refused everywhere.
    expect(endingText(reportOf(write, { outcome: "refused", exception: 2 }), en)).toMatch(
      / On RS485-2\? Try RS485-1\.$/,
    );
    for (const outcome of ["not-applied", "no-reply-not-applied", "mismatch"] as const) {
      const report = reportOf(write, { outcome, readBack: 3_600 });
      // Whether that is the value from before the write is not known.
      expect(endingText(report, en)).toMatch(/ has 3\.600 V\.$/);
      expect(endingText(report, pt)).toMatch(/ está com 3,600 V\.$/);
    }
    expect(endingText(reportOf(write, { outcome: "no-reply-applied" }), en)).toContain("3.650 V");
  });

  it("never claims that nothing changed when that was not seen", () => {
    const unseen: readonly Outcome[] = ["no-reply", "mismatch", "lost", "timeout", "failed"];
    for (const outcome of unseen) {
      expect(endingText(reportOf(write, { outcome }), en)).toContain("outcome is unknown");
      expect(endingText(reportOf(write, { outcome }), pt)).toContain("não se sabe");
    }
  });
});
