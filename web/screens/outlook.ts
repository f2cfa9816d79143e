/** What the next 24 hours may bring, for the headline and the time line. */
import { useEffect, useRef } from "preact/hooks";
import { bankStatus } from "../bank";
import { clock, quantity, type Language } from "../format";
import { useLive, useTexts } from "../hooks";
import { weeksOf } from "../past/cells";
import { forecastOf, type Forecast as Projection, type Range } from "../past/forecast";
import { NIGHT_BEGINS, NIGHT_ENDS } from "../past/night";
import type { Hour } from "../past/records";
import { PAST_TEXTS, type PastTexts } from "../texts/later/past";

/** s. */
const HOUR = 3_600;

/** What the next 24 hours may bring; undefined: too little is known. */
export interface Outlook {
  readonly projection: Projection;
  /** Its ends in sentences. */
  readonly lines: readonly string[];
  /** Of a part of the packs, or of an old charge: it is not shown. */
  readonly isOld: boolean;
}

/** The headline hears of it, too. */
export function useOutlook(hours: readonly Hour[], now: number): Outlook | undefined {
  const { language } = useTexts();
  const words = PAST_TEXTS[language].forecast;
  const live = useLive("status");
  const { documents, hasBank } = live;
  const shown = useRef(false);
  const { status, packs } = documents;
  const bank = hasBank ? packs : undefined;
  const isKnown = status && (bank || !hasBank);
  const { online, soc = null, capacityAh } = isKnown ? (bank ? bankStatus(bank, status.data) : status.data) : {};
  const isOld = !online || Boolean(packs && packs.bank.online < packs.bank.packs);
  const project = (charge: number, capacity: number): Projection | undefined => {
    const addresses = bank?.packs.map(({ address }) => address);
    const own = addresses ? hours.filter(({ pack }) => addresses.includes(pack)) : weeksOf(hours);
    return forecastOf(own, addresses?.length ?? 1, now, charge, capacity);
  };
  // One that was there is projected on, so that the axis of time stays.
  const isAsked = (!isOld || shown.current) && soc !== null;
  const projection = isAsked && capacityAh ? project(soc, capacityAh) : undefined;
  const outlook = projection && !isOld ? outlookOf(projection, language, words) : "";
  useEffect(() => live.expect(outlook), [outlook]);
  useEffect(() => () => live.expect(""), []);
  if (!projection) return undefined;
  shown.current = true;
  const { empty, full, least, most, falls, rises } = projection;
  const at = (time: number): string => clock(time * 1_000, language, now * 1_000);
  const percent = (value: number): string => quantity(language, value, "%");
  const told = ({ low, middle, high }: Range, form: (value: number) => string): [string, string, string] => [
    form(middle),
    form(low),
    form(high),
  ];
  /** It is known by the hour. */
  const around = (one: typeof least): [string, string, string, string] => [at(hourOf(one.at)), ...told(one, percent)];
  const lines = [
    empty && words.empty(...told(empty, at)),
    !empty && falls && words.least(...around(least)),
    full && words.full(...told(full, at)),
    !full && rises && words.most(...around(most)),
  ].filter((line) => typeof line === "string");
  return { projection, lines, isOld };
}

/** The full hour next to it. */
export const hourOf = (time: number): number => Math.round(time / HOUR) * HOUR;

/** "Lasts the night: 45 % at 01:00, 72 % at 16:00." */
function outlookOf(
  { empty, full, least, most, falls, rises }: Projection,
  language: Language,
  words: PastTexts["forecast"],
): string {
  const at = (time: number): string => clock(time * 1_000, language, time * 1_000);
  if (empty) return words.until(at(empty.middle));
  const charge = ({ at: time, middle }: typeof least): [number, string] => [
    hourOf(time),
    words.point(quantity(language, middle, "%"), at(hourOf(time))),
  ];
  const points = [
    falls && charge(least),
    full ? ([full.middle, words.fullPoint(at(full.middle))] as const) : rises && charge(most),
  ].filter((point) => point !== false);
  if (!points.length) return "";
  const low = new Date(least.at * 1_000).getHours();
  const isNight = falls && (low >= NIGHT_BEGINS || low < NIGHT_ENDS);
  const said = points
    .sort(([one], [other]) => one - other)
    .map(([, text]) => text)
    .join(", ");
  return words[isNight ? "night" : "outlook"](said);
}
