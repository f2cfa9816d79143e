/** All cells of a pack in one chart, by their distance from the mean, of which one is named. */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { Chart } from "../chart";
import { useTexts } from "../hooks";
import type { Week } from "../past/records";
import { PAST_TEXTS } from "../texts/later/past";
import { Card } from "../ui";

type Shared = Pick<Parameters<typeof Chart>[0], "from" | "to" | "cursor" | "onCursor" | "onZoom" | "when">;

interface AllCellsProps extends Shared {
  /** Of the pack. */
  readonly weeks: readonly Week[];
  /** s. */
  readonly step: number;
  /** Above the chart. */
  readonly head: ComponentChildren;
}

export function AllCells({ weeks, step, head, ...common }: AllCellsProps): JSX.Element | null {
  const words = PAST_TEXTS[useTexts().language];
  const [chosen, onChoose] = useState(0);
  const count = Math.max(0, ...weeks.map(({ rest }) => rest.length));
  if (!count) return null;
  const series = Array.from({ length: count }, (_, cell) => ({
    name: words.cell(String(cell + 1)),
    samples: weeks.map(({ time, rest }) => ({ time, step, value: rest[cell] })),
  }));
  return (
    <Card title={`${words.distances} (mV)`}>
      {head}
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
