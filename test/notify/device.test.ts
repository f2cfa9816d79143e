/** Messages about the device itself: each condition that is told, alone and beside several packs. */
import { expect } from "vitest";
import { hasAny, NONE } from "../../src/conditions/set";
import {
  DEVICE,
  DEVICE_CONDITIONS,
  DEVICE_MESSAGES,
  deviceBit,
  severityOf,
  type DeviceCondition,
} from "../../src/conditions/table";
import { PAUSES } from "../../src/notify/limits";
import { en } from "../../web/texts/en";
import { pt } from "../../web/texts/pt";
import { table } from "../support/table";
import { Bench } from "./bench";

const HOUR = 3_600;
const TEXTS = { en, pt } as const;
const isTold = (code: DeviceCondition): boolean => hasAny(DEVICE_MESSAGES, deviceBit(code));
const TOLD = DEVICE_CONDITIONS.filter(isTold);

const begun = (settings = {}, packs = 1): Bench => {
  const bench = new Bench(settings);
  if (packs > 1) bench.monitor.makeBank({ 1: "Top", 2: "Middle", 7: "Bottom" }).forEach((pack) => bench.healthy(pack));
  return bench.start();
};
const CASES = TOLD.flatMap((code) =>
  [1, 3].flatMap((packs) => (["en", "pt"] as const).map((language) => [code, packs, language] as const)),
);

table(CASES)("begins at once, is told again while it lasts, and ends", (code, packs, language) => {
  const bench = begun({ language }, packs);
  const { concerns, messages } = TEXTS[language];
  const raised = messages["condition-raised"](concerns[code]);
  bench.pass(5);
  bench.present[DEVICE] = deviceBit(code);
  bench.pass(3);
  expect(bench.got[0]).toMatchObject({
    urgent: severityOf(code) === "fault",
    body: { event: "condition", condition: code, alarm: null, state: "raised", packs: [] },
  });
  expect(bench.texts()).toEqual([raised]);
  bench.pass(PAUSES[1]!);
  expect(bench.texts()).toEqual([expect.stringContaining(raised)]);
  bench.present[DEVICE] = NONE;
  bench.pass(HOUR);
  expect(bench.texts()).toEqual([messages["condition-cleared"](concerns[code])]);
});

table(DEVICE_CONDITIONS.filter((code) => !isTold(code)))("a notice is no message", (code) => {
  const bench = begun();
  bench.present[DEVICE] = deviceBit(code);
  bench.pass(HOUR);
  expect(bench.texts()).toEqual([]);
});

table(TOLD)("with the device's messages off there is none", (code) => {
  const bench = begun({ device: false });
  bench.present[DEVICE] = deviceBit(code);
  bench.pass(HOUR);
  expect(bench.texts()).toEqual([]);
});

table(TOLD)("over a restart it is told as one that lasts, or is over", (code) => {
  const bench = begun();
  bench.present[DEVICE] = deviceBit(code);
  bench.pass(3);
  bench.texts();
  bench.restart();
  bench.pass(PAUSES[1]! - 5);
  expect(bench.texts()).toEqual([]);
  bench.present[DEVICE] = NONE;
  bench.pass(HOUR);
  expect(bench.texts().at(-1)).toBe(en.messages["condition-cleared"](en.concerns[code]));
});
