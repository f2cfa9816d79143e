/**
 * `npm run bench:hostile [tries] [reopened after, ms] [kind]`: who is served while one address holds 60 connections; the tables of
 * docs/security.md. In virtual time, which advances only as fast as the clients: the load of the machine does not count.
 */
import { ENGINE } from "../support/system/engines";
import { inStep, KEEPERS, KEEPS, KINDS, underAttack, WITHIN } from "../support/http/hostile";
import { TOKEN } from "../support/system/system";
import { startWhole } from "../support/system/whole-system";
import { table, type Cell } from "./table";

/** ms that the script of the device needs for a request, and to accept a connection and forget it again, about. */
const BUSY = { busyPerRequest: 4, busyPerConnection: 1 };
const TRIES = Number(process.argv[2] ?? 100);
/** ms until a closed connection is reopened. */
const AGAIN = Number(process.argv[3] ?? 500);
/** Only the kinds whose name starts so. */
const ONLY = process.argv[4] ?? "";

const rows: Cell[][] = [];
const cases = Object.entries(KINDS).map(([name, kind]) => ({ name, kind, addresses: 1 }));
cases.push({ name: `keep asking, of ${KEEPERS} addresses`, kind: KEEPS, addresses: KEEPERS });
for (const { name, kind, addresses } of cases.filter((one) => one.name.startsWith(ONLY))) {
  const whole = await startWhole({}, BUSY);
  const stop = inStep(whole);
  const began = whole.clock.now;
  const outcome = await underAttack(whole.clock, whole.url, "/api", TOKEN, kind, TRIES, { again: AGAIN, addresses });
  const { tried, atOnce, within, slowest, asked, answered, opened } = outcome;
  const rate = opened / ((whole.clock.now - began) / 1_000);
  rows.push([
    ...[name, rate.toFixed(0), `${atOnce} of ${tried}`, `${within} of ${tried}`],
    ...[slowest.toFixed(0), `${answered} of ${asked}`],
  ]);
  await stop();
  await whole.stop();
}
table(
  `60 connections, of one address unless said otherwise, reopened after ${AGAIN} ms, ${ENGINE}`,
  [
    ...["what they do", "opened a second", "new clients at their first try", `within ${WITHIN} ms`],
    ...["slowest ms", "on a kept connection"],
  ],
  rows,
);
process.exit(0);
