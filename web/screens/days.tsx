/** Days by the calendar, with the sums of their month and year. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { localeOf, quantity } from "../format";
import { useTexts } from "../hooks";
import { dateOf, extremesOf, laterBy, sumOf, type Sum } from "../past/days";
import { midnightBefore } from "../past/load";
import type { Day } from "../past/records";
import { PAST_TEXTS } from "../texts/later/past";
import { Button, Card, Facts } from "../ui";

/** `days`: the last one is today, which has its energy only. */
export function Days({ days }: { readonly days: readonly Day[] }): JSX.Element | null {
  const { t, language } = useTexts();
  const words = PAST_TEXTS[language];
  const today = dateOf({ time: midnightBefore() });
  const [chosen, setChosen] = useState<string>();
  const [first] = days;
  if (!first) return null;
  const least = dateOf(first);
  const date = chosen ?? today;
  const day = days.findLast((one) => dateOf(one) === date);
  const amount = ({ charged, discharged }: Sum): string =>
    [words.in(quantity(language, charged, "kWh", 1)), words.out(quantity(language, discharged, "kWh", 1))].join(", ");
  const range = (low: number | undefined, high: number | undefined, unit: string, decimals: number): string =>
    t.common.range(quantity(language, low, unit, decimals), quantity(language, high, unit, decimals));
  const told = (of: string, options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat(localeOf(language), { ...options, timeZone: "UTC" }).format(Date.parse(of));
  const month = date.slice(0, 7);
  const year = date.slice(0, 4);
  const over = days.filter((one) => dateOf(one) !== today && dateOf(one).startsWith(year));
  const extremes = extremesOf(over);
  /** Of a month or year that began before the first day, with that. */
  const since = (start: string): string =>
    least > start ? words.days.since(told(least, { dateStyle: "medium" })) : "";
  const jump = (to: Day): JSX.Element => (
    <>
      <a
        href={location.hash}
        onClick={(event) => {
          event.preventDefault();
          setChosen(dateOf(to));
        }}
      >
        {told(dateOf(to), { day: "numeric", month: "short" })}
      </a>{" "}
      {amount(to)}
    </>
  );
  return (
    <Card title={words.days.title}>
      <div class="actions">
        <Button label={words.days.before} disabled={date <= least} onClick={() => setChosen(laterBy(-1, date))}>
          ‹
        </Button>
        <input
          type="date"
          aria-label={words.days.date}
          min={least}
          max={today}
          value={date}
          onChange={({ currentTarget: { value } }) => value && value >= least && value <= today && setChosen(value)}
        />
        <Button label={words.days.after} disabled={date >= today} onClick={() => setChosen(laterBy(1, date))}>
          ›
        </Button>
      </div>
      <div role="status">
        <Facts
          rows={[
            [told(date, { weekday: "long" }), day ? amount(day) : words.days.none],
            day?.least !== undefined && [t.battery.soc, range(day.least, day.most, "%", 0)],
            day?.lowest !== undefined && [words.cells, range(day.lowest, day.highest, "V", 3)],
          ]}
        />
      </div>
      <Facts
        rows={[
          [told(date, { month: "long", year: "numeric" }) + since(`${month}-01`), amount(sumOf(days, month))],
          [year + since(`${year}-01-01`), amount(sumOf(days, year))],
          extremes && [words.days.best, jump(extremes.best)],
          extremes && [words.days.worst, jump(extremes.worst)],
        ]}
      />
    </Card>
  );
}
