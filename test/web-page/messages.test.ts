import { describe, expect, it } from "vitest";
import { ALARMS_TABLE } from "../../src/catalogue/alarms";
import { COMMANDS_TABLE } from "../../src/catalogue/commands";
import { PARAMETERS_TABLE } from "../../src/catalogue/parameters";
import { reportOf, type Ending, type Write } from "../../src/bms/write-report";
import { EventRing } from "../../src/events/event-ring";
import { EventRecorder } from "../../src/events/record";
import { MAX_EVENT_TEXT } from "../../src/events/limits";
import { EVENT_TEXT_BYTES } from "../../src/events/record-bytes";
import type { Field, Fields, Values } from "../../src/settings/field";
import { STORE_PROBLEMS } from "../../src/settings/settings";
import GROUPS from "../../src/settings/tables";
import type { GroupName } from "../../src/settings/types";
import type { ProblemCode } from "../../src/settings/messages";
import type { PackRow } from "../../web/documents";
import { nameThem } from "../../web/pack-names";
import { messageText, reasonOf } from "../../web/messages";
import { RequestError } from "../../web/request-error";
import { en } from "../../web/texts/en";
import { pt } from "../../web/texts/pt";
import { TestMonitor } from "../support/bms/bms-link";
import { StillMonitor } from "../support/bms/still-monitor";
import { startSettings } from "../support/fakes/settings";
import { FaultyStorage } from "../support/fakes/storage";
import { table } from "../support/table";

const ENGLISH =
  /\b(the|is|are|must|be|been|not|and|or|was|has|have|with|from|to|of|this|there|it|could|cannot|too|read|back|refused|acknowledged)\b/i;
const numbers = (text: string): string[] => (text.match(/-?\d+(?:\.\d+)?/g) ?? []).map((one) => String(Number(one)));

type Titles = Readonly<Record<string, { readonly title: string }>>;

/** What the Portuguese page shows of a message, after it has been seen to be Portuguese, and to be known in English too. */
function shown(message: string): string {
  const english = messageText(message, en);
  const translation = messageText(message, pt) ?? "";
  expect(english, message).toMatch(/^\S.*\.$/);
  expect(english, message).not.toMatch(/undefined|\t/);
  expect(translation, message).toMatch(/^\S.*\.$/);
  expect(translation, message).not.toMatch(ENGLISH);
  expect(translation, message).not.toMatch(/undefined|\t/);
  return translation;
}

describe("what the settings refuse", () => {
  const settings = startSettings();
  settings.update("packs", { further: [{ address: 2, name: "Shed" }] });
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

  table(members)("of a member is shown with its title and range", ({ group, path }) => {
    const text = refusal(group, path);
    const [code = "", where, ...range] = text.split("\t");
    expect([code.slice(0, 4), where]).toEqual(["not-", [group, ...path].join(".")]);
    const translation = shown(text);
    for (const number of range.filter((part) => /^-?[\d.]+$/.test(part)))
      expect(numbers(translation), text).toContain(number);
    const member = `${group}.${path.filter((part) => !/^\d+$/.test(part)).join(".")}`;
    for (const [{ fields }, told] of [
      [pt, translation],
      [en, messageText(text, en)],
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

  it("is explained in the words of the form", () => {
    expect(shown(refusal("snmp", ["receiver1"], "a b"))).toContain(pt.rules.host);
    expect(messageText(refusal("snmp", ["receiver1"], "a b"), en)).toContain(en.rules.host);
    expect(shown(refusal("mqtt", ["baseTopic"], "/"))).toContain(pt.rules.topic);
  });

  it("an event names its pack as the owner does; one that is gone by its address", () => {
    nameThem([
      { address: 3, name: "Shelf" },
      { address: 4, name: "Pack" },
    ] as PackRow[]);
    const raised = (address: number): string | undefined =>
      messageText(`alarm-raised\tcell_undervoltage\t${address}`, en);
    expect([3, 4, 5].map(raised).map((text) => text?.split(":")[0])).toEqual(["Shelf", "Pack 4", "Pack 5"]);
    nameThem([]);
    expect(raised(3)).toMatch(/^Pack 3: /);
  });

  it("names how many packs a board bears", () => {
    expect(shown("too-many-packs\t8")).toBe("Esta placa suporta no máximo 8 baterias.");
    expect(messageText("too-many-packs\t8", en)).toBe("This board supports at most 8 packs.");
  });

  it("covers members that must differ and unknown members", () => {
    expect(shown(settings.update("relay", { onAt: 30, offAt: 30 }) ?? "")).toBe(
      "“Relé – Liga em” e “Relé – Desliga em” precisam ser diferentes.",
    );
    expect(messageText(settings.update("relay", { onAt: 30, offAt: 30 }) ?? "", en)).toBe(
      "“Relay – On at” and “Relay – Off at” must differ.",
    );
    for (const group of groups) shown(settings.update(group, { nothing: 1 } as never) ?? "");
  });
});

describe("problems of the stored settings", () => {
  const PROBLEMS: Record<ProblemCode, true> = {
    "store-set-aside": true,
    "store-replaced": true,
    "store-lost": true,
    "store-closed": true,
    unreadable: true,
    unwritable: true,
    "unwritable-energy": true,
    "unwritable-relay": true,
    "unwritable-packs": true,
    missing: true,
    "not-allowed": true,
    "not-allowed-by-board": true,
    corrupt: true,
    older: true,
    newer: true,
    same: true,
    more: true,
  };

  table(Object.keys(PROBLEMS))("have a text", (problem) => {
    for (const what of ["relay.onAt", "relay", "mqtt.password"]) shown(`settings\t${problem}\t${what}\trelay.offAt`);
  });

  it("name the members", () => {
    expect(messageText("settings\tsame\trelay.onAt\trelay.offAt", pt)).toBe(
      "Configurações: “Relé – Liga em” é igual a “Relé – Desliga em”.",
    );
    for (const problem of STORE_PROBLEMS) if (problem) shown(problem);
  });
});

describe("writes to the BMS", () => {
  const OUTCOMES: Record<Ending["outcome"], true> = {
    confirmed: true,
    refused: true,
    "refused-applied": true,
    mismatch: true,
    "no-reply": true,
    "no-reply-applied": true,
    "no-reply-not-applied": true,
    "not-applied": true,
    unverified: true,
    lost: true,
    "not-sent": true,
    "not-sent-busy": true,
    "not-sent-other": true,
    unidentified: true,
    exchanged: true,
    timeout: true,
    failed: true,
  };
  const writes: Write[] = [
    ...COMMANDS_TABLE.map((command) => ({ command, value: 0 as const })),
    ...PARAMETERS_TABLE.map((parameter) => ({
      parameter,
      value: parameter.quantity.kind === "text" ? 'Pa": ck 12345' : parameter.quantity.max,
    })),
  ];
  const outcomes = Object.keys(OUTCOMES) as Ending["outcome"][];
  const endings: Ending[] = [
    ...outcomes.map((outcome): Ending => ({ outcome })),
    ...[0, 1, 2, 3, 4, 5, 6, 7].map((exception): Ending => ({ outcome: "refused", exception })),
  ];
  const readBack = (outcome: "not-applied" | "no-reply-not-applied", { parameter }: Write): Ending => ({
    outcome,
    readBack: parameter?.quantity.kind === "text" ? "Pack: 2.........." : (parameter?.quantity.min ?? 1),
  });
  const titles: Titles = { ...pt.parameters, ...pt.commands };
  const englishTitles: Titles = { ...en.parameters, ...en.commands };

  table(writes)("end with a text in the log of which at most what was read back is cut", (write) => {
    const { name } = write.command ?? write.parameter;
    for (const ending of [...endings, readBack("not-applied", write), readBack("no-reply-not-applied", write)]) {
      const storage = new FaultyStorage();
      const log = new EventRing({ uptime: () => 0, start: { intact: false, restarts: 0 } });
      const source = { observe: () => undefined };
      const recorder = new EventRecorder(log, {
        monitor: Object.assign(new StillMonitor(), source),
        relay: source,
        settings: startSettings(storage),
        build: { version: "1.2.3", build: "abc" },
        start: { reason: "power-on", where: "", safe: false },
        parts: { problems: ["part-failed\tled\tin use"] },
      });
      recorder.writeEnded(reportOf({ ...write, origin: "page" }, ending, 15));
      const line = log.at(log.length - 1).text;
      const whole = `${line.split("\t").slice(0, 7).join("\t")}\t`;
      expect(whole).toMatch(/^write\t.*\t15\tpage\t$/);
      expect(whole.length).toBeLessThanOrEqual("write\t".length + EVENT_TEXT_BYTES);
      expect(line.length).toBeLessThanOrEqual(MAX_EVENT_TEXT);
      expect(messageText(line, en)).toMatch(/^Pack 15: Write \(page\): /);
      const translation = shown(line);
      expect(translation).toMatch(/^Bateria 15: Escrita \(página\): /);
      expect(translation).toContain(titles[name]?.title);
      expect(messageText(line, en)).toContain(englishTitles[name]?.title);
      expect(translation).not.toContain(ending.outcome);
      expect(translation).not.toContain("?C");
      if ("parameter" in write && write.parameter?.quantity.unit === "°C") expect(translation).toContain(" °C");
      // The port that is advised is no value.
      for (const number of numbers(
        translation
          .replaceAll("\u2212", "-")
          .replace(/RS485-[12]/g, "")
          .replace(/(\d),(?=\d)/g, "$1."),
      ))
        expect(numbers(line), line).toContain(number);
    }
  });
});

describe("the log", () => {
  it("is Portuguese from the start", () => {
    const storage = new FaultyStorage();
    const log = new EventRing({ uptime: () => 0, start: { intact: false, restarts: 0 } });
    storage.put("settings", "relay", "}");
    const settings = startSettings(storage);
    const source = { observe: () => undefined };
    const recorder = new EventRecorder(log, {
      monitor: Object.assign(new StillMonitor(), source),
      relay: source,
      settings,
      build: { version: "1.2.3", build: "abc" },
      start: { reason: "brown-out", where: "task main", safe: true },
      parts: { problems: ["part-failed\tmonitoring\tpin 36 in use"] },
    });
    recorder.packOnlineChanged(new TestMonitor());
    recorder.packOnlineChanged(Object.assign(new TestMonitor(), { online: false }));
    recorder.relaySwitched(true);
    recorder.relaySwitched(false);
    for (const group of Object.keys(GROUPS) as GroupName[]) recorder.settingsChosen(group);
    const lines = Array.from({ length: log.length }, (_, at) => shown(log.at(at).text));
    expect(lines[0]).toBe("Iniciado com o firmware 1.2.3 (abc).");
    expect(lines[1]).toBe("Motivo da inicialização: a tensão de alimentação caiu.");
    expect(lines[4]).toBe("Falhou: Entradas (pin 36 in use).");
    expect(lines[5]).toBe("Configurações: “Relé” está corrompido.");
    expect(lines.at(-1)).toContain(pt.groups[Object.keys(GROUPS).at(-1) as GroupName]);
  });

  it("names the alarms", () => {
    for (const { name } of ALARMS_TABLE)
      for (const how of ["raised", "cleared"]) {
        const [alarms, englishAlarms]: Titles[] = [pt.alarms, en.alarms];
        expect(shown(`alarm-${how}\t${name}`)).toContain(alarms?.[name]?.title);
        expect(messageText(`alarm-${how}\t${name}`, en)).toBe(
          `Alarm${how === "raised" ? "" : " cleared"}: ${englishAlarms?.[name]?.title}.`,
        );
      }
  });
});

describe("a message", () => {
  it("that is unknown is not translated", () => {
    for (const text of ["", "Something new.", "$& {field} \\d+", "constructor", "toString\tx"])
      for (const texts of [en, pt]) expect(messageText(text, texts)).toBeUndefined();
  });

  it("with an unknown name shows it as it came", () => {
    expect(messageText("not-boolean\tnothing.here", pt)).toBe("nothing.here precisa ser ligado ou desligado.");
    expect(messageText("alarm-raised\tconstructor", pt)).toBe("Alarme: constructor.");
    expect(messageText("settings-changed\tconstructor", pt)).toBe("Configurações alteradas: constructor.");
    expect(messageText("settings\tsomething\tnew", en)).toBe("Settings: something new");
    expect(messageText("write\tx\ton\tnew\t\t\t\t", en)).toBe("Write: x on: new");
  });
});

describe("an error", () => {
  const shownOf = (status: number, message: string): string => reasonOf(new RequestError(status, message), en);

  it("is translated by its code, else by its HTTP status, and never in another interface's words", () => {
    expect(shownOf(409, "relay-not-manual")).toBe(en.errors["relay-not-manual"]);
    expect(shownOf(400, "equal\trelay.onAt\trelay.offAt")).toBe("“Relay – On at” and “Relay – Off at” must differ.");
    expect(shownOf(503, "not-loaded")).toBe(en.refusals["not-loaded"]);
    expect(shownOf(413, "The request body must be 1 to 1024 bytes.")).toBe(en.statuses[413]);
    expect(shownOf(405, "Method not allowed on /web.")).toBe("The device refused the request (HTTP 405).");
    expect(shownOf(0, "")).toBe(en.common.unreachable);
  });
});
