/** Shared by these suites: the built page, a browser, and the whole product on a simulated board with a simulated BMS. */
import type { Browser } from "playwright-core";
import { afterEach, beforeAll } from "vitest";
import type { SimulatedBms } from "../../../host-sim/bms/simulated-bms";
import { hashPassword } from "../../../host-sim/password";
import { openBrowser, Visit, type VisitOptions } from "../../support/web/browser";
import { builtPage } from "../../support/web/built-page";
import { freePort } from "../../support/free-port";
import { System, type SystemOptions } from "../../support/system/system";
import { WebClient } from "../../support/web/web-client";

export const PASSWORD = "Lítio 280 Ah";
/** Hashed with few iterations: these tests are not about hashing time. */
const HASH = hashPassword(PASSWORD, 100);

/** The value of the cookie of a new session. */
async function sessionOf(system: System): Promise<string> {
  const client = new WebClient(system);
  await client.signIn(PASSWORD);
  const [, value] = /^session=(.+)$/.exec(client.cookie ?? "") ?? [];
  if (value === undefined) throw new Error("the device has not opened a session");
  return value;
}

export interface Served {
  /** A device that keeps its port across restarts; powered off after the test. */
  start(options?: SystemOptions): Promise<System>;
  /** One whose BMS is prepared before its first poll. */
  startWith(prepare: (bms: SimulatedBms) => void, options?: SystemOptions["board"]): Promise<System>;
  /** One as delivered: no cable, no password, no settings. */
  startNew(): Promise<System>;
  /** Opens the page; closed after the test. */
  open(system: { readonly url: string }, options?: VisitOptions, path?: string): Promise<Visit>;
  /** Opens it with a session: typing the password has its own tests, and loads everything once more. */
  enter(system: System, options?: VisitOptions, path?: string): Promise<Visit>;
}

export function serve(): Served {
  let resources: string;
  let browser: Browser;
  const visits: Visit[] = [];
  const systems: System[] = [];

  beforeAll(async () => {
    resources = await builtPage();
    browser = await openBrowser();
  });
  afterEach(async () => {
    for (const visit of visits.splice(0)) await visit.close();
    for (const system of systems.splice(0)) {
      await system.board.restarted;
      system.stop();
    }
  });

  const run = async ({ board, ...options }: SystemOptions): Promise<System> => {
    const config = { httpPort: await freePort(), ...board?.config };
    const system = await System.start({ ...options, board: { resources, utc: Date.now, ...board, config } });
    systems.push(system);
    return system;
  };
  const open = async (system: { readonly url: string }, options: VisitOptions = {}, path = ""): Promise<Visit> => {
    const visit = await Visit.open(browser, system.url, options, path);
    visits.push(visit);
    return visit;
  };
  return {
    start: async ({ board, ...options } = {}) => {
      const settings = { web: { password: HASH }, ...board?.config?.settings };
      const system = await run({ ...options, board: { ...board, config: { ...board?.config, settings } } });
      await system.untilLoaded();
      return system;
    },
    startWith: async (prepare, board) => {
      const settings = { web: { password: HASH }, ...board?.config?.settings };
      const system = await run({
        bms: { evolving: false },
        board: { ...board, config: { ...board?.config, settings } },
      });
      prepare(system.bms);
      return system;
    },
    startNew: () => run({ board: { cable: false } }),
    open,
    enter: async (system, options, path) => {
      const visit = await open(system, { ...options, session: await sessionOf(system) }, path);
      await visit.signedIn();
      return visit;
    },
  };
}
