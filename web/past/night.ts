/** Last night in plain sentences: what is known of it, and what is not. */
import { SPREAD_UNDER_LOAD } from "../../src/catalogue/limits";
import { clock, duration, quantity, type Language } from "../format";
import { messageText, ofPack } from "../messages";
import { packName } from "../pack-names";
import type { Texts } from "../texts/en";
import type { PastTexts } from "../texts/later/past";
import type { Fine, PastEvent } from "./records";

/** The night by the clock of the browser, hours: from the evening, when the sun no longer charges, to the morning, when one looks. */
export const NIGHT_BEGINS = 20;
export const NIGHT_ENDS = 8;
/** A pause shorter than this between two records is none, s: a restart begins its ten minutes anew. */
const SHORTEST_GAP = 900;
/** °C: below, charging harms the cells. */
const FREEZING = 0;
/** What is odd enough to be told, beside alarms and restarts: how often each happened. */
const ODD = [
  "crashed",
  "bms-offline",
  "other-master",
  "sign-in-refused",
  "write",
  "settings-changed",
  "button",
] as const;

export interface Span {
  /** Seconds since 1970. */
  readonly from: number;
  readonly to: number;
}

/** The last night that is over; before NIGHT_ENDS the one that is not. */
export function nightBefore(now: number): Span {
  const hour = (hours: number): number => {
    const date = new Date(now * 1_000);
    date.setHours(hours, 0, 0, 0);
    return date.getTime() / 1_000;
  };
  return { from: hour(NIGHT_BEGINS - 24), to: Math.min(hour(NIGHT_ENDS), now) };
}

export const within = <Entry extends { readonly time: number }>(
  entries: readonly Entry[],
  { from, to }: Span,
): Entry[] => entries.filter(({ time }) => time >= from && time < to);

/** The BMS answered. */
const isKnown = ({ minutes }: Fine): boolean => Boolean(minutes);

/** Where nothing is known of the battery, the longest first; or, with another `isThere`, where there are no such records. */
export function gapsIn(rows: readonly Fine[], span: Span, isThere = isKnown): Span[] {
  const gaps: Span[] = [];
  let from = span.from;
  const until = (to: number): void => void (to - from >= SHORTEST_GAP && gaps.push({ from, to }));
  for (const row of rows) {
    const { time, step } = row;
    if (!isThere(row) || time + step <= span.from || time >= span.to) continue;
    until(time);
    from = time + step;
  }
  until(span.to);
  return gaps.sort((one, other) => other.to - other.from - (one.to - one.from));
}

/** kWh in, or less than zero out. */
const energyIn = ({ power = 0, step, minutes = step / 60 }: Fine): number => (power * minutes) / 60_000;

/** kWh in and out; undefined: nothing is known. */
export function energyOf(rows: readonly Fine[]): { readonly charged: number; readonly discharged: number } | undefined {
  if (rows.every(({ power }) => power === undefined)) return undefined;
  const sum = (sign: number): number => rows.reduce((total, row) => total + Math.max(0, sign * energyIn(row)), 0);
  return { charged: sum(1), discharged: sum(-1) };
}

/** `events` undefined: they could not be read. */
export function nightLines(
  rows: readonly Fine[],
  events: readonly PastEvent[] | undefined,
  span: Span,
  { t, words, language }: { readonly t: Texts; readonly words: PastTexts; readonly language: Language },
): string[] {
  const { night } = words;
  const at = (time: number): string => clock(time * 1_000, language, time * 1_000);
  const inNight = within(rows, span);
  const known = inNight.filter(isKnown);
  const lines: string[] = [];
  const gaps = gapsIn(rows, span);
  if (!known.length) lines.push(night.nothing);
  else {
    const charged = known.filter(({ soc }) => soc !== undefined);
    const lowest = charged.reduce<Fine | undefined>(
      (least, row) => (least?.soc === undefined || Number(row.soc) < least.soc ? row : least),
      undefined,
    );
    lines.push(
      lowest
        ? night.lowest(quantity(language, lowest.soc, "%"), at(lowest.time + lowest.step))
        : night.lowest(t.common.unknown, "–"),
    );
    const energy = energyOf(known);
    const amount = (value: number | undefined): string => quantity(language, value, "kWh", 1);
    lines.push(
      energy
        ? (gaps.length ? night.atLeast : night.energy)(amount(energy.discharged), amount(energy.charged))
        : night.noEnergy,
    );
    const [gap] = gaps;
    lines.push(gap ? night.gap(duration(gap.to - gap.from), at(gap.from), String(gaps.length)) : night.noGap);
  }
  const happened = within(events ?? [], span);
  // The monitor was not there, or had no time.
  if (!inNight.length && !happened.length) return lines;
  if (!events) return [...lines, night.noEvents];
  const of = (code: string): PastEvent[] => happened.filter((event) => event.code === code);
  const total = (some: readonly PastEvent[]): number => some.reduce((sum, { count }) => sum + count, 0);
  const alarms = of("alarm-raised");
  /** Of several packs each alarm of each. */
  const keyOf = ({ parameters: [name, address = ""] }: PastEvent): string => `${name}\t${address}`;
  const raised = new Map(alarms.map((event) => [keyOf(event), alarms.filter((one) => keyOf(one) === keyOf(event))]));
  for (const some of raised.values()) {
    const { parameters, time } = some[0] as PastEvent;
    const [name = "", address] = parameters;
    lines.push(night.alarm(ofPack(address, titleOf(name, t), t), at(time), String(total(some))));
  }
  // Nothing is said of what was not recorded.
  if (!raised.size && known.length)
    lines.push(known.some(({ alarm }) => alarm) ? night.goingOn : gaps.length ? night.noAlarmSeen : night.noAlarm);
  const starts = of("started");
  if (starts.length) lines.push(night.restarts(String(total(starts)), at((starts.at(-1) as PastEvent).time)));
  else if (!gapsIn(rows, span, () => true).length) lines.push(night.noRestart);
  const silent = of("pack-offline");
  if (silent.length) {
    const addresses = new Set(silent.flatMap(({ parameters: [address] }) => address || []));
    const names = [...addresses].map((address) => packName(address, t)).join(", ");
    const text = night.odd["bms-offline"](String(total(silent)), at((silent.at(-1) as PastEvent).time));
    lines.push(names ? `${names}: ${text}` : text);
  }
  for (const code of ODD) {
    const some = of(code);
    if (some.length) lines.push(night.odd[code](String(total(some)), at((some.at(-1) as PastEvent).time)));
  }
  const widest = Math.max(...known.map(({ spread = 0 }) => spread));
  if (widest > SPREAD_UNDER_LOAD) lines.push(night.spread(quantity(language, widest, "mV")));
  const coldest = Math.min(...known.map(({ coldest = Infinity }) => coldest));
  if (coldest < FREEZING) lines.push(night.cold(quantity(language, coldest, "°C")));
  if (known.some(({ missing }) => missing)) lines.push(night.missing);
  return lines;
}

const titleOf = (name: string, t: Texts): string =>
  Object.hasOwn(t.alarms, name) ? t.alarms[name as keyof Texts["alarms"]].title : name;

/** An event as a sentence. */
export function eventText({ code, parameters, count }: PastEvent, t: Texts, words: PastTexts): string {
  const text =
    code === "sign-in-refused"
      ? words.refused(parameters[0] ?? "")
      : (messageText([code, ...parameters].join("\t"), t) ?? `${code} ${parameters.join(" ")}`);
  return count > 1 ? `${text} (${count}×)` : text;
}
