/** The one sentence on top of the first screen: what is wrong, or else what the battery does and until when. */
import { besides, causesOf, causeText } from "./causes";
import type { BmsState, Config, Status } from "./documents";
import { direction, estimateOf, shownEnds, type Estimate } from "./estimate";
import { clock, duration, quantity, type Language } from "./format";
import type { Texts } from "./texts/en";
import { faults, type Verdict } from "./verdict";

/** old: of values that are no longer current; plain: neither good nor bad is known. */
export type Tone = "good" | "warn" | "bad" | "old" | "plain";

export interface Sentence {
  readonly tone: Tone;
  readonly text: string;
}

/** A pack that is empty sooner than this deserves a colour, s: time enough to switch off loads or to start a charger. So far the present current tells what comes. */
export const SOON = 3_600;

interface Seen {
  readonly status: Status;
  readonly verdict: Verdict;
  /** What the BMS does, and its limits; undefined: unknown. */
  readonly bms?: BmsState | undefined;
  readonly config?: Config | undefined;
  /** The BMS, or the monitor, no longer answers; undefined: it does. */
  readonly silent: boolean;
  /** What the next hours may bring; empty: not known. */
  readonly outlook?: string;
  /** ms since 1970: of the last values, and now. */
  readonly seenAt: number | undefined;
  readonly now: number;
}

/** What is more than SOON ahead no current of now foretells, and the forecast may say otherwise: it is told as what it is. */
const atPower = ([, latest]: Estimate, text: string, t: Texts): string =>
  latest > SOON ? t.sentence.atPower(text) : text;

/** "about 50 min", "2 h to 3 h at this power". */
export function spanText(left: Estimate, t: Texts): string {
  const [from = 0, to] = shownEnds(left);
  const span =
    to === undefined
      ? t.common.about(duration(from))
      : from
        ? t.common.range(duration(from), duration(to))
        : t.common.atMost(duration(to));
  return atPower(left, span, t);
}

/** "about 15:06", "between 15:00 and 16:30 at this power". */
function whenText(left: Estimate, now: number, language: Language, t: Texts): string {
  const [from = 0, to] = shownEnds(left, now / 1_000).map((time) => clock(time * 1_000, language, now));
  return atPower(left, to === undefined ? t.sentence.at(String(from)) : t.sentence.between(String(from), to), t);
}

/** What needs attention in words, the worst first; all but the values that change. */
export function lines({ alarms = [], concerns }: Verdict, t: Texts): string[] {
  const found = alarms.filter(({ fault }) => fault);
  return [
    ...causesOf(found).map(({ name }) => t.alarms[name].title),
    ...besides(found, concerns).map((name) => t.concerns[name]),
  ];
}

/** The worst wins: old values, then an alarm, then the most urgent of what needs attention, then what the battery does. */
export function sentence(seen: Seen, language: Language, t: Texts): Sentence {
  const { status, verdict, silent, seenAt, now } = seen;
  if (verdict.stale) {
    const ago = seenAt === undefined ? "" : t.common.ago(duration((now - seenAt) / 1_000));
    return { tone: "old", text: silent && ago ? t.sentence.silent(ago) : t.sentence.old(ago || t.common.unknown) };
  }
  const [first] = lines(verdict, t);
  const isBad = faults(verdict.alarms) > 0;
  if (first !== undefined)
    return {
      tone: isBad || (verdict.concerns[0] === "low-charge" && status.soc === 0) ? "bad" : "warn",
      text: (isBad ? alarmText(seen, language, t) : detail(seen, language, t)) ?? first,
    };
  return course(seen, language, t);
}

/** The first alarm with its value. */
function alarmText({ status, verdict, bms, config }: Seen, language: Language, t: Texts): string | undefined {
  const alarm = verdict.alarms?.find(({ fault }) => fault);
  return alarm && causeText(alarm.name, { status, bms, config }, language, t);
}

/** The most urgent concern with its values; undefined: its words are enough. */
function detail({ status, verdict: { concerns } }: Seen, language: Language, t: Texts): string | undefined {
  const { cellsSummary } = status;
  const [worst] = concerns;
  if (worst === "low-charge") {
    if (status.soc === 0) return t.sentence.emptied;
    const left = estimateOf(status);
    return left && Number(status.pack.current) < 0 ? t.sentence.empty(spanText(left, t)) : undefined;
  }
  if (worst === "spread") return farthest(status, language, t);
  if (worst === "cell-low")
    return t.sentence.lowest(String(cellsSummary.minCell), quantity(language, cellsSummary.minVoltage, "V", 3));
  if (worst === "cell-high")
    return t.sentence.highest(String(cellsSummary.maxCell), quantity(language, cellsSummary.maxVoltage, "V", 3));
  return undefined;
}

/** The cell that is farthest from the average: "Cell 7 is 353 mV low". */
export function farthest(
  { cells, averageCellVoltage: average }: Status,
  language: Language,
  t: Texts,
): string | undefined {
  if (!cells?.length || average === null) return undefined;
  const distance = (volts: number): number => Math.abs(volts - average);
  const { number, voltage } = cells.reduce((far, cell) =>
    distance(cell.voltage) > distance(far.voltage) ? cell : far,
  );
  const text = quantity(language, distance(voltage) * 1_000, "mV");
  return voltage < average ? t.sentence.low(String(number), text) : t.sentence.high(String(number), text);
}

/** An end so near is told by the present current, a later one by the outlook, if there is one. */
export const isNear = (left: Estimate | undefined): left is Estimate => left !== undefined && left[0] < SOON;

/** What the battery does, and until when. */
function course({ status, verdict, now, outlook }: Seen, language: Language, t: Texts): Sentence {
  const tone = verdict.well ? "good" : "plain";
  const { current } = status.pack;
  if (current === null) return { tone: "plain", text: t.common.unknown };
  const left = estimateOf(status);
  const then = outlook && !isNear(left) ? `. ${outlook}` : "";
  const end = !then && left && whenText(left, now, language, t);
  const isFull = verdict.alarms?.some(({ name }) => name === "fully_charged") ?? false;
  switch (direction(current)) {
    case "charging":
      return { tone, text: end ? t.sentence.full(end) : t.battery.charging + then };
    case "discharging":
      if (isNear(left)) return { tone: "warn", text: t.sentence.empty(spanText(left, t)) };
      return { tone, text: end ? t.sentence.lasting(end) : t.battery.discharging + then };
    case "idle":
      return { tone, text: (isFull ? t.sentence.isFull : t.battery.idle) + then };
  }
}
