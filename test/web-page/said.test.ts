import { describe, expect, it } from "vitest";
import { ALARMS_TABLE } from "../../src/catalogue/alarms";
import { COMMANDS_TABLE } from "../../src/catalogue/commands";
import { SETTINGS_TABLE } from "../../src/catalogue/settings";
import { reportOf, type Ending, type Write } from "../../src/bms/write-report";
import { EventRing } from "../../src/events/event-ring";
import { EventRecorder } from "../../src/events/record";
import { MAX_EVENT_TEXT } from "../../src/events/limits";
import type { Field, Fields, Values } from "../../src/settings/field";
import { STORE_PROBLEMS } from "../../src/settings/settings";
import GROUPS from "../../src/settings/tables";
import type { GroupName } from "../../src/settings/types";
import { en } from "../../web/texts/en";
import { pt } from "../../web/texts/pt";
import { TestMonitor } from "../support/bms-link";
import { FILLED, lastArguments, sentences } from "../support/sentences";
import { startSettings } from "../support/settings";
import { FaultyStorage } from "../support/storage";

const ENGLISH =
  /\b(the|is|are|must|be|been|not|and|or|was|has|have|with|from|to|of|this|there|it|could|cannot|too|read|back|refused|acknowledged)\b/i;
const numbers = (text: string): string[] => text.match(/-?\d+(?:\.\d+)?/g) ?? [];

type Titles = Readonly<Record<string, { readonly title: string }>>;

/** What the Portuguese page shows of a text, after it has been seen to be Portuguese. */
function shown(text: string, ofWhat = text): string {
  const translation = pt.said(text);
  expect(en.said(text), ofWhat).not.toMatch(/\{\w+\}|undefined/);
  expect(translation, `no translation: ${ofWhat}`).not.toBe(text);
  expect(translation, ofWhat).not.toMatch(ENGLISH);
  expect(translation, ofWhat).not.toMatch(/[{}]|undefined/);
  return translation;
}

describe("every sentence in the sources", () => {
  /** What never reaches the page: it goes to another interface, or is a title that the page has words of its own for. */
  const ELSEWHERE = [
    "src/api/",
    "src/metrics/",
    "src/snmp/",
    "src/mqtt/requests.ts",
    "src/bms/write-queue.ts",
    "src/mqtt/components.ts",
    "src/catalogue/settings.ts",
    "src/catalogue/commands.ts",
    "src/catalogue/alarms.ts",
    "src/catalogue/telemetry.ts",
  ];
  /** Made of parts, and tried below as they come out of the firmware's functions. */
  const MADE = [
    "src/settings/field.ts",
    "src/settings/values.ts",
    "src/settings/text-rules.ts",
    "src/catalogue/validate.ts",
    "src/bms/write-report.ts",
  ];
  /** What there is in place of the page, a name, what the page has words of its own for, what only the API answers. */
  const NOT_SHOWN = [
    "The page was not built into this firmware. The REST API answers under /api.\n",
    "JK BMS monitor",
    "Relay updated successfully.",
    "Content-Type must be application/x-www-form-urlencoded or application/json.",
  ];
  const all = sentences("src", "modules/http-server/refusal.ts").filter(
    ({ file, text }) => ![...ELSEWHERE, ...MADE].some((place) => file.startsWith(place)) && !NOT_SHOWN.includes(text),
  );

  it.each(all)("is translated: $file: $text", ({ file, text }) => {
    if (text !== `MQTT: ${FILLED}`) shown(text, `${file}: ${text}`);
  });

  it("is found", () => {
    const files = new Set(all.map(({ file }) => file));
    for (const file of [
      "src/events/record.ts",
      "src/firmware.ts",
      "src/resources/relay.ts",
      "src/settings/settings.ts",
      "src/web/actions.ts",
      "src/web/group.ts",
      "src/web/session.ts",
      "modules/http-server/refusal.ts",
    ])
      expect(files, file).toContain(file);
    expect(all.length).toBeGreaterThan(25);
  });

  it("is translated also where the HTTP server gives up a sound request", () => {
    for (const text of ["Internal error.", "The request took too long.", "Too many connections."]) shown(text);
  });
});

describe("what the settings refuse", () => {
  const settings = startSettings();
  const groups = Object.keys(GROUPS) as GroupName[];

  /** Paths of all members, on all levels. */
  function paths(fields: Fields<unknown>, prefix: readonly string[] = []): string[][] {
    return Object.entries(fields as Readonly<Record<string, Field>>).flatMap(([member, field]) => {
      const path = [...prefix, member];
      if (field.kind === "record") return [path, ...paths(field.fields, path)];
      if (field.kind === "list")
        return [path, ...field.items.flatMap((item, at) => paths(item, [...path, String(at)]))];
      return [path];
    });
  }

  /** What `update` says when the member is null. */
  function refusal(group: GroupName, path: readonly string[], value: unknown = null): string {
    const change = structuredClone(settings[group]) as unknown as Values;
    let at = change;
    for (const member of path.slice(0, -1)) at = at[member] as Values;
    at[path.at(-1) as string] = value;
    return settings.update(group, change) ?? "";
  }

  const members = groups.flatMap((group) => paths(GROUPS[group].fields).map((path) => ({ group, path })));

  it.each(members)("is told of $group $path with its title and range", ({ group, path }) => {
    const text = refusal(group, path);
    expect(text).toContain(`${group}.${path.join(".")} must be`);
    const translation = shown(text);
    const [, range = ""] = /must be (.*)/.exec(text) ?? [];
    const rule = / (printable|letters|characters)/.test(range) ? range.split(" ").slice(0, 3).join(" ") : range;
    for (const number of numbers(rule)) expect(numbers(translation), text).toContain(number);
    const member = `${group}.${path.filter((part) => !/^\d+$/.test(part)).join(".")}`;
    for (const [{ fields }, told] of [
      [pt, translation],
      [en, en.said(text)],
    ] as const) {
      const title = (fields as Readonly<Record<string, string>>)[member];
      if (title) expect(told).toContain(`${title}”`);
      else expect(told).toContain([group, ...path].join("."));
    }
  });

  it("names the channel", () => {
    expect(shown(refusal("monitoring", ["voltages", "1", "ratio"]))).toContain("“Tensão 2 – Razão do divisor”");
    expect(shown(refusal("monitoring", ["inputs", "0", "name"]))).toContain("“Entrada 1 – Nome”");
    expect(shown(refusal("monitoring", ["temperature", "beta"]))).toContain("“Temperatura – Valor B”");
  });

  it("is told in words of the rule, as the form has them", () => {
    expect(shown(refusal("snmp", ["receiver1"], "a b"))).toContain(pt.rules.host);
    expect(en.said(refusal("snmp", ["receiver1"], "a b"))).toContain(en.rules.host);
    expect(shown(refusal("mqtt", ["baseTopic"], "/"))).toContain(pt.rules.topic);
  });

  it("is told of members that must differ, and of one that there is not", () => {
    expect(shown(settings.update("relay", { onAt: 30, offAt: 30 }) ?? "")).toBe(
      "“Relé – Liga em” e “Relé – Desliga em” precisam ser diferentes.",
    );
    expect(en.said(settings.update("relay", { onAt: 30, offAt: 30 }) ?? "")).toBe(
      "“Relay – On at” and “Relay – Off at” must differ.",
    );
    for (const group of groups) shown(settings.update(group, { nothing: 1 } as never) ?? "");
  });
});

describe("what was found wrong with the stored settings", () => {
  const problems = lastArguments("src/settings/settings.ts", "problem", "fault");

  it.each(problems)("has words: %s", (problem) => {
    const told = problem.replace(FILLED, "offAt");
    for (const what of ["relay.onAt", "relay", "mqtt.password", "configured relay.onAt", "configured relay"])
      shown(`Settings: ${what} ${told}.`);
  });

  it("is found in the sources", () => {
    expect(problems).toEqual(
      expect.arrayContaining(["cannot be read", "is corrupt", "is missing", "is not allowed", "is equal to 1"]),
    );
  });

  it("names the members", () => {
    expect(pt.said("Settings: relay.onAt is equal to offAt.")).toBe(
      "Configurações: “Relé – Liga em” é igual a “Relé – Desliga em”.",
    );
    shown("Settings: more.");
    shown("Settings: storage cannot be opened.");
    for (const problem of STORE_PROBLEMS.slice(1)) shown(`Settings: storage ${problem}.`);
  });
});

describe("writes to the BMS", () => {
  const OUTCOMES: Record<Ending["outcome"], true> = {
    confirmed: true,
    refused: true,
    mismatch: true,
    "no-reply": true,
    "no-reply-applied": true,
    "no-reply-not-applied": true,
    "not-applied": true,
    unverified: true,
    lost: true,
    "not-sent": true,
    timeout: true,
    failed: true,
  };
  const writes: Write[] = [
    ...COMMANDS_TABLE.map((command) => ({ command, value: 0 as const })),
    ...SETTINGS_TABLE.map((setting) => ({
      setting,
      value: setting.quantity.kind === "text" ? 'Pa": ck 12345' : setting.quantity.max,
    })),
  ];
  const outcomes = Object.keys(OUTCOMES) as Ending["outcome"][];
  const endings: Ending[] = [
    ...outcomes.map((outcome): Ending => ({ outcome })),
    ...[0, 1, 2, 3, 4, 5, 6, 7].map((exception): Ending => ({ outcome: "refused", exception })),
  ];
  const readBack = ({ setting }: Write): Ending => ({
    outcome: "not-applied",
    readBack: setting?.quantity.kind === "text" ? "Pack: 2" : (setting?.quantity.min ?? 1),
  });
  const titles: Titles = { ...pt.settings, ...pt.commands };
  const englishTitles: Titles = { ...en.settings, ...en.commands };

  it.each(writes)("end in words in the log, whose lines hold them whole: %#", (write) => {
    const { name } = write.command ?? write.setting;
    for (const ending of [...endings, readBack(write)]) {
      const storage = new FaultyStorage();
      const log = new EventRing({ uptime: () => 0, start: { kept: false, restarts: 0 } });
      const source = { observe: () => undefined };
      const recorder = new EventRecorder(log, {
        monitor: Object.assign(new TestMonitor(), source),
        relay: source,
        settings: startSettings(storage),
        build: { version: "1.2.3", build: "abc" },
        start: { reason: "power-on", where: "", safe: false },
      });
      recorder.writeResolved({ last: reportOf(write, ending) } as never);
      const line = log.at(log.length - 1).text;
      expect(line.length).toBeLessThan(MAX_EVENT_TEXT);
      const translation = shown(line);
      expect(translation).toContain(titles[name]?.title);
      expect(en.said(line)).toContain(englishTitles[name]?.title);
      expect(translation).not.toContain(ending.outcome);
      for (const number of numbers(translation.replace(/(\d),(?=\d)/g, "$1.")))
        expect(numbers(line), line).toContain(number);
    }
  });
});

describe("the log", () => {
  it("is Portuguese from the start on", () => {
    const storage = new FaultyStorage();
    const log = new EventRing({ uptime: () => 0, start: { kept: false, restarts: 0 } });
    storage.put("settings", "relay", "}");
    const settings = startSettings(storage);
    const source = { observe: () => undefined };
    const recorder = new EventRecorder(log, {
      monitor: Object.assign(new TestMonitor(), source),
      relay: source,
      settings,
      build: { version: "1.2.3", build: "abc" },
      start: { reason: "brown-out", where: "task main", safe: true },
    });
    recorder.bmsOnlineChanged(true);
    recorder.bmsOnlineChanged(false);
    recorder.relaySwitched(true);
    recorder.relaySwitched(false);
    for (const group of Object.keys(GROUPS) as GroupName[]) recorder.settingsChanged(group);
    const lines = Array.from({ length: log.length }, (_, at) => shown(log.at(at).text));
    expect(lines[0]).toBe("Inicialização, firmware 1.2.3 (abc).");
    expect(lines[1]).toBe("Motivo da inicialização: a tensão de alimentação caiu.");
    expect(lines[4]).toBe("Configurações: “Relé” está corrompido.");
    expect(lines.at(-1)).toContain(pt.groups[Object.keys(GROUPS).at(-1) as GroupName]);
  });

  it("names the alarms", () => {
    for (const { name } of ALARMS_TABLE)
      for (const how of ["raised", "cleared"]) {
        const [alarms, englishAlarms]: Titles[] = [pt.alarms, en.alarms];
        expect(shown(`Alarm ${how}: ${name}.`)).toContain(alarms?.[name]?.title);
        expect(en.said(`Alarm ${how}: ${name}.`)).toBe(`Alarm ${how}: ${englishAlarms?.[name]?.title}.`);
      }
  });
});

describe("a text", () => {
  it("keeps its numbers", () => {
    expect(shown("The request body must be 1 to 1024 bytes.")).toContain("1 a 1024 bytes");
  });

  it("that is not known is shown as it came", () => {
    for (const text of ["", "Something new.", "$& {field} \\d+", "Write: something else", "x.onAt must be blue."])
      expect([pt.said(text), en.said(text)]).toEqual([text.replace("Write:", "Escrita:"), text]);
    expect(pt.said("nothing.here must be true or false.")).toBe("nothing.here precisa ser ligado ou desligado.");
    expect(pt.said("Alarm raised: constructor.")).toBe("Alarme: constructor.");
    expect(pt.said("Settings of the group constructor changed.")).toBe("Configurações alteradas: constructor.");
  });
});
