/** All cells of a pack in one chart, by their distance from the mean, of which one is named. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Chart } from "../chart";
import { useTexts } from "../hooks";
import { stepOf } from "../past/cells";
import type { Week } from "../past/records";
import { PAST_TEXTS } from "../texts/later/past";
import { Card } from "../ui";

type Shared = Pick<Parameters<typeof Chart>[0], "from" | "to" | "cursor" | "onCursor" | "onZoom" | "when">;

export function AllCells({ weeks, ...common }: Shared & { readonly weeks: readonly Week[] }): JSX.Element | null {
  const words = PAST_TEXTS[useTexts().language];
  const [chosen, onChoose] = useState(0);
  const count = Math.max(0, ...weeks.map(({ rest }) => rest.length));
  if (!count) return null;
  const step = stepOf(weeks);
  const series = Array.from({ length: count }, (_, cell) => ({
    name: words.cell(String(cell + 1)),
    samples: weeks.map(({ time, rest }) => ({ time, step, value: rest[cell] })),
  }));
  return (
    <Card title={`${words.distances} (mV)`}>
      <div class="ranges" role="group" aria-label={words.distances}>
        {series.map(({ name }, cell) => (
          <button
            key={cell}
            type="button"
            aria-label={name}
            aria-pressed={cell === chosen}
            onClick={() => onChoose(cell)}
          >
            {cell + 1}
          </button>
        ))}
      </div>
      <Chart
        {...{ ...common, series, onChoose }}
        title={words.distances}
        chosen={Math.min(chosen, count - 1)}
        unit="mV"
        decimals={0}
        least={20}
      />
    </Card>
  );
}
