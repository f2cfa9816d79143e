import type { Monitor, Writes } from "../../../src/bms/types";
import type { BusPack, Packs } from "../../../src/packs/types";
import { TestMonitor } from "./bms-link";

/** A monitor of packs that do not change by themselves, for consumers that only read. */
export class StillMonitor implements Monitor {
  packs: Packs;
  listening = false;
  heard = 0;
  readonly search = undefined;
  readonly writes = { pending: false, job: undefined, lastOf: () => undefined } as unknown as Writes;

  constructor(
    /** The first. */
    readonly pack = new TestMonitor(),
    ...others: readonly BusPack[]
  ) {
    this.packs = [pack, ...others];
  }

  startSearch(): undefined {}
}
