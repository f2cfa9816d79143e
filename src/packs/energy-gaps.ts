import { ENERGY_PERIOD, ENERGY_PERIODS, SHORT_BY } from "./limits";
import { move } from "./places";
import type { BusPack } from "./types";

const MILLISECONDS = 1_000;
/** One in the counters' seconds. */
const THOUSANDTH = (ENERGY_PERIODS * ENERGY_PERIOD) / 1_000;

/** For how long of the last day it is unknown which energy has flowed, of each pack: the gaps that the energy counters could not bridge. */
export class EnergyGaps {
  /** Seconds, ENERGY_PERIODS of each pack, one behind the other. */
  private readonly seconds: Uint32Array;
  private readonly clock: { readonly uptime: number };
  /** Of the current period, since the start. */
  private period = 0;
  /** There has been one: as long as there is none, a reply is not to cost a sum. */
  private hasAny = false;

  /** @param clock s since the start @param packs for each of which it is counted: one object for all takes less memory */
  constructor(clock: { readonly uptime: number }, packs: number) {
    this.clock = clock;
    this.seconds = new Uint32Array(ENERGY_PERIODS * packs);
  }

  /** The packs' places have changed: see `move`. */
  take(before: EnergyGaps, places: readonly number[]): void {
    before.advance();
    this.advance();
    move(before.seconds, this.seconds, ENERGY_PERIODS, places);
    this.hasAny = before.hasAny;
  }

  /** @param gap ms */
  note({ index }: Pick<BusPack, "index">, gap: number): void {
    this.advance();
    const { seconds } = this;
    const at = ENERGY_PERIODS * index + (this.period % ENERGY_PERIODS);
    seconds[at] = (seconds[at] as number) + Math.round(gap / MILLISECONDS);
    this.hasAny = true;
  }

  /** Tenths of a percent of a day, rounded up. */
  shareOf(index: number): number {
    if (!this.hasAny) return 0;
    this.advance();
    let sum = 0;
    for (let period = 0; period < ENERGY_PERIODS; period++)
      sum += this.seconds[ENERGY_PERIODS * index + period] as number;
    return Math.min(Math.ceil(sum / THOUSANDTH), 1_000);
  }

  isShort(index: number): boolean {
    return this.shareOf(index) > SHORT_BY;
  }

  /** Begins the next period when it is time. */
  private advance(): void {
    const now = Math.floor(this.clock.uptime / ENERGY_PERIOD);
    for (; this.period < now; this.period++)
      for (let at = (this.period + 1) % ENERGY_PERIODS; at < this.seconds.length; at += ENERGY_PERIODS)
        this.seconds[at] = 0;
  }
}
