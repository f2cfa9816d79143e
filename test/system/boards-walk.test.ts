/**
 * The REST contract on boards that differ in what they have: no relay and no sensors, a relay alone. Commands and settings, which no board
 * decides, are walked in test/system/walk.test.ts, in `npm run soak` here too.
 */
import { walkSuite } from "../api/walk";
import { isLong } from "../support/property";
import { BOARDS } from "../support/system/other-boards";
import { System } from "../support/system/system";
import { WALKED, walkedSystem } from "../support/system/walked-system";

for (const { name, lacks, config } of BOARDS)
  walkSuite({
    name: `on ${name}`,
    lacks,
    ofBoard: !isLong,
    async start() {
      const system = await System.start({ ...WALKED, board: { config } });
      return walkedSystem(system, system.url, () => system.stop());
    },
  });
