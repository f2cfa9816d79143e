/**
 * `npm run bench:principals [tries] [principal] [load] [addresses…]`: who is served while addresses whose clients hold a credential hold two connections
 * each; the table of docs/security.md. In virtual time, which advances only as fast as the clients.
 */
import { ENGINE } from "../support/system/engines";
import { inStep, OWNER_WITHIN, underAttack, WITHIN } from "../support/http/hostile";
import { credentials, hashPassword, head, loadsOf, PASSWORD, PRINCIPALS } from "../support/http/principals";
import { TOKEN } from "../support/system/system";
import { startWhole } from "../support/system/whole-system";
import type { Cell } from "./figures";
import { table } from "./table";

/** ms that the script of the device needs for a request, and to accept a connection, about. */
const BUSY = { busyPerRequest: 4, busyPerConnection: 1 };
const LATENCY = 20;
const [, , TRIES = "20", WHO = "", LOAD = "", ...GIVEN] = process.argv;
const ADDRESSES = GIVEN.length ? GIVEN.map(Number) : [1, 3, 4, 8, 60];
const BODY = JSON.stringify({ name: "Shed" });

const rows: Cell[][] = [];
for (const principal of PRINCIPALS.filter((name) => name.startsWith(WHO)))
  for (const load of Object.keys(loadsOf("http://a", "")).filter((name) => name.includes(LOAD))) {
    const cells: Cell[] = [];
    for (const addresses of ADDRESSES) {
      const settings = { web: { password: hashPassword(PASSWORD, 2) } };
      const whole = await startWhole({ settings }, BUSY);
      const stop = inStep(whole);
      const { of, owner } = await credentials(whole);
      const kind = loadsOf(whole.url, of[principal])[load]!;
      const write = head(whole.url, "POST", "/web/group/device", owner, BODY.length) + BODY;
      const options = { addresses, latency: LATENCY, write };
      const outcome = await underAttack(whole.clock, whole.url, "/api", TOKEN, kind, Number(TRIES), options);
      const { statistics } = await whole.probes.monitor();
      cells.push(`${outcome.within}, ${outcome.written} of ${outcome.writes}, ${statistics?.timeouts ?? "?"}`);
      await stop();
      await whole.stop();
    }
    rows.push([principal, load, ...cells]);
  }
table(
  `Of ${TRIES} new clients those served within ${WITHIN} ms, writes of the owner accepted within ${OWNER_WITHIN} ms, polls lost; ${ENGINE}`,
  ["who", "holds", ...ADDRESSES.map((count) => `${count} address${count > 1 ? "es" : ""}`)],
  rows,
);
process.exit(0);
