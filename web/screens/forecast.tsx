/** On the first screen: what the next 24 hours may bring, in sentences and as a band. Nothing as long as too little is known. */
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { bankStatus } from "../bank";
import { clock, quantity } from "../format";
import { useLive, useTexts } from "../hooks";
import { weeksOf } from "../past/cells";
import { forecastOf, type Range } from "../past/forecast";
import type { Hour } from "../past/records";
import { PAST_TEXTS } from "../texts/later/past";
import { Card } from "../ui";

/** Of the band, in its own units: an hour is one wide, and 1 % high. */
const HEIGHT = 100;

interface Props {
  readonly hours: readonly Hour[];
  /** Seconds since 1970. */
  readonly now: number;
}

export function Forecast({ hours, now }: Props): JSX.Element | null {
  const { language } = useTexts();
  const words = PAST_TEXTS[language].forecast;
  const { documents, hasBank } = useLive("status");
  const shown = useRef(false);
  const { status, packs } = documents;
  if (!status || (hasBank && !packs)) return null;
  const { online, soc, capacityAh } = hasBank && packs ? bankStatus(packs, status.data) : status.data;
  // What is said of a part of the packs, or of an old charge, is no forecast; the place of one that was there stays, so that nothing moves.
  const isOld = !online || Boolean(packs && packs.bank.online < packs.bank.packs);
  if ((isOld && !shown.current) || soc === null || !capacityAh) return null;
  const addresses = hasBank && packs?.packs.map(({ address }) => address);
  const own = addresses ? hours.filter(({ pack }) => addresses.includes(pack)) : weeksOf(hours);
  const forecast = forecastOf(own, addresses ? addresses.length : 1, now, soc, capacityAh);
  if (!forecast) return null;
  shown.current = true;
  const { band, empty, full, least, days } = forecast;
  const at = (time: number): string => clock(time * 1_000, language, now * 1_000);
  const percent = (value: number): string => quantity(language, value, "%");
  const told = ({ low, middle, high }: Range, form: (value: number) => string): [string, string, string] => [
    form(middle),
    form(low),
    form(high),
  ];
  const lines = [
    empty && words.empty(...told(empty, at)),
    !empty && least.middle < soc - 1 && words.least(at(least.at), ...told(least, percent)),
    full && words.full(...told(full, at)),
  ].filter(Boolean);
  const edge = (of: (range: Range) => number, ranges: readonly Range[]): string =>
    ranges.map((range) => `${band.indexOf(range)} ${(HEIGHT - of(range)).toFixed(1)}`).join("L");
  return (
    <div class={isOld ? "untold" : ""}>
      <Card title={words.title}>
        <figure class="ribbon">
          <svg
            viewBox={`0 0 ${band.length - 1} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={words.title}
          >
            <path class="zero" d={`M0 0H${band.length - 1}M0 ${HEIGHT}H${band.length - 1}`} />
            <path
              class="extremes"
              fill="var(--bar)"
              opacity="0.5"
              d={`M${edge(({ high }) => high, band)}L${edge(({ low }) => low, band.toReversed())}Z`}
            />
            <path class="middle" d={`M${edge(({ middle }) => middle, band)}`} />
          </svg>
          <figcaption>{words.hint(String(days))}</figcaption>
        </figure>
        <ul class="night ahead">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </Card>
    </div>
  );
}
