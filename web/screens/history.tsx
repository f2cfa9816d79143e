/** The battery's past: a day, one or two weeks, two months by the hour, a year. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Chart, type Pin, type Series } from "../chart";
import { extremesByDay, type Sample } from "../chart-scale";
import { clockTime, csvOf, type CsvValue } from "../csv";
import { saveFile } from "../files";
import { localeOf, quantity } from "../format";
import { useTexts } from "../hooks";
import { live } from "../live";
import { reasonOf } from "../messages";
import { driftLines, spreadOf, stepOf, WEEK } from "../past/cells";
import { dateOf, roundTripOf, sumOf, type RoundTrip } from "../past/days";
import { ALL_HOURS, midnightBefore, PastLoader, type Energy } from "../past/load";
import { eventText } from "../past/night";
import { comparedOf } from "../past/packs";
import { DAY, type Day, type Fine, type Hour, type PastEvent, type Week } from "../past/records";
import { PAST_TEXTS } from "../texts/later/past";
import { Button, Card, Fold, Pending } from "../ui";
import { AllCells } from "./all-cells";
import { Days } from "./days";

/** ms. */
const REFRESH = 60_000;
/** Records that a range needs: days, and ten minutes of the first three, then hours. Energy by the day from the second on, a year by the month. */
const RANGES = [1, 7, 10, 30, 365] as const;
const HOURS = 3;
const YEAR = 4;
/** From so long on, the hours are shown as a band of each day's least and greatest, s. */
const BAND = 15 * DAY;
/** s. */
const SHORTEST_YEAR = 30 * DAY;
const A_DAY = 144;
/** Of the last day, and all that the ring can have: 4 sectors of 51. */
const FEW_EVENTS = 51;
const ALL_EVENTS = 204;
/** All that their rings can have: 4 sectors of 63; on the largest boards 80 of 127. */
const ALL_CELLS = 252;
const ALL_DAYS = 10_160;
/** s. */
const SHORTEST_ZOOM = 7_200;

const CLOCK: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit" };
/** How times are told, by range. */
const TOLD: readonly Intl.DateTimeFormatOptions[] = [
  { weekday: "short", ...CLOCK },
  { weekday: "short", day: "numeric", ...CLOCK },
  { day: "numeric", month: "short", ...CLOCK },
  { day: "numeric", month: "short", ...CLOCK },
  { dateStyle: "medium" },
];
const DATE: Intl.DateTimeFormatOptions = { weekday: "short", day: "numeric", month: "short" };
/** Of "2026-11". */
const MONTH_LENGTH = 7;
const MONTH: Intl.DateTimeFormatOptions = { month: "long", year: "numeric" };

/** Of an hour, ten minutes or a day. */
type Values = Partial<Hour & Day>;
type ValueName = Exclude<keyof Values, "alarm" | "missing">;
type Column = readonly [name: string, unit: string, key: ValueName, decimals: number];

interface Past {
  readonly range: number;
  readonly to: number;
  readonly fine: readonly Fine[];
  readonly days: readonly Day[];
  readonly hours: readonly Hour[];
  readonly weeks: readonly Week[];
  readonly events: readonly PastEvent[] | undefined;
  readonly isMemory: boolean;
  readonly round: RoundTrip | undefined;
}

async function load(loader: PastLoader, range: number): Promise<Past> {
  const days = RANGES[range] as number;
  const events = await loader.events(range ? ALL_EVENTS : FEW_EVENTS);
  const { rows, isMemory } = range < HOURS ? await loader.recent((days + 1) * A_DAY) : { rows: [], isMemory: false };
  const hours = range === HOURS ? await loader.hours(ALL_HOURS) : [];
  const weeks = range === YEAR ? await loader.cells(ALL_CELLS) : [];
  const complete = range ? await loader.days(range === YEAR ? ALL_DAYS : days + 1) : [];
  const today = range ? (await loader.energy())?.today : undefined;
  return {
    ...{ range, fine: rows, events, hours: hours ?? [], weeks: weeks ?? [] },
    days: [...(complete ?? []), ...(today ? [todayOf(today)] : [])],
    to: Math.ceil(Date.now() / 1_000),
    isMemory: isMemory || !complete || !hours,
    round: range && range < HOURS ? roundTripOf(rows) : undefined,
  };
}

const NOTHING = {
  ...{ least: undefined, most: undefined, lowest: undefined, highest: undefined, rest: undefined, load: undefined },
};

/** The day that is not over has only its energy. */
function todayOf({ charged, discharged }: Energy): Day {
  const known = { charged: charged ?? undefined, discharged: discharged ?? undefined };
  return { time: midnightBefore(), step: DAY, ...known, ...NOTHING };
}

/** Sums by the month; a month in which nothing is known has none. */
function monthsOf(days: readonly Day[]): Day[] {
  const months = new Set(days.map((day) => dateOf(day).slice(0, MONTH_LENGTH)));
  return [...months].map((month) => {
    const begin = (more: number): number =>
      new Date(Number(month.slice(0, 4)), Number(month.slice(5)) - 1 + more).getTime();
    const time = begin(0) / 1_000;
    return { time, step: begin(1) / 1_000 - time, ...NOTHING, ...sumOf(days, month) };
  });
}

interface GraphProps {
  /** Above the chart. */
  readonly head?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A chart in a card, under its title. */
function Graph({ head, children, ...chart }: Parameters<typeof Chart>[0] & GraphProps): JSX.Element {
  return (
    <Card title={`${chart.title} (${chart.unit})`}>
      {head}
      <Chart {...chart} />
      {children}
    </Card>
  );
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
  const [zoom, setZoom] = useState<readonly [from: number, to: number]>();
  // Address; of the first as long as none is chosen.
  const [chosen, setChosen] = useState<number>();
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
            setZoom(undefined);
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
  const earliest = past.to - (RANGES[range] as number) * DAY;
  // The year of a young device is as long as what it has.
  const begin =
    range < YEAR ? earliest : Math.max(earliest, Math.min(past.days[0]?.time ?? past.to, past.to - SHORTEST_YEAR));
  const [from, to] = zoom ?? [begin, past.to];
  /** Around the cursor, or the end. */
  const zoomBy = (factor: number): void => {
    const span = Math.max(SHORTEST_ZOOM, (to - from) * factor);
    const middle = cursor ?? to;
    const start = Math.max(begin, Math.min(middle - span / 2, past.to - span));
    setZoom(span < past.to - begin ? [start, start + span] : undefined);
  };
  const isWithin = ({ time, step }: { readonly time: number; readonly step: number }): boolean =>
    time + step > from && time < to;
  const ofPacks = [...past.hours, ...past.weeks];
  const packs = [...new Set(ofPacks.map(({ pack }) => pack))].sort((one, other) => one - other);
  const pack = chosen !== undefined && packs.includes(chosen) ? chosen : packs[0];
  const isHours = range === HOURS;
  const hours = past.hours.filter((row) => row.pack === pack);
  const weeks = past.weeks.filter((row) => row.pack === pack);
  const fine: readonly Values[] = (isHours ? hours : past.fine).filter(isWithin);
  const days = past.days.filter(isWithin);
  const events = (past.events ?? []).filter(({ time }) => time >= from && time <= to);
  const isYear = range === YEAR;
  const pins: Pin[] = events.map((event) => ({
    time: event.time,
    isAlarm: event.code === "alarm-raised" || event.code === "crashed",
    text: eventText(event, t, words),
  }));
  const common = {
    ...{ from, to, cursor, onCursor: setCursor, onZoom: zoomBy },
    when: TOLD[range] as Intl.DateTimeFormatOptions,
  };
  /** `later`: so many seconds after it began. */
  const seriesOf =
    (rows: readonly Values[], later = 0) =>
    (name: string, key: ValueName): Series => ({
      name,
      samples: rows.map(({ time = 0, step = 0, [key]: value }): Sample => ({ time: time + later, step, value })),
    });
  const ofFine = seriesOf(fine);
  // In the middle of its day.
  const ofDays = seriesOf(days, DAY / 2);
  const bars = isYear ? monthsOf(past.days.filter(({ time }) => time + DAY > begin)).filter(isWithin) : days;
  const ofBars = seriesOf(bars);
  const isBand = isHours && to - from >= BAND;
  /** As a line, or the two edges of a band. */
  const ofRange = (one: Series): readonly Series[] => {
    if (!isBand) return [one];
    const [most, least] = extremesByDay(one.samples);
    return [
      { name: words.most, samples: most },
      { name: words.least, samples: least },
    ];
  };
  const form = isBand ? "band" : undefined;
  const weekStep = stepOf(past.weeks);
  const compared = isHours ? comparedOf(past.hours.filter(isWithin), packs) : [];
  const ofWeeks = (name: string, key: "rest" | "full"): Series => ({
    name,
    samples: weeks.filter(isWithin).map(({ time, [key]: each }): Sample => {
      const found = spreadOf(each);
      return {
        time,
        step: weekStep,
        value: found?.spread,
        note: found && words.leads(String(found.cell)),
      };
    }),
  });
  const energyTitle = (isYear ? words.energyMonth : words.energyDay) + live.utc;
  const flow: Column = isHours ? [t.battery.current, "A", "current", 1] : [words.power, "W", "power", 0];
  const columns: readonly Column[] = isYear
    ? [
        [words.least, "%", "least", 0],
        [words.most, "%", "most", 0],
        [words.charged, "kWh", "charged", 3],
        [words.discharged, "kWh", "discharged", 3],
        [words.lowest, "V", "lowest", 3],
        [words.highest, "V", "highest", 3],
        [words.spreadRest, "mV", "rest", 0],
        [words.spreadLoad, "mV", "load", 0],
      ]
    : [
        [t.battery.soc, "%", "soc", 0],
        flow,
        ...(isHours ? [] : [[words.lowest, "V", "lowest", 3] as const]),
        [words.spread, "mV", "spread", 0],
      ];
  const download = (): void => {
    const heads = columns.map(([name, unit]) => `${name} (${unit})`);
    const rows = (isYear ? days : fine).map((row: Values): CsvValue[] => [
      clockTime(Number(row.time)),
      ...columns.map(([, , key, decimals]) => [row[key], decimals] as const),
    ]);
    saveFile(words.fileName, "text/csv", csvOf([words.time, ...heads], rows, t.decimal));
  };
  const ofPack = packs.length > 1 && (
    <div class="ranges" role="group" aria-label={t.defaultNames.Pack}>
      {packs.map((address) => (
        <button key={address} type="button" aria-pressed={address === pack} onClick={() => setChosen(address)}>
          {t.bank.pack(String(address))}
        </button>
      ))}
    </div>
  );
  return (
    <>
      {choice}
      <div class="actions">
        <Button onClick={retry}>{t.common.refresh}</Button>
        <Button label={words.zoomIn} onClick={() => zoomBy(1 / 2)}>
          +
        </Button>
        {zoom && (
          <Button label={words.zoomOut} onClick={() => zoomBy(2)}>
            −
          </Button>
        )}
        <Button onClick={download}>{words.download}</Button>
      </div>
      {!isYear && ofPack}
      {error && <p class="failed">{error}</p>}
      {past.isMemory && !live.session?.safeMode && <p class="hint">{words.memoryOnly}</p>}
      {fine.length || days.length ? (
        <div class="cards charts">
          {isYear && <Days days={past.days} />}
          <Graph
            {...{ ...common, pins }}
            title={t.battery.soc}
            series={
              isYear
                ? [ofDays(words.most, "most"), ofDays(words.least, "least")]
                : ofRange(ofFine(t.battery.soc, "soc"))
            }
            form={isYear ? "band" : form}
            unit="%"
            decimals={0}
            least={100}
            ends={[0, 100]}
          />
          {!isYear && (
            <Graph
              {...common}
              title={flow[0]}
              series={ofRange(ofFine(flow[0], flow[2]))}
              form={form ?? "area"}
              unit={flow[1]}
              decimals={flow[3]}
              least={isHours ? 1 : 20}
              hint={words.powerHint}
            />
          )}
          {range > 0 && (
            <Graph
              {...common}
              title={energyTitle}
              series={[ofBars(words.charged, "charged"), ofBars(words.discharged, "discharged")]}
              form="bars"
              unit="kWh"
              decimals={1}
              least={0.2}
              when={isYear ? MONTH : DATE}
            >
              {past.round && (
                <p>
                  {words.roundTrip(
                    quantity(language, 100 * past.round.share, "%"),
                    ...([past.round.from, past.round.to].map((time) =>
                      new Intl.DateTimeFormat(localeOf(language), TOLD[1]).format(time * 1_000),
                    ) as [string, string]),
                  )}
                </p>
              )}
            </Graph>
          )}
          <Graph
            {...common}
            title={words.spread}
            series={
              isYear
                ? [ofDays(words.spreadLoad, "load"), ofDays(words.spreadRest, "rest")]
                : ofRange(ofFine(words.spread, "spread"))
            }
            form={form}
            unit="mV"
            decimals={0}
            least={20}
          />
          {isYear && pack !== undefined && (
            <Graph
              {...common}
              title={weekStep > WEEK ? words.apartMonth : words.apart}
              head={ofPack}
              series={[ofWeeks(words.apartRest, "rest"), ofWeeks(words.apartFull, "full")]}
              unit="mV"
              decimals={0}
              least={20}
            >
              {driftLines(weeks, words, language).map((line) => (
                <p key={line}>{line}</p>
              ))}
            </Graph>
          )}
          {isYear && <AllCells {...common} weeks={weeks.filter(isWithin)} step={weekStep} head={ofPack} />}
          {compared.length > 1 &&
            (
              [
                [words.share, "share", "%"],
                [words.lead, "lead", "mV"],
              ] as const
            ).map(([title, key, unit]) => (
              <Graph
                key={key}
                {...{ ...common, title, unit }}
                series={compared.map(({ pack: address, [key]: samples }) => ({
                  name: t.bank.pack(String(address)),
                  samples,
                }))}
                chosen={packs.indexOf(pack as number)}
                onChoose={(index) => setChosen(packs[index])}
                decimals={0}
                least={20}
              />
            ))}
          {!isHours && (
            <Graph
              {...common}
              title={isYear ? words.cells : words.lowest}
              series={
                isYear
                  ? [ofDays(words.highest, "highest"), ofDays(words.lowest, "lowest")]
                  : [ofFine(words.lowest, "lowest")]
              }
              form={isYear ? "band" : undefined}
              unit="V"
              decimals={3}
              least={0.02}
            />
          )}
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
        <p>
          {live.session?.safeMode
            ? words.safeMode
            : live.documents.status?.bms?.age === null
              ? t.battery.offline
              : words.empty}
        </p>
      )}
    </>
  );
}
