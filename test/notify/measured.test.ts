/** A message of a condition says what is judged, its limit, and in a reminder since when. */
import { expect, it } from "vitest";
import { ALARMS_TABLE } from "../../src/catalogue/alarms";
import { ofRow } from "../../src/conditions/set";
import { bit, CONCERNS, decimalsOf, type Concern } from "../../src/conditions/table";
import { PAUSES } from "../../src/notify/limits";
import { en } from "../../web/texts/en";
import { pt } from "../../web/texts/pt";
import type { TestMonitor } from "../support/bms/bms-link";
import { everywhere, PLACES } from "../support/places";
import { table } from "../support/table";
import { Bench } from "./bench";

const TEXTS = { en, pt } as const;
const HOUR = 3_600;
/** In the middle of a minute. */
const NOON = Date.UTC(2026, 10, 30, 12, 0, 30) / 1_000;
const NAMES = { 1: "Top", 2: "Middle", 7: "Bottom" };

/** A bank whose packs carry nothing or are off by this, in units of the row; `limit`: undefined: there is none. */
function begun(count: number, language: "en" | "pt", limit?: number): { bench: Bench; packs: TestMonitor[] } {
  const bench = new Bench({ language });
  bench.time = NOON;
  const packs = count > 1 ? bench.monitor.makeBank(NAMES) : [bench.monitor.pack as TestMonitor];
  for (const pack of packs) {
    bench.healthy(pack);
    pack.measurementOf = (row) =>
      ["carries-nothing", "off-voltage"].some((code) => row === bit(code as Concern)) ? [3_210, limit] : undefined;
  }
  return { bench: bench.start(), packs };
}
const rows = (["carries-nothing", "off-voltage"] as const).flatMap((code) =>
  (["en", "pt"] as const).map((language) => [code, language] as const),
);

table(everywhere(rows))(
  "value and limit of the pack that it is about, and since when",
  (count, at, [code, language]) => {
    const { bench, packs } = begun(count, language, 500);
    const { concerns, messages } = TEXTS[language];
    const unit = code === "off-voltage" ? "V" : "A";
    const name = count > 1 ? `${Object.values(NAMES)[at]}: ` : "";
    const measured = language === "en" ? `3.21 ${unit}, limit 0.5 ${unit}.` : `3,21 ${unit}, limite 0,5 ${unit}.`;
    const raised = `${name}${messages["condition-raised"](concerns[code])} ${measured}`;
    bench.pass(5);
    bench.present[packs[at]!.index] = ofRow(CONCERNS.indexOf(code));
    bench.pass(HOUR / 60);
    expect(bench.texts()).toEqual([raised]);
    expect(decimalsOf(CONCERNS.indexOf(code))).toBe(3);
    // The bench's clock moves with each pass.
    for (let second = 0; second < PAUSES[1]!; second++) bench.pass(1);
    // The bench's watcher has had it since the start.
    const started = new Date((bench.time! - bench.uptime) * 1_000).toISOString().slice(0, 16).replace("T", " ");
    const since = language === "en" ? `It lasts, since ${started} UTC.` : `Continua, desde ${started} UTC.`;
    expect(bench.texts()).toEqual([`${raised} ${since}`]);
  },
);

const NAMED = ALARMS_TABLE.flatMap(({ name, fault }) => (fault ? [name] : []));
table(everywhere(NAMED))("a reminder of an alarm says since when", (count, at, alarm) => {
  const { bench, packs } = begun(count, "en");
  const name = count > 1 ? `${Object.values(NAMES)[at]}: ` : "";
  const raised = name + en.messages["alarm-raised"](en.alarms[alarm as keyof typeof en.alarms].title);
  bench.pass(5);
  bench.alarm(alarm, true, packs[at]);
  bench.pass(HOUR / 60);
  expect(bench.texts()).toEqual([raised]);
  bench.pass(PAUSES[1]!);
  expect(bench.texts()).toEqual([expect.stringMatching(/ It lasts, since 2026-11-30 \d\d:\d\d UTC\.$/)]);
});

table(PLACES)("without a limit, and where the time is not known, nothing is invented", (count, at) => {
  const { bench, packs } = begun(count, "en");
  bench.time = undefined;
  const name = count > 1 ? `${Object.values(NAMES)[at]}: ` : "";
  const raised = name + en.messages["condition-raised"](en.concerns["off-voltage"]);
  bench.pass(5);
  bench.present[packs[at]!.index] = bit("off-voltage");
  bench.pass(HOUR / 60);
  expect(bench.texts()).toEqual([raised]);
  bench.pass(PAUSES[1]!);
  expect(bench.texts()).toEqual([`${raised} It lasts.`]);
});

it("of several packs at once there is no single value", () => {
  const { bench, packs } = begun(3, "en", 500);
  bench.pass(5);
  for (const { index } of packs) bench.present[index] = bit("off-voltage");
  bench.pass(HOUR / 60);
  expect(bench.texts()).toEqual([
    `Top, Middle, Bottom: ${en.messages["condition-raised"](en.concerns["off-voltage"])}`,
  ]);
});
