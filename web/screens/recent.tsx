/** On the first screen: the time line, the energy of today and yesterday, and last night in sentences. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { learnTapers } from "../estimate";
import { quantity } from "../format";
import { useLoad, useRefresh, useTexts, type Loaded } from "../hooks";
import { live } from "../live";
import { PastLoader, type Energies } from "../past/load";
import { MOST_DAYS } from "../past/forecast";
import { nightBefore, nightLines } from "../past/night";
import { tapersOf } from "../past/taper";
import { PAST_TEXTS } from "../texts/later/past";
import { Card } from "../ui";
import { useOutlook } from "./outlook";
import { Since } from "./since";
import { Timeline } from "./timeline";

/** ms. What came is kept for longer, but at midnight; what the device refused while others read is asked for again. */
const REFRESH = 30_000;
/** Ten minutes of two days, and as many events as a sector has. */
const TWO_DAYS = 288;
const EVENTS = 51;
/** Of one pack. */
const HOURS = (MOST_DAYS + 1) * 24;

/** What the screen has asked for, shared by its parts. */
const loader = new PastLoader();

/** What `load` gets from it, again after a while. */
function usePast<Value>(load: () => Promise<Value>): Loaded<Value> {
  const past = useLoad(load);
  useRefresh(past.reload, REFRESH);
  return past;
}

/** Takes the place that the screen has reserved, also with nothing in it. */
const NOTHING = <i hidden />;

/** The time line with the energy, and unless it is alone last night and what has happened since the last look. Nothing is shown if it does not come: the history screen says why. */
export function Recent({ isAlone = false }: { isAlone?: boolean }): JSX.Element | null {
  const { t, language } = useTexts();
  const words = PAST_TEXTS[language];
  const { value, reload } = usePast(async () => {
    const energy = await loader.energy();
    const fine = await loader.fine(TWO_DAYS);
    learnTapers(tapersOf(fine ?? []));
    const events = isAlone ? undefined : await loader.events(EVENTS);
    return { energy, fine, events, now: Math.ceil(Date.now() / 1_000) };
  });
  const ahead = usePast(async () => {
    await loader.fine(TWO_DAYS);
    return loader.hours(HOURS * (live.documents.packs?.packs.length ?? 1));
  });
  useEffect(() => () => loader.forget(), []);
  const now = value?.now ?? 0;
  const outlook = useOutlook(ahead.value ?? [], now);
  if (!value) return null;
  const { energy, fine, events } = value;
  return (
    <>
      {energy || fine ? (
        <Card title={words.today}>
          {fine && <Timeline rows={fine} events={events ?? []} {...{ now, outlook }} />}
          {energy && <Amounts {...energy} />}
          {fine && !isAlone && (
            <LastNight
              lines={nightLines(fine, events, nightBefore(now), { t, words, language })}
              hint={outlook && words.line.band(String(outlook.projection.days))}
              now={now}
            />
          )}
        </Card>
      ) : (
        NOTHING
      )}
      {events && <Since events={events} reload={() => void reload()} />}
    </>
  );
}

/** Charged and discharged, today and yesterday: each a bar of the longest. */
function Amounts(energies: Energies): JSX.Element {
  const { language } = useTexts();
  const words = PAST_TEXTS[language];
  const days = [
    [words.today, energies.today],
    [words.yesterday, energies.yesterday],
  ] as const;
  const most = Math.max(0.1, ...days.flatMap(([, { charged, discharged }]) => [charged ?? 0, discharged ?? 0]));
  const bar = (value: number | null, form: (amount: string) => string, kind: string): JSX.Element => (
    <span>
      {form(quantity(language, value, "kWh", 1))}
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect class={kind} width={(100 * (value ?? 0)) / most} height="6" />
      </svg>
    </span>
  );
  return (
    <dl class="amounts">
      {days.map(([day, { charged, discharged }]) => (
        <div key={day}>
          <dt>{day + live.utc}</dt>
          <dd>
            {bar(charged, words.in, "in")}
            {bar(discharged, words.out, "out")}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Its first sentence, and when it is opened the others, and what the band is. */
function LastNight({
  lines,
  hint,
  now,
}: {
  lines: readonly string[];
  hint: string | undefined;
  now: number;
}): JSX.Element {
  const { language } = useTexts();
  const words = PAST_TEXTS[language];
  const [first, ...others] = lines;
  return (
    <details class="changes last-night">
      <summary>
        <strong>{now < nightBefore(now).to + 1 ? words.night.soFar : words.night.title}</strong> {first}
      </summary>
      <ul class="night">
        {others.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {hint && <p class="hint">{hint}</p>}
    </details>
  );
}
