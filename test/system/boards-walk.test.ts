/** The REST contract on boards that differ in what they have: no relay and no sensors, a relay alone. */
import { readFileSync } from "node:fs";
import type { Board } from "../../src/board";
import { walkSuite } from "../api/walk";
import { System } from "../support/system/system";
import { WALKED, walkedSystem } from "../support/system/walked-system";

for (const board of ["t_can485", "waveshare_relay_1ch"]) {
  const { config } = JSON.parse(readFileSync(`boards/${board}/manifest.json`, "utf8")) as { config: Board };
  const { chip, network, maxPacks, pins } = config;
  walkSuite({
    name: `on ${board}`,
    lacks: { relay: pins.relay === undefined, monitoring: pins.temperature === undefined },
    async start() {
      const system = await System.start({ ...WALKED, board: { config: { chip, network, maxPacks, pins } } });
      return walkedSystem(system, system.url, () => system.stop());
    },
  });
}
