/** One cell over weeks: its distance from the mean of its pack, and the resistance of its wire. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Chart, type Series } from "../chart";
import { useLoad, useTexts } from "../hooks";
import { driftLines, stepOf, weeksOf } from "../past/cells";
import { PastLoader } from "../past/load";
import type { Week } from "../past/records";
import { PAST_TEXTS } from "../texts/later/past";
import { Pending } from "../ui";

/** Two sectors of 63 records at least: a year of a pack of 16 cells, half of one of more. */
const RECORDS = 126;

/** `pack`: its address; undefined: there is one alone. */
export function CellPast({ cell, pack }: { cell: number; pack: number | undefined }): JSX.Element {
  const { t, language } = useTexts();
  const words = PAST_TEXTS[language];
  const [cursor, setCursor] = useState<number>();
  const { value, error, reload } = useLoad(async () => ({
    all: (await new PastLoader(true).cells(RECORDS)) ?? [],
    now: Math.ceil(Date.now() / 1_000),
  }));
  if (!value) return <Pending error={error} retry={() => void reload()} />;
  const weeks = weeksOf(value.all, pack);
  const step = stepOf(value.all);
  const series = (name: string, key: "rest" | "full" | "wire"): Series => ({
    name,
    samples: weeks.map((week: Week) => ({ time: week.time, step, value: week[key][cell - 1] })),
  });
  const apart = [series(words.apartRest, "rest"), series(words.apartFull, "full")];
  const wire = series(t.battery.wire, "wire");
  if (![...apart, wire].some(({ samples }) => samples.some(({ value }) => value !== undefined)))
    return <p class="hint">{words.noWeeks}</p>;
  const common = {
    ...{ from: (weeks[0] as Week).time, to: value.now, cursor, onCursor: setCursor },
    when: { dateStyle: "medium" } as const,
    decimals: 0,
  };
  return (
    <>
      <h3>{words.distance(String(cell))} (mV)</h3>
      <Chart {...common} title={words.distance(String(cell))} series={apart} unit="mV" least={20} />
      {driftLines(weeks, words, language, cell).map((line) => (
        <p key={line}>{line}</p>
      ))}
      <h3>{words.wire(String(cell))} (mΩ)</h3>
      <Chart {...common} title={words.wire(String(cell))} series={[wire]} unit="mΩ" least={20} />
    </>
  );
}
