/** The capacity that was measured at each discharge from full, beside what the BMS had learned. */
import type { JSX } from "preact";
import { localeOf, quantity } from "../format";
import { useLoad, useTexts } from "../hooks";
import { learnedAt, EMPTY, measuredCapacities } from "../past/capacity";
import { weeksOf } from "../past/cells";
import { PastLoader } from "../past/load";
import { PAST_TEXTS } from "../texts/later/past";
import { Facts, Pending } from "../ui";

/** All that their rings can have. */
const HOURS = 2_040;
const CELLS = 378;
/** The newest of them. */
const MOST = 12;

/** `pack`: its address; undefined: there is one alone. `nominal`: as set in the BMS, Ah. */
export function Capacity({ pack, nominal }: { pack: number | undefined; nominal: number | null }): JSX.Element {
  const { language } = useTexts();
  const words = PAST_TEXTS[language];
  const { value, error, reload } = useLoad(async () => {
    const loader = new PastLoader(true);
    return { hours: (await loader.hours(HOURS)) ?? [], weeks: (await loader.cells(CELLS)) ?? [] };
  });
  if (!value) return <Pending error={error} retry={() => void reload()} />;
  const weeks = weeksOf(value.weeks, pack);
  const found = measuredCapacities(weeksOf(value.hours, pack)).slice(-MOST).reverse();
  const date = new Intl.DateTimeFormat(localeOf(language), { dateStyle: "medium" });
  const amount = (ampereHours: number | undefined | null): string => quantity(language, ampereHours, "Ah");
  return (
    <>
      <p class="hint">{found.length ? words.capacityHint(String(EMPTY)) : words.noCapacity(String(EMPTY))}</p>
      <Facts
        rows={[
          [words.nominal, amount(nominal)],
          ...found.map(
            ({ time, capacity }) =>
              [date.format(time * 1_000), words.measured(amount(capacity), amount(learnedAt(weeks, time)))] as const,
          ),
        ]}
      />
    </>
  );
}
