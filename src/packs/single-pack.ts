import type { Effort } from "jk-bms/types";
import { OFFLINE_POLLS, OFFLINE_TIME } from "./limits";
import type { PackRecord } from "./pack-record";
import type { PollSchedule } from "./schedule";

/** A pack alone on its bus: polled once a beat, with every retry. */
export class SinglePack implements PollSchedule {
  readonly catchesUp = false;
  readonly round = 0;
  private readonly pack: PackRecord;
  private isDue = false;

  constructor(pack: PackRecord) {
    this.pack = pack;
  }

  begin(): void {
    this.isDue = !this.pack.rests;
  }

  next(): PackRecord | undefined {
    const { isDue } = this;
    this.isDue = false;
    return isDue ? this.pack : undefined;
  }

  slow(isDue: boolean): PackRecord | undefined {
    return isDue || this.pack.slow.due === undefined ? undefined : this.pack;
  }

  effort(): Effort {
    return this.pack.isLate ? "once" : "all";
  }

  ended(): void {
    // Nobody else waits.
  }

  hasten(): boolean {
    return false;
  }

  patience(failures: number): number {
    return failures < OFFLINE_POLLS ? Infinity : OFFLINE_TIME;
  }
}
