import { casesOf, type Case } from "./cases";
import type { Part, SoakOptions } from "./options";

const MINUTE = 60_000;

export interface Outcome {
  readonly part: Part;
  readonly passed: number;
  /** Not started for lack of time. */
  readonly left: number;
  /** Name and error of each case that failed. */
  readonly failed: readonly (readonly [name: string, error: string])[];
}

/** Runs cases one after the other until the time is over; the first is run in any case. */
export async function soak(
  part: Part,
  options: SoakOptions,
  report: (text: string) => void,
  all: readonly Case[] = casesOf(part, options),
): Promise<Outcome> {
  const cases = all.filter(({ name }) => name.includes(options.only));
  const end = performance.now() + options.minutes * MINUTE;
  const failed: [string, string][] = [];
  let run = 0;
  for (const { name, run: attempt } of cases) {
    if (run && performance.now() > end) break;
    run++;
    try {
      await attempt();
    } catch (error) {
      failed.push([name, (error as Error).message]);
      report(`FAIL ${name}: ${(error as Error).message}`);
    }
  }
  return { part, passed: run - failed.length, left: cases.length - run, failed };
}
