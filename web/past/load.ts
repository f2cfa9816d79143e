/** Fetches what the history screens show, and keeps it for a while. */
import { parseHistory } from "../csv";
import { live } from "../live";
import { requestBytes, requestText, request } from "../request";
import { RequestError } from "../request-error";
import * as records from "./records";
import type { Day, Fine, Hour, PastEvent, Week } from "./records";

/** kWh; null: unknown. */
export interface Energy {
  readonly charged: number | null;
  readonly discharged: number | null;
}

/** `data` of /web/energy, as far as it is shown. */
export type Energies = Readonly<Record<"today" | "yesterday", Energy>>;

/** ms before an answer is asked for again: the flash has something new every ten minutes, the memory every two. */
const FLASH_AGE = 590_000;
const MEMORY_AGE = 50_000;

/** All hours that their ring can have: 5 sectors of 255. */
export const ALL_HOURS = 1_275;

/** The midnight before `time` (ms) by the owner's clock, as the device counts its days; seconds since 1970. */
export function midnightBefore(time = Date.now()): number {
  const seconds = Math.floor(time / 1_000);
  const offset = live.session?.offset ?? -60 * new Date().getTimezoneOffset();
  return seconds - ((seconds + offset) % records.DAY);
}

interface Answer<Value> {
  /** ms since 1970: when it arrived. */
  readonly at: number;
  /** Undefined: the device has none, or its flash fails. */
  readonly value: Value | undefined;
}

export class PastLoader {
  /** With when each was asked for: who asks meanwhile gets the same. */
  private readonly answers = new Map<string, { readonly asked: number; readonly answer: Promise<Answer<unknown>> }>();
  private readonly isWhole: boolean;

  /** `isWhole`: what the device refuses is a failure as well. Else there is none of it, for now. */
  constructor(isWhole = false) {
    this.isWhole = isWhole;
  }

  forget(): void {
    this.answers.clear();
  }

  /** At least the newest `count` of ten minutes. */
  fine(count: number): Promise<Fine[] | undefined> {
    return this.records("fine", count, records.fineRows);
  }

  days(count: number): Promise<Day[] | undefined> {
    return this.records("days", count, records.dayRows);
  }

  hours(count: number): Promise<Hour[] | undefined> {
    return this.records("hours", count, records.hourRows);
  }

  cells(count: number): Promise<Week[] | undefined> {
    return this.records("cells", count, records.cellRows);
  }

  /** Not for who came by a read-only link. */
  async events(count: number): Promise<PastEvent[] | undefined> {
    return live.session?.link ? undefined : this.records("events", count, records.pastEvents);
  }

  /** The device sums up its records for it: not more often than those are asked for. */
  async energy(): Promise<Energies | undefined> {
    return (await this.kept("/web/energy", FLASH_AGE, () => request<Energies>("GET", "/web/energy"))).value;
  }

  /** What is in flash, and behind it the last hours from RAM. `isMemory`: these alone. */
  async recent(count: number): Promise<{ rows: Fine[]; isMemory: boolean }> {
    const fine = await this.fine(count);
    const { value = [], at } = await this.kept("/web/history.csv", MEMORY_AGE, async () =>
      parseHistory(await requestText("GET", "/web/history.csv")),
    );
    return { rows: records.withRecent(fine ?? [], value, Math.floor(at / 1_000)), isMemory: !fine };
  }

  private async records<Row>(
    series: string,
    count: number,
    form: (bytes: Uint8Array) => Row[],
  ): Promise<Row[] | undefined> {
    const path = `/web/records?series=${series}&last=${count}`;
    return (await this.kept(path, FLASH_AGE, async () => form(await requestBytes(path)))).value;
  }

  private kept<Value>(path: string, age: number, get: () => Promise<Value>): Promise<Answer<Value>> {
    const known = this.answers.get(path);
    // Yesterday's "today" is no longer that.
    const isOfToday = known && midnightBefore(known.asked) === midnightBefore();
    if (isOfToday && Math.abs(Date.now() - known.asked) < age) return known.answer as Promise<Answer<Value>>;
    const answer = this.ask(get);
    this.answers.set(path, { asked: Date.now(), answer });
    const forget = (): void => void this.answers.delete(path);
    // What may come yet is asked for again.
    answer.then(({ value }) => value === undefined && forget(), forget);
    return answer;
  }

  private async ask<Value>(get: () => Promise<Value>): Promise<Answer<Value>> {
    let value: Value | undefined;
    try {
      value = await get();
    } catch (error) {
      // 404: the firmware has none; 503: no usable flash, or too many read it just now.
      const isRefused = error instanceof RequestError && (error.status === 404 || error.status === 503);
      if (this.isWhole || !isRefused) throw error;
    }
    return { at: Date.now(), value };
  }
}
