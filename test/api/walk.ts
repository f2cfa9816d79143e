import { afterAll, beforeAll, beforeEach, describe } from "vitest";
import type { Lacks } from "../../src/settings/types";
import { walkAccess } from "./walk/access";
import { walkBodies } from "./walk/bodies";
import { walkCommands } from "./walk/commands";
import { walkOrder } from "./walk/order";
import { walkReads } from "./walk/reads";
import { walkRelay } from "./walk/relay";
import { walkParameters } from "./walk/parameters";
import { Walk, type SystemUnderTest } from "./walk/system";

export type { SystemUnderTest } from "./walk/system";

/** Timeout of a test, ms: a real BMS takes seconds to go offline, and writes take time too. */
const TEST_TIME = 300_000;

interface Walked {
  name: string;
  start: () => Promise<SystemUnderTest>;
  /** What its board does not have. Default: it has a relay and sensors. */
  lacks?: Lacks;
  /** Only what the board and its sockets decide, not the commands and settings, which are the BMS's: another file walks these. */
  ofBoard?: boolean;
}

/**
 * Walks the contract of both interfaces (docs/api.md) row by row over real sockets, against whatever `start` starts. Every response on the way is
 * validated against docs/openapi.yaml.
 */
export function walkSuite({ name, start, lacks, ofBoard = false }: Walked): void {
  describe(`the REST contract, ${name}`, { timeout: TEST_TIME }, () => {
    const walk = new Walk(start, lacks);
    beforeAll(() => walk.start(), TEST_TIME);
    afterAll(() => walk.stop(), TEST_TIME);
    beforeEach(() => walk.rest(), TEST_TIME);

    walkReads(walk);
    walkAccess(walk);
    walkBodies(walk);
    walkOrder(walk);
    walkRelay(walk);
    if (ofBoard) return;
    walkCommands(walk);
    walkParameters(walk);
  });
}
