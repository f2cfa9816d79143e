/** What is said: in the page's words. */
import { readFileSync } from "node:fs";
import * as FIELDS from "jk-bms/field-table";
import { describe, expect, it } from "vitest";
import { ALARMS_TABLE } from "../../src/catalogue/alarms";
import { hasAny } from "../../src/conditions/set";
import {
  bit,
  CONCERNS,
  DEVICE_CONDITIONS,
  DEVICE_MESSAGES,
  deviceBit,
  MESSAGES,
  OWNED,
  ownedHold,
} from "../../src/conditions/table";
import { FIRST_BACK_OFF, LATE, PAUSES } from "../../src/notify/limits";
import { ALARM, PACK, REASON, say, sayEvent } from "../../src/notify/phrases";
import { reasonValue } from "../../src/notify/words";
import { CAUSES, INNOCENT, REASONS, WANTED } from "../../src/health/reasons";
import { en } from "../../web/texts/en";
import { pt } from "../../web/texts/pt";
import { Bench } from "./bench";

/** s: a value has to be beyond its threshold for so long. */
const HOLD = ownedHold(OWNED.indexOf("soc"));

const { messages } = pt;

describe("an event", () => {
  it.each(["bms-offline", "bms-online", "other-master", "other-master-gone", "safe-mode"] as const)("%s", (code) => {
    expect(sayEvent("en", code)).toBe(en.messages[code]);
    expect(sayEvent("pt", code)).toBe(messages[code]);
  });

  it("a pack without a name", () => {
    expect([say("en", PACK, "4"), say("pt", PACK, "4")]).toEqual([en.bank.pack("4"), pt.bank.pack("4")]);
  });

  it.each(ALARMS_TABLE.filter(({ fault }) => fault))("alarm: $name", ({ name }) => {
    const phrase = ALARM + ALARMS_TABLE.findIndex((row) => row.name === name);
    for (const code of ["alarm-raised", "alarm-cleared"] as const) {
      expect(sayEvent("en", code, name, phrase)).toBe(
        en.messages[code](en.alarms[name as keyof typeof en.alarms].title),
      );
      expect(sayEvent("pt", code, name, phrase)).toBe(messages[code](pt.alarms[name as keyof typeof pt.alarms].title));
    }
  });

  const told = [...REASONS, "script-aborted", ...CAUSES].filter(
    (reason) =>
      reason && !(INNOCENT as readonly string[]).includes(reason) && !(WANTED as readonly string[]).includes(reason),
  );
  it.each(told)("restart by %s", (reason) => {
    const phrase = REASON + reasonValue(reason);
    expect(sayEvent("en", "start-reason", reason, phrase)).toBe(
      en.messages["start-reason"](en.starts[reason as keyof typeof en.starts]),
    );
    expect(sayEvent("pt", "start-reason", reason, phrase)).toBe(
      messages["start-reason"](pt.starts[reason as keyof typeof pt.starts]),
    );
  });
});

it("docs/notifications.md names the conditions of which a message is sent, and no other", () => {
  const [sentence = ""] = /^Conditions \(.*?\. Each/m.exec(readFileSync("docs/notifications.md", "utf8")) ?? [];
  const named = Array.from(sentence.matchAll(/`([a-z-]+)`/g), ([, code]) => code);
  expect(named).toEqual(CONCERNS.filter((code) => hasAny(MESSAGES, bit(code))));
  const [ofDevice = ""] = /^Of the device itself: .*$/m.exec(readFileSync("docs/notifications.md", "utf8")) ?? [];
  const codes = Array.from(ofDevice.matchAll(/`([a-z-]+)`/g), ([, code]) => code);
  expect(codes).toEqual(DEVICE_CONDITIONS.filter((code) => hasAny(DEVICE_MESSAGES, deviceBit(code))));
});

it("the others, with decimal commas, and when it was", () => {
  const bench = new Bench({ language: "pt", spread: 200 });
  const { telemetry } = bench.monitor.pack;
  bench.start("brown-out", { safe: false });
  telemetry.set(FIELDS.soc, 14).set(FIELDS.battery1Temperature, 501);
  bench.pass(HOLD + 2);
  telemetry.set(FIELDS.soc, 17).set(FIELDS.battery1Temperature, 445).setCells([3_000, 3_201]);
  bench.pass(HOLD + 2);
  expect(bench.texts()).toEqual([
    `Reiniciou sozinho. ${messages["start-reason"](pt.starts["brown-out"])}`,
    "Estado de carga: 14 %, abaixo de 15 %.",
    "Temperatura da bateria: 50,1 °C, acima de 50 °C.",
    "Estado de carga: 17 %, de novo acima de 15 %.",
    "Temperatura da bateria: 44,5 °C, de novo abaixo de 50 °C.",
    "Diferença entre células: 201 mV, acima de 200 mV.",
  ]);
  telemetry.setCells(Array<number>(16).fill(3_300));
  bench.pass(2);
  bench.got.length = 0;
  const alarm = messages["alarm-raised"](pt.alarms.cell_undervoltage.title);
  bench.alarm("cell_undervoltage");
  bench.pass(PAUSES[1]! + 2);
  bench.alarm("cell_undervoltage");
  bench.alarm("cell_undervoltage");
  bench.pass(PAUSES[2]! + 2);
  expect(bench.texts()).toEqual([alarm, `${alarm} Continua.`, `${alarm} 2 vezes desde a última mensagem.`]);
  bench.network.online = false;
  bench.monitor.otherMaster = true;
  bench.pass(2 * LATE);
  bench.network.online = true;
  bench.pass(2);
  expect(bench.texts()).toEqual([`${messages["other-master"]} Isso foi há ${(2 * LATE) / 60} min.`]);
  bench.network.online = false;
  bench.monitor.otherMaster = false;
  bench.time = Date.UTC(2026, 10, 23, 19, 30) / 1_000;
  bench.pass(LATE + 2);
  bench.network.online = true;
  bench.pass(FIRST_BACK_OFF);
  expect(bench.texts()).toEqual([`${messages["other-master-gone"]} Isso foi em 2026-11-23 19:30 UTC.`]);
  bench.network.online = false;
  bench.alarm("battery_overvoltage");
  bench.pass(2);
  bench.time = undefined;
  bench.trial = { problem: "" };
  bench.restart("update");
  bench.trial = undefined;
  bench.network.online = true;
  bench.pass(5);
  expect(bench.texts()).toEqual([
    `${messages["alarm-raised"](pt.alarms.battery_overvoltage.title)} Isso foi antes de o aparelho reiniciar.`,
    "A atualização funciona: roda o firmware 1.2.3.",
  ]);
  bench.got.length = 0;
  bench.notify.sendTest(0, () => undefined);
  bench.pass(1);
  expect(bench.texts()).toEqual(["As mensagens chegam. É só um teste."]);
});
