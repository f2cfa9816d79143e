/**
 * `npm run bench:hostile [tries] [reopened after, ms] [kind] [addresses]`: who is served while hostile addresses hold connections; the tables of
 * docs/security.md. In virtual time, which advances only as fast as the clients: the load of the machine does not count.
 */
import { ENGINE } from "../support/system/engines";
import { freePort } from "../support/free-port";
import { inStep, KINDS, MODBUS, MODBUS_CLIENTS, underAttack, WITHIN } from "../support/http/hostile";
import { TOKEN } from "../support/system/system";
import { startWhole } from "../support/system/whole-system";
import type { Cell } from "./figures";
import { table } from "./table";

/** ms that the script of the device needs for a request, and to accept a connection and forget it again, about. */
const BUSY = { busyPerRequest: 4, busyPerConnection: 1 };
const ADDRESSES = process.argv[5] ? [Number(process.argv[5])] : [1, 4, 10, 30];
/** ms from a new client's connection to its request. */
const LATENCY = 20;
const TRIES = Number(process.argv[2] ?? 100);
/** ms until a closed connection is reopened. */
const AGAIN = Number(process.argv[3] ?? 500);
/** Only the kinds whose name starts so. */
const ONLY = process.argv[4] ?? "";

const rows: Cell[][] = [];
const ALL = { ...KINDS, "Modbus TCP": MODBUS };
for (const [name, kind] of Object.entries(ALL).filter(([name]) => name.startsWith(ONLY))) {
  const cells: Cell[] = [];
  let slowest = 0;
  for (const addresses of ADDRESSES) {
    const attacked = kind === MODBUS ? await freePort() : 0;
    const modbus = { enabled: attacked > 0, port: attacked || 502, clients: MODBUS_CLIENTS };
    const whole = await startWhole({ settings: { modbus } }, BUSY);
    const stop = inStep(whole);
    const options = { again: AGAIN, addresses, latency: LATENCY, attacked };
    const outcome = await underAttack(whole.clock, whole.url, "/api", TOKEN, kind, TRIES, options);
    cells.push(outcome.within);
    slowest = Math.max(slowest, outcome.slowest);
    await stop();
    await whole.stop();
  }
  rows.push([name, ...cells, (slowest / 1_000).toFixed(2)]);
}
table(
  `New clients of ${TRIES} served within ${WITHIN} ms; connections are reopened after ${AGAIN} ms, ${ENGINE}`,
  ["connections that are", ...ADDRESSES.map((count) => `${count} address${count > 1 ? "es" : ""}`), "slowest s"],
  rows,
);
process.exit(0);
