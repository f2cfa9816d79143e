import { READ, WRITE, type LoggedRequest, type Outcome, type Request } from "./request";

const KEPT_REQUESTS = 2000;

/** What has been asked of the BMS on all its ports, for tests to look at. */
export class Traffic {
  /** The latest requests. */
  readonly log: LoggedRequest[] = [];
  /** Messages with a right CRC, whatever became of them. */
  requests = 0;
  readonly outcomes: Record<Outcome, number> = {
    answered: 0,
    exception: 0,
    foreign: 0,
    damaged: 0,
    "too-soon": 0,
    asleep: 0,
    master: 0,
  };
  /** Of every FC16 that arrived with a right CRC, whoever it was for: how many to each register, triggers included. */
  readonly writes = new Map<number, number>();
  /** The same of FC03, by its first register. */
  readonly reads = new Map<number, number>();

  damaged(): void {
    this.outcomes.damaged++;
  }

  note(request: Request, outcome: Outcome): void {
    const { function: code, register } = request;
    this.requests++;
    this.outcomes[outcome]++;
    const counts = code === WRITE ? this.writes : code === READ ? this.reads : undefined;
    if (counts && register !== undefined) counts.set(register, (counts.get(register) ?? 0) + 1);
    this.log.push({ ...request, outcome });
    if (this.log.length > KEPT_REQUESTS) this.log.shift();
  }
}
