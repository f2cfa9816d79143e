import type { Effort, Readable } from "jk-bms/types";
import type { PackRecord } from "./pack-record";
import type { BusPack } from "./types";

/** Which pack is read next, what a read may cost, and how long a silent pack still counts as online. */
export interface PollSchedule {
  /** A poll that falls due during another follows at once; otherwise it is skipped. */
  readonly catchesUp: boolean;
  /** ms from the begin of the last round to the next, if it took longer than planned; else 0. */
  readonly round: number;
  /** Begins a round, in which each pack that answers is polled once. */
  begin(): void;
  /**
   * The pack to poll next; undefined between two rounds.
   * @param isDue the next round is due
   */
  next(isDue: boolean): PackRecord | undefined;
  /** The pack of which a slow block is to be read now, or its serial number if none is due. */
  slow(isDue: boolean): PackRecord | undefined;
  effort(pack: PackRecord, what: Readable): Effort;
  /** A read ended after `ms`, `ok` with a valid reply. Called before the pack is. */
  ended(pack: PackRecord, what: Readable, ms: number, ok: boolean): void;
  /** A write to this pack was refused since it is offline: it may have come back. False: it waits for its turn all the same. */
  hasten(pack: BusPack): boolean;
  /** ms without a valid reply after which a pack with so many failed polls in a row is offline; Infinity: not yet. */
  patience(failures: number, cycle: number): number;
}
