import { MAX_HOURS, MAX_RULE_HOURS, MAX_ZONE, MIN_NAME } from "./limits";

const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const SLASH = 0x2f;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const LESS = 0x3c;
const MORE = 0x3e;
const LETTER_J = 0x4a;
const LETTER_M = 0x4d;

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
/** A change without a time of its own is at two o'clock. */
const TWO = 2 * HOUR;

/** Places in `Zone.numbers`: seconds east of UTC in standard and summer time, then the changes to summer time and back. */
const STANDARD = 0;
const SUMMER = 1;
const START = 2;
const END = 7;
const NUMBERS = 12;
/** Within a change: its kind, its numbers, and seconds after midnight. */
const MONTH = 1;
const WEEK = 2;
const WEEKDAY = 3;
const TIME = 4;
/** Kinds of a change. */
const NEVER = 0;
/** Jn: day 1 to 365, without 29 February. */
const JULIAN = 1;
/** n: day 0 to 365. */
const ORDINAL = 2;
/** Mm.w.d */
const WEEKLY = 3;

/** Days before each month, in a year of 365. */
const BEFORE = new Uint16Array([0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365]);
const FEBRUARY_29 = 59;

/** Thrown and caught within this file. */
class Malformed extends Error {}

/**
 * Local time by a rule in the form of the environment variable TZ of POSIX ("CET-1CEST,M3.5.0,M10.5.0/3"), without the implementation's
 * own forms (":Europe/Berlin"). A zone with summer time must say when it changes.
 */
export class Zone {
  private readonly numbers = new Int32Array(NUMBERS);
  private readonly text: string;
  private at = 0;

  private constructor(text: string) {
    this.text = text;
  }

  /** Undefined: the text is no zone. */
  static parse(text: string): Zone | undefined {
    if (text.length > MAX_ZONE) return undefined;
    const zone = new Zone(text);
    try {
      zone.read();
      return zone;
    } catch (error) {
      if (error instanceof Malformed) return undefined;
      throw error;
    }
  }

  /** Seconds east of UTC at `utc`, seconds since 1970. */
  offsetAt(utc: number): number {
    const { numbers } = this;
    const standard = numbers[STANDARD] as number;
    if (numbers[START] === NEVER) return standard;
    const summer = numbers[SUMMER] as number;
    const year = yearOf(utc);
    const start = this.change(START, year) - standard;
    const end = this.change(END, year) - summer;
    const isSummer = start < end ? utc >= start && utc < end : utc >= start || utc < end;
    return isSummer ? summer : standard;
  }

  /** Local time of a change in this year, as if it was UTC. */
  private change(first: number, year: number): number {
    const { numbers } = this;
    let number = numbers[first + MONTH] as number;
    const start = daysBefore(year);
    if (numbers[first] === WEEKLY)
      number = weekly(year, start, number, numbers[first + WEEK] as number, numbers[first + WEEKDAY] as number);
    else if (numbers[first] === JULIAN) number += number > FEBRUARY_29 && isLeap(year) ? 0 : -1;
    return (start + number) * DAY + (numbers[first + TIME] as number);
  }

  private read(): void {
    const { numbers, text } = this;
    this.name();
    numbers[STANDARD] = -this.time(MAX_HOURS);
    if (this.at === text.length) return;
    this.name();
    const standard = numbers[STANDARD];
    numbers[SUMMER] = this.code === COMMA ? standard + HOUR : -this.time(MAX_HOURS);
    this.rule(START);
    this.rule(END);
    if (this.at !== text.length) throw new Malformed();
  }

  /** 0 at the end. */
  private get code(): number {
    return this.at < this.text.length ? this.text.charCodeAt(this.at) : 0;
  }

  private takes(code: number): boolean {
    if (this.code !== code) return false;
    this.at++;
    return true;
  }

  private name(): void {
    const isQuoted = this.takes(LESS);
    const start = this.at;
    while (isLetter(this.code) || (isQuoted && (isDigit(this.code) || this.code === PLUS || this.code === MINUS)))
      this.at++;
    if (this.at - start < MIN_NAME || (isQuoted && !this.takes(MORE))) throw new Malformed();
  }

  /** [+-]h[h][:mm[:ss]], seconds. */
  private time(hours: number): number {
    const isNegative = this.takes(MINUS);
    if (!isNegative) this.takes(PLUS);
    let seconds = this.number(0, hours) * HOUR;
    if (this.takes(COLON)) {
      seconds += this.number(0, 59) * MINUTE;
      if (this.takes(COLON)) seconds += this.number(0, 59);
    }
    return isNegative ? -seconds : seconds;
  }

  private number(least: number, most: number): number {
    const start = this.at;
    let value = 0;
    while (isDigit(this.code) && value <= most) value = 10 * value + (this.text.charCodeAt(this.at++) - ZERO);
    if (this.at === start || value < least || value > most) throw new Malformed();
    return value;
  }

  private rule(first: number): void {
    const { numbers } = this;
    if (!this.takes(COMMA)) throw new Malformed();
    if (this.takes(LETTER_M)) {
      numbers[first] = WEEKLY;
      numbers[first + MONTH] = this.number(1, 12);
      if (!this.takes(DOT)) throw new Malformed();
      numbers[first + WEEK] = this.number(1, 5);
      if (!this.takes(DOT)) throw new Malformed();
      numbers[first + WEEKDAY] = this.number(0, 6);
    } else if (this.takes(LETTER_J)) {
      numbers[first] = JULIAN;
      numbers[first + MONTH] = this.number(1, 365);
    } else {
      numbers[first] = ORDINAL;
      numbers[first + MONTH] = this.number(0, 365);
    }
    numbers[first + TIME] = this.takes(SLASH) ? this.time(MAX_RULE_HOURS) : TWO;
  }
}

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;
const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/** Days from 1970 to the beginning of the year. */
function daysBefore(year: number): number {
  const before = year - 1;
  return 365 * (year - 1970) + Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400) - 477;
}

function yearOf(utc: number): number {
  const day = Math.floor(utc / DAY);
  // 400 years have 146,097 days: right, or one too many.
  const year = 1970 + Math.floor((day * 400 + 800) / 146_097);
  return day < daysBefore(year) ? year - 1 : day >= daysBefore(year + 1) ? year + 1 : year;
}

/** Day of the year of a weekday in the nth week of a month, the fifth being the last. `start`: days before the year. */
function weekly(year: number, start: number, month: number, week: number, weekday: number): number {
  const leap = Number(isLeap(year));
  const first = (BEFORE[month - 1] as number) + (month > 2 ? leap : 0);
  const next = (BEFORE[month] as number) + (month > 1 ? leap : 0);
  // 1 January 1970 was a Thursday.
  const day = first + ((((weekday - start - first - 4) % 7) + 7) % 7) + 7 * (week - 1);
  return day < next ? day : day - 7;
}
