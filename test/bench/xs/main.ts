/** `npm run bench:xs`: the figures of docs/performance.md that are XS's. */
import { table } from "../table";
import { profile, pollCost, requestCost, REQUESTS, type Cost } from "./work";
import { XsSystem } from "./system";

const TIMES = Number(process.argv[2] ?? 200);

const xs = await XsSystem.start();
const costs: Cost[] = [];
for (const request of REQUESTS)
  costs.push(await requestCost(xs, request, request.pause ? Math.ceil(TIMES / 10) : TIMES));
xs.stop();
const first = costs[0]?.time ?? NaN;
table(
  "Requests on XS, keep-alive",
  ["request", "meter units", "garbage, slots", "CPU µs", "CPU, GET /api = 1"],
  costs.map(({ name, units, garbage, time }) => [
    name,
    units.toFixed(0),
    Number.isNaN(garbage) ? "" : garbage.toFixed(1),
    time.toFixed(0),
    (time / first).toFixed(2),
  ]),
);

const polls = [await pollCost("registers"), await pollCost("frames")];
table(
  "A telemetry poll on XS",
  ["way", "meter units", "CPU µs", "CPU, GET /api = 1"],
  polls.map(({ way, units, time }) => [way, units.toFixed(0), time.toFixed(0), (time / first).toFixed(2)]),
);

for (const index of [0, 1]) {
  const request = REQUESTS[index]!;
  const parts = Object.entries(await profile(request, TIMES));
  const sum = parts.reduce((total, [, units]) => total + units, 0);
  table(
    `${request.name} by part`,
    ["part", "meter units", "share"],
    parts
      .sort(([, a], [, b]) => b - a)
      .map(([part, units]) => [part, units.toFixed(0), `${((100 * units) / sum).toFixed(0)} %`]),
  );
}
process.exit(0);
