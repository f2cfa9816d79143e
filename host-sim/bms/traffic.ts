import { READ, WRITE, type LoggedRequest, type Outcome, type Request } from "./request";

const KEPT_REQUESTS = 2000;

/** Requests to the BMS on all its ports, for inspection by tests. */
export class Traffic {
  /** The most recent requests to this slave: those to others would take most of the time of a bank. */
  readonly log: LoggedRequest[] = [];
  /** Messages with a valid CRC, whatever their outcome. */
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
  /** Count of FC16 requests with a valid CRC, to any slave, by register, triggers included. */
  readonly writes = new Map<number, number>();
  /** The same for FC03, by first register. */
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
    if (outcome === "foreign") return;
    this.log.push({ ...request, outcome });
    if (this.log.length > KEPT_REQUESTS) this.log.shift();
  }
}
