/** The battery's past: a day, one or two weeks, a year. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Chart, type Pin, type Series } from "../chart";
import type { Sample } from "../chart-scale";
import { clockTime, csvOf, type CsvValue } from "../csv";
import { saveFile } from "../files";
import { localeOf } from "../format";
import { useTexts } from "../hooks";
import { reasonOf } from "../messages";
import { PastLoader, type Energy } from "../past/load";
import { eventText } from "../past/night";
import { DAY, type Day, type Fine, type PastEvent } from "../past/records";
import { PAST_TEXTS } from "../texts/later/past";
import { Button, Card, Fold, Pending } from "../ui";

/** ms. */
const REFRESH = 60_000;
/** Records that a range needs: days, and ten minutes of the first three. Energy by the day from the second on, a year by the month. */
const RANGES = [1, 7, 15, 365] as const;
const YEAR = 3;
/** s. */
const SHORTEST_YEAR = 30 * DAY;
const A_DAY = 144;
/** Of the last day, and all that the ring can have: 5 sectors of 51. */
const FEW_EVENTS = 51;
const ALL_EVENTS = 255;

const CLOCK: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit" };
/** How times are told, by range. */
const TOLD: readonly Intl.DateTimeFormatOptions[] = [
  { weekday: "short", ...CLOCK },
  { weekday: "short", day: "numeric", ...CLOCK },
  { day: "numeric", month: "short", ...CLOCK },
  { dateStyle: "medium" },
];
const DATE: Intl.DateTimeFormatOptions = { weekday: "short", day: "numeric", month: "short" };
const MONTH: Intl.DateTimeFormatOptions = { month: "long", year: "numeric" };

interface Past {
  readonly range: number;
  readonly to: number;
  readonly fine: readonly Fine[];
  readonly days: readonly Day[];
  readonly events: readonly PastEvent[] | undefined;
  readonly isMemory: boolean;
}

async function load(loader: PastLoader, range: number): Promise<Past> {
  const days = RANGES[range] as number;
  const events = await loader.events(range ? ALL_EVENTS : FEW_EVENTS);
  const { rows, isMemory } = range < YEAR ? await loader.recent((days + 1) * A_DAY) : { rows: [], isMemory: false };
  const complete = range ? await loader.days(days + 1) : [];
  const today = range ? (await loader.energy())?.today : undefined;
  return {
    ...{ range, fine: rows, events },
    days: [...(complete ?? []), ...(today ? [todayOf(today)] : [])],
    to: Math.ceil(Date.now() / 1_000),
    isMemory: isMemory || !complete,
  };
}

const kilo = (value: number | null): number | undefined => (value === null ? undefined : value / 1_000);
const NOTHING = {
  ...{ least: undefined, most: undefined, lowest: undefined, highest: undefined, rest: undefined, load: undefined },
};

/** The day that is not over has only its energy. */
function todayOf({ charged, discharged }: Energy): Day {
  const time = new Date().setHours(0, 0, 0, 0) / 1_000;
  return { time, step: DAY, charged: kilo(charged), discharged: kilo(discharged), ...NOTHING };
}

/** Sums by the month; a month in which nothing is known has none. */
function monthsOf(days: readonly Day[]): Day[] {
  const months = new Map<number, Day>();
  for (const { time, charged, discharged } of days) {
    // At noon: the owner's midnight may be in the browser's day before.
    const date = new Date((time + DAY / 2) * 1_000);
    const from = new Date(date.getFullYear(), date.getMonth()).getTime() / 1_000;
    const to = new Date(date.getFullYear(), date.getMonth() + 1).getTime() / 1_000;
    const month = months.get(from);
    const sum = (one: number | undefined, more: number | undefined): number | undefined =>
      one === undefined ? more : one + (more ?? 0);
    months.set(from, {
      ...{ time: from, step: to - from, ...NOTHING },
      ...{ charged: sum(month?.charged, charged), discharged: sum(month?.discharged, discharged) },
    });
  }
  return [...months.values()];
}

/** The history in flash, and the last hours from memory. */
export function History(): JSX.Element {
  const { t, language } = useTexts();
  const words = PAST_TEXTS[language];
  const [loader] = useState(() => new PastLoader());
  const [range, setRange] = useState(0);
  const [past, setPast] = useState<Past>();
  // The selected time is shared by all charts.
  const [cursor, setCursor] = useState<number>();
  const [error, setError] = useState("");
  const [again, setAgain] = useState(0);
  useEffect(() => {
    let isShown = true;
    const show = async (): Promise<void> => {
      try {
        const next = await load(loader, range);
        if (!isShown) return;
        setPast(next);
        setError("");
      } catch (problem) {
        if (isShown) setError(reasonOf(problem, t));
      }
    };
    void show();
    const refresh = (): void => void (document.visibilityState === "visible" && show());
    const timer = setInterval(refresh, REFRESH);
    document.addEventListener("visibilitychange", refresh);
    return () => {
      isShown = false;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, [range, again]);
  const retry = (): void => {
    loader.forget();
    setAgain(again + 1);
  };
  const choice = (
    <div class="ranges" role="group" aria-label={words.rangesLabel}>
      {words.ranges.map((name, index) => (
        <button
          key={name}
          type="button"
          aria-pressed={index === range}
          onClick={() => {
            setRange(index);
            setCursor(undefined);
          }}
        >
          {name}
        </button>
      ))}
    </div>
  );
  if (past?.range !== range)
    return (
      <>
        {choice}
        <Pending error={error} retry={retry} />
      </>
    );
  const { to } = past;
  const earliest = to - (RANGES[range] as number) * DAY;
  // The year of a young device is as long as what it has.
  const from = range < YEAR ? earliest : Math.max(earliest, Math.min(past.days[0]?.time ?? to, to - SHORTEST_YEAR));
  const fine = past.fine.filter(({ time, step }) => time + step > from);
  const days = past.days.filter(({ time }) => time + DAY > from);
  const events = (past.events ?? []).filter(({ time }) => time >= from && time <= to);
  const isYear = range === YEAR;
  const pins: Pin[] = events.map((event) => ({
    time: event.time,
    isAlarm: event.code === "alarm-raised" || event.code === "crashed",
    text: eventText(event, t, words),
  }));
  const common = { from, to, cursor, onCursor: setCursor, when: TOLD[range] as Intl.DateTimeFormatOptions };
  const ofFine = (name: string, key: "soc" | "power" | "lowest" | "spread"): Series => ({
    name,
    samples: fine.map(({ time, step, [key]: value }): Sample => ({ time, step, value })),
  });
  // In the middle of its day.
  const ofDays = (name: string, key: "least" | "most" | "lowest" | "highest" | "rest" | "load"): Series => ({
    name,
    samples: days.map(({ time, step, [key]: value }): Sample => ({ time: time + DAY / 2, step, value })),
  });
  const bars = isYear ? monthsOf(days) : days;
  const energyTitle = isYear ? words.energyMonth : words.energyDay;
  const download = (): void => {
    const stamp = (seconds: number): string => clockTime(seconds, isYear);
    const heads = isYear
      ? ["%", "%", "kWh", "kWh", "V", "V", "mV", "mV"].map((unit, index) => `${yearHeads[index] as string} (${unit})`)
      : [`${words.soc} (%)`, `${words.power} (W)`, `${words.lowest} (V)`, `${words.spread} (mV)`];
    const rows: CsvValue[][] = isYear
      ? days.map((day) => [
          stamp(day.time + DAY / 2),
          ...([day.least, day.most] as const).map((value) => [value, 0] as const),
          ...([day.charged, day.discharged, day.lowest, day.highest] as const).map((value) => [value, 3] as const),
          ...([day.rest, day.load] as const).map((value) => [value, 0] as const),
        ])
      : fine.map((row) => [stamp(row.time), [row.soc, 0], [row.power, 0], [row.lowest, 3], [row.spread, 0]]);
    saveFile(words.fileName, "text/csv", csvOf([words.time, ...heads], rows, t.decimal));
  };
  const yearHeads = [
    ...[words.least, words.most, words.charged, words.discharged, words.lowest, words.highest],
    ...[words.spreadRest, words.spreadLoad],
  ];
  return (
    <>
      {choice}
      <div class="actions">
        <Button onClick={retry}>{t.common.refresh}</Button>
        <Button onClick={download}>{words.download}</Button>
      </div>
      {error && <p class="failed">{error}</p>}
      {past.isMemory && <p class="hint">{words.memoryOnly}</p>}
      {fine.length || days.length ? (
        <div class="cards charts">
          <Card title={`${words.soc} (%)`}>
            <Chart
              {...{ ...common, pins }}
              title={words.soc}
              series={isYear ? [ofDays(words.most, "most"), ofDays(words.least, "least")] : [ofFine(words.soc, "soc")]}
              unit="%"
              decimals={0}
              least={100}
              ends={[0, 100]}
            />
          </Card>
          {!isYear && (
            <Card title={`${words.power} (W)`}>
              <Chart
                {...common}
                title={words.power}
                series={[ofFine(words.power, "power")]}
                form="area"
                unit="W"
                decimals={0}
                least={20}
                hint={words.powerHint}
              />
            </Card>
          )}
          {range > 0 && (
            <Card title={`${energyTitle} (kWh)`}>
              <Chart
                {...common}
                title={energyTitle}
                series={[
                  {
                    name: words.charged,
                    samples: bars.map(({ time, step, charged }) => ({ time, step, value: charged })),
                  },
                  {
                    name: words.discharged,
                    samples: bars.map(({ time, step, discharged }) => ({ time, step, value: discharged })),
                  },
                ]}
                form="bars"
                unit="kWh"
                decimals={1}
                least={0.2}
                when={isYear ? MONTH : DATE}
              />
            </Card>
          )}
          <Card title={`${words.spread} (mV)`}>
            <Chart
              {...common}
              title={words.spread}
              series={
                isYear
                  ? [ofDays(words.spreadLoad, "load"), ofDays(words.spreadRest, "rest")]
                  : [ofFine(words.spread, "spread")]
              }
              unit="mV"
              decimals={0}
              least={20}
            />
          </Card>
          <Card title={`${isYear ? words.cells : words.lowest} (V)`}>
            <Chart
              {...common}
              title={isYear ? words.cells : words.lowest}
              series={
                isYear
                  ? [ofDays(words.highest, "highest"), ofDays(words.lowest, "lowest")]
                  : [ofFine(words.lowest, "lowest")]
              }
              unit="V"
              decimals={3}
              least={0.02}
            />
          </Card>
          <Fold title={words.events}>
            {past.events ? (
              events.length ? (
                <ul class="log">
                  {events.toReversed().map((event, index) => (
                    <li key={index}>
                      <small>
                        {new Intl.DateTimeFormat(localeOf(language), {
                          dateStyle: "medium",
                          timeStyle: "short",
                        }).format(event.time * 1_000)}
                      </small>{" "}
                      {eventText(event, t, words)}
                    </li>
                  ))}
                </ul>
              ) : (
                <p>{words.noEvents}</p>
              )
            ) : (
              <p>{words.eventsUnknown}</p>
            )}
          </Fold>
        </div>
      ) : (
        <p>{words.empty}</p>
      )}
    </>
  );
}
