/**
 * `npm run bench [-- --write]`: figures of docs/figures.md. Absolute numbers are this machine's; what counts are the ratios of one run, the
 * losses, and the allocation.
 */
import { lossesUnderLoad, pollTime } from "./polls";
import { allocation, rate } from "./requests";
import type { Cell } from "./figures";
import { table, words, writeIfAsked } from "./table";

const PATHS = ["/api", "/api/bms/status"] as const;
const POLLS = Number(words[0] ?? 1000);

const times = [await pollTime("registers"), await pollTime("frames")];
table(
  "Time of a telemetry poll (virtual time, 115,200 baud, 75 ms gap)",
  ["read mode", "requests", "took ms", "bytes on the wire ms"],
  times.map(({ readMode, requests, took, wire }) => [readMode, requests.toFixed(1), took.toFixed(1), wire.toFixed(1)]),
);

const losses: Cell[][] = [];
for (const readMode of ["registers", "frames"] as const) {
  const { polls, lost, overflows, requests } = await lossesUnderLoad(readMode, POLLS);
  losses.push([readMode, polls, lost, overflows, requests]);
}
table(
  "Polls lost under full HTTP load (4 keep-alive clients, 10 ms of script time a request)",
  ["read mode", "polls", "lost", "bytes lost", "HTTP requests meanwhile"],
  losses,
);

const rates = [];
for (const path of PATHS) for (const connections of [1, 4]) rates.push(await rate(path, connections));
table(
  "Requests over real sockets, host simulator on Node",
  ["path", "connections", "requests/s", "median ms", "99 % ms"],
  rates.map(({ path, connections, perSecond, p50, p99 }) => [path, connections, Math.round(perSecond), p50, p99]),
);

const allocated: Cell[][] = [];
for (const path of PATHS) allocated.push([`GET ${path}`, Math.round(await allocation(path))]);
table("Heap bytes allocated a request (V8, the platform's sockets left out)", ["request", "bytes"], allocated);
writeIfAsked("npm run bench");
process.exit(0);
