/** docs/figures.md is what this firmware does: units and memory, which are the same on every machine. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { FIGURES, figureIn } from "../bench/figures";
import { XsSystem } from "../bench/xs/system";
import { pollCost, REQUESTS, requestCost } from "../bench/xs/work";

/** Of the figure: what is further off has to be measured anew, `npm run bench:xs -- --write`. */
const TOLERANCE = 0.1;
const TIMES = 20;

const page = readFileSync(FIGURES, "utf8");
const UNITS = "meter units";

/** As the table has it, or how far off that is. */
const compared = (name: string, measured: number, figure: number): string =>
  Math.abs(measured - figure) <= TOLERANCE * figure ? name : `${name}: ${measured}, the table has ${figure}`;

// As long as it takes: all of it is virtual time.
it("a poll, requests and memory at rest are those of docs/figures.md, within a tenth", { timeout: 0 }, async () => {
  const xs = await XsSystem.start();
  const { slots, chunks } = xs.gauge.memory;
  const found = [
    compared("slots", slots, figureIn(page, "Memory, peak", "at rest", "live slots")),
    compared("chunks", chunks, figureIn(page, "Memory, peak", "at rest", "live chunk bytes")),
  ];
  const requests = REQUESTS.filter(({ pause }) => !pause);
  for (const request of requests) {
    const { units } = await requestCost(xs, request, TIMES);
    found.push(compared(request.name, units, figureIn(page, "Requests on XS, keep-alive", request.name, UNITS)));
  }
  xs.stop();
  const { units } = await pollCost("registers");
  found.push(compared("poll", units, figureIn(page, "A telemetry poll on XS", "registers", UNITS)));
  expect(found).toEqual(["slots", "chunks", ...requests.map(({ name }) => name), "poll"]);
});
