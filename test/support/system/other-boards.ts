/** Boards that differ from the simulator's in what they have: no relay and no sensors, a relay alone. */
import { readFileSync } from "node:fs";
import type { Board } from "../../../src/board";
import type { Lacks } from "../../../src/settings/types";

interface OtherBoard {
  readonly name: string;
  readonly lacks: Lacks;
  readonly config: Pick<Board, "chip" | "network" | "maxPacks" | "pins">;
}

export const BOARDS: readonly OtherBoard[] = ["t_can485", "waveshare_relay_1ch"].map((name) => {
  const { config } = JSON.parse(readFileSync(`boards/${name}/manifest.json`, "utf8")) as { config: Board };
  const { chip, network, maxPacks, pins } = config;
  return {
    name,
    lacks: { relay: pins.relay === undefined, monitoring: pins.temperature === undefined },
    config: { chip, network, maxPacks, pins },
  };
});
