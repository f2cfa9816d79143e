/** `npm run bench:hostile`: who is served while one address holds 60 connections; the table of docs/security.md. */
import { setTimeout as pause } from "node:timers/promises";
import { ENGINE } from "../support/system/engines";
import { KEEPERS, KEEPS, KINDS, underAttack, WITHIN } from "../support/http/hostile";
import { TOKEN } from "../support/system/system";
import { startWhole } from "../support/system/whole-system";
import { table, type Cell } from "./table";

/** ms that the script of the device needs for a request, about. */
const BUSY = 4;
const TRIES = Number(process.argv[2] ?? 100);
/** ms until a closed connection is reopened. */
const AGAIN = Number(process.argv[3] ?? 500);

const rows: Cell[][] = [];
const cases = Object.entries(KINDS).map(([name, kind]) => ({ name, kind, addresses: 1 }));
cases.push({ name: `keep asking, of ${KEEPERS} addresses`, kind: KEEPS, addresses: KEEPERS });
for (const { name, kind, addresses } of cases) {
  const whole = await startWhole({ paced: true }, { busyPerRequest: BUSY });
  const { tried, atOnce, within, slowest, asked, answered } = await underAttack(
    whole.clock,
    whole.url,
    "/api",
    TOKEN,
    kind,
    TRIES,
    { again: AGAIN, addresses },
  );
  rows.push([name, `${atOnce} of ${tried}`, `${within} of ${tried}`, slowest.toFixed(0), `${answered} of ${asked}`]);
  await whole.stop();
  await pause(100);
}
table(
  `60 connections, of one address unless said otherwise, reopened after ${AGAIN} ms, ${ENGINE}`,
  ["what they do", "new clients at their first try", `within ${WITHIN} ms`, "slowest ms", "on a kept connection"],
  rows,
);
process.exit(0);
