/** On the first screen: the energy of today, a ribbon of 24 hours, and last night in sentences. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { learnTapers } from "../estimate";
import { quantity } from "../format";
import { useLoad, useRefresh, useTexts, type Loaded } from "../hooks";
import { live } from "../live";
import { PastLoader, type Energy } from "../past/load";
import { MOST_DAYS } from "../past/forecast";
import { energyOf, nightBefore, nightLines, within } from "../past/night";
import { DAY, type Fine, type PastEvent } from "../past/records";
import { tapersOf } from "../past/taper";
import { PAST_TEXTS } from "../texts/later/past";
import { Card, Facts } from "../ui";
import { Forecast } from "./forecast";
import { Since } from "./since";

/** ms. What came is kept for longer, but at midnight; what the device refused while others read is asked for again. */
const REFRESH = 30_000;
/** Ten minutes of two days, and as many events as a sector has. */
const TWO_DAYS = 288;
const EVENTS = 51;
/** Of one pack. */
const HOURS = (MOST_DAYS + 1) * 24;
/** Of the ribbon, in its own units: ten minutes are one wide. */
const COLUMNS = 144;
const HEIGHT = 40;

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

/** Today, and unless it is alone what has happened since the last look. Nothing is shown if it does not come: the history screen says why. */
export function Recent({ isAlone = false }: { isAlone?: boolean }): JSX.Element | null {
  const { language } = useTexts();
  const words = PAST_TEXTS[language];
  const { value, reload } = usePast(async () => {
    const energy = await loader.energy();
    const fine = await loader.fine(TWO_DAYS);
    learnTapers(tapersOf(fine ?? []));
    const events = isAlone ? undefined : await loader.events(EVENTS);
    return { energy, fine, events, now: Math.ceil(Date.now() / 1_000) };
  });
  useEffect(() => () => loader.forget(), []);
  if (!value) return null;
  const { energy, fine, events, now } = value;
  const amount = ({ charged, discharged }: Energy): string =>
    words.inOut(...([charged, discharged].map((one) => quantity(language, one, "kWh", 1)) as [string, string]));
  return (
    <>
      {energy || fine ? (
        <Card title={words.today}>
          {fine && <Ribbon rows={fine} events={events ?? []} now={now} />}
          {energy && (
            <Facts
              rows={[
                [words.today + live.utc, amount(energy.today)],
                [words.yesterday + live.utc, amount(energy.yesterday)],
              ]}
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

/** The next 24 hours, and last night. */
export function Ahead(): JSX.Element | null {
  const { t, language } = useTexts();
  const words = PAST_TEXTS[language];
  const { value } = usePast(async () => {
    const fine = await loader.fine(TWO_DAYS);
    const events = await loader.events(EVENTS);
    const hours = await loader.hours(HOURS * (live.documents.packs?.packs.length ?? 1));
    return { fine, hours, events, now: Math.ceil(Date.now() / 1_000) };
  });
  if (!value) return null;
  const { fine, hours, events, now } = value;
  const night = nightBefore(now);
  return (
    <>
      {hours && <Forecast {...{ hours, now }} />}
      {fine ? (
        <Card title={now < night.to + 1 ? words.night.soFar : words.night.title}>
          <ul class="night">
            {nightLines(fine, events, night, { t, words, language }).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Card>
      ) : (
        NOTHING
      )}
    </>
  );
}

interface RibbonProps {
  readonly rows: readonly Fine[];
  readonly events: readonly PastEvent[];
  readonly now: number;
}

/** Up: into the battery, down: out of it. Where nothing is known there is nothing. */
function Ribbon({ rows, events, now }: RibbonProps): JSX.Element {
  const { language } = useTexts();
  const words = PAST_TEXTS[language];
  const from = now - DAY;
  const day = { from, to: now };
  const shown = within(rows, day);
  const alarms = within(events, day).filter(({ code }) => code === "alarm-raised");
  const energy = energyOf(shown);
  const most = Math.max(1, ...shown.map(({ power = 0 }) => Math.abs(power)));
  const x = (time: number): number => ((time - from) / DAY) * COLUMNS;
  const amount = (value: number | undefined): string => quantity(language, value, "kWh", 1);
  return (
    <figure class="ribbon">
      <svg
        viewBox={`0 0 ${COLUMNS} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words.ribbon(amount(energy?.charged), amount(energy?.discharged), String(alarms.length))}
      >
        <path class="zero" d={`M0 ${HEIGHT / 2}H${COLUMNS}`} />
        {shown.map(({ time, power = 0 }) => {
          const height = (Math.abs(power) / most) * (HEIGHT / 2);
          return (
            <rect
              key={time}
              class={power < 0 ? "out" : "in"}
              x={x(time)}
              width="1"
              y={power < 0 ? HEIGHT / 2 : HEIGHT / 2 - height}
              height={height}
            />
          );
        })}
        {alarms.map(({ time }, index) => (
          <path key={index} class="pin alarm" d={`M${x(time)} 0l-2 8h4z`} />
        ))}
      </svg>
      <figcaption>{words.ribbonHint}</figcaption>
    </figure>
  );
}
