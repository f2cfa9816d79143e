/** On the first screen: what the next 24 hours may bring, in sentences and as a band. Nothing as long as too little is known. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { bankStatus } from "../bank";
import { clock, quantity, type Language } from "../format";
import { useLive, useTexts } from "../hooks";
import { weeksOf } from "../past/cells";
import { forecastOf, type Forecast as Projection, type Range } from "../past/forecast";
import { NIGHT_BEGINS, NIGHT_ENDS } from "../past/night";
import type { Hour } from "../past/records";
import { PAST_TEXTS, type PastTexts } from "../texts/later/past";
import { Card } from "../ui";

/** Of the band, in its own units: an hour is one wide, and 1 % high. */
const HEIGHT = 100;
/** s. */
const HOUR = 3_600;

interface Props {
  readonly hours: readonly Hour[];
  /** Seconds since 1970. */
  readonly now: number;
}

export function Forecast({ hours, now }: Props): JSX.Element | null {
  const { language } = useTexts();
  const words = PAST_TEXTS[language].forecast;
  const live = useLive("status");
  const { documents, hasBank } = live;
  const shown = useRef(false);
  const { status, packs } = documents;
  const bank = hasBank ? packs : undefined;
  const isKnown = status && (bank || !hasBank);
  const { online, soc = null, capacityAh } = isKnown ? (bank ? bankStatus(bank, status.data) : status.data) : {};
  // What is said of a part of the packs, or of an old charge, is no forecast; the place of one that was there stays, so that nothing moves.
  const isOld = !online || Boolean(packs && packs.bank.online < packs.bank.packs);
  const project = (charge: number, capacity: number): Projection | undefined => {
    const addresses = bank?.packs.map(({ address }) => address);
    const own = addresses ? hours.filter(({ pack }) => addresses.includes(pack)) : weeksOf(hours);
    return forecastOf(own, addresses?.length ?? 1, now, charge, capacity);
  };
  const isAsked = (!isOld || shown.current) && soc !== null;
  const forecast = isAsked && capacityAh ? project(soc, capacityAh) : undefined;
  const outlook = forecast && !isOld && soc !== null ? outlookOf(forecast, soc, language, words) : "";
  useEffect(() => live.expect(outlook), [outlook]);
  useEffect(() => () => live.expect(""), []);
  if (!forecast || soc === null) return null;
  shown.current = true;
  const { band, empty, full, least, most, days } = forecast;
  const at = (time: number): string => clock(time * 1_000, language, now * 1_000);
  const percent = (value: number): string => quantity(language, value, "%");
  const told = ({ low, middle, high }: Range, form: (value: number) => string): [string, string, string] => [
    form(middle),
    form(low),
    form(high),
  ];
  /** It is known by the hour. */
  const around = (one: typeof least): [string, string, string, string] => [
    at(Math.round(one.at / HOUR) * HOUR),
    ...told(one, percent),
  ];
  const lines = [
    empty && words.empty(...told(empty, at)),
    !empty && least.middle < soc - 1 && words.least(...around(least)),
    full && words.full(...told(full, at)),
    !full && most.middle > soc + 1 && words.most(...around(most)),
  ].filter(Boolean);
  const last = band.length - 1;
  const edge = (of: (range: Range) => number, ranges: readonly Range[]): string =>
    ranges.map((range) => `${band.indexOf(range)} ${(HEIGHT - of(range)).toFixed(1)}`).join("L");
  return (
    <div class={isOld ? "untold" : ""}>
      <Card title={words.title}>
        <figure class="ribbon">
          <svg
            viewBox={`0 0 ${last} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={lines.join(" ") || words.title}
          >
            <path class="zero" d={`M0 0H${last}M0 ${HEIGHT / 2}H${last}M0 ${HEIGHT}H${last}`} />
            <path
              class="extremes"
              fill="var(--bar)"
              opacity="0.5"
              d={`M${edge(({ high }) => high, band)}L${edge(({ low }) => low, band.toReversed())}Z`}
            />
            <path class="middle" d={`M${edge(({ middle }) => middle, band)}`} />
          </svg>
          <figcaption>
            <p class="axis">
              {[0, last / 2, last].map((hours) => (
                <span key={hours}>{at(now + hours * HOUR)}</span>
              ))}
            </p>
            {words.hint(String(days))}
          </figcaption>
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

/** "Lasts the night: 45 % at 01:00, 72 % at 16:00." */
function outlookOf(
  { empty, full, least, most }: Projection,
  soc: number,
  language: Language,
  words: PastTexts["forecast"],
): string {
  const at = (time: number): string => clock(time * 1_000, language, time * 1_000);
  if (empty) return words.until(at(empty.middle));
  const hour = (time: number): number => Math.round(time / HOUR) * HOUR;
  const charge = ({ at: time, middle }: typeof least): [number, string] => [
    hour(time),
    words.point(quantity(language, middle, "%"), at(hour(time))),
  ];
  const isLess = least.middle < soc - 1;
  const points = [
    isLess && charge(least),
    full ? ([full.middle, words.fullPoint(at(full.middle))] as const) : most.middle > soc + 1 && charge(most),
  ].filter((point) => point !== false);
  if (!points.length) return "";
  const low = new Date(least.at * 1_000).getHours();
  const isNight = isLess && (low >= NIGHT_BEGINS || low < NIGHT_ENDS);
  const said = points
    .sort(([one], [other]) => one - other)
    .map(([, text]) => text)
    .join(", ");
  return words[isNight ? "night" : "outlook"](said);
}
