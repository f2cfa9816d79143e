import { expect, it } from "vitest";
import { logEvent } from "../../src/catalogue/bms-log";
import { logText } from "../../web/device/bms-log-text.ts";
import { en } from "../../web/texts/en.ts";
import { DEVICE_TEXTS } from "../../web/texts/later/device.ts";
import { pt } from "../../web/texts/pt.ts";

const TEXTS = { en: { ...en, ...DEVICE_TEXTS.en }, pt: { ...pt, ...DEVICE_TEXTS.pt } };
/** docs/jk-modbus.md, "System log". */
const CODES = [...Array(73).keys()].map((code) => code + 1);
const CELLS = [...Array(32).keys()].flatMap((cell) => [100 + cell, 200 + cell]);

const textOf = (code: number, language: "en" | "pt"): string =>
  logText({ uptime: 0, code, event: logEvent(code) }, TEXTS[language]);

it.each(["en", "pt"] as const)("every code that the firmware names has words of its own: %s", (language) => {
  const texts = [...CODES, ...CELLS].map((code) => textOf(code, language));
  for (const [at, text] of texts.entries()) {
    const event = logEvent([...CODES, ...CELLS][at]!);
    expect(event).not.toBe("");
    expect(text).not.toContain("_");
    expect(text.toLowerCase()).not.toBe(event);
  }
  expect(new Set(texts).size).toBe(texts.length);
});

it.each([
  [1, "Started", "Ligado"],
  [3, "Charging: Off (app)", "Carregamento: Desligado (aplicativo)"],
  [53, "Charging: On (RS485)", "Carregamento: Ligado (RS485)"],
  [63, "Heating (button)", "Aquecimento (botão)"],
  [44, "BMS: Off (app)", "BMS: Desligado (aplicativo)"],
  [72, "Too cold to discharge", "Fria demais para descarregar"],
  [106, "Cell 7 over-charged", "Célula 7 carregada demais"],
  [231, "Cell 32 over-discharged", "Célula 32 descarregada demais"],
  [0, "Code 0", "Código 0"],
  [99, "Code 99", "Código 99"],
])("code %i is %s, %s", (code, english, portuguese) => {
  expect([textOf(code, "en"), textOf(code, "pt")]).toEqual([english, portuguese]);
});
