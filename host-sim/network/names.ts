import { lookup } from "node:dns";
import { isIPv4 } from "node:net";
import type { Clock } from "../clock";

/** Response time of a name server, ms. */
const ANSWER = 20;

/** The name servers reachable from a simulated board. */
export class Names {
  readonly #clock: Clock;
  readonly #known = new Map<string, string>([["localhost", "127.0.0.1"]]);
  /** Resolves unknown names with the host's resolver. */
  readonly #host: boolean;
  /** Name servers configured on the board; without any, no name resolves. */
  readonly #servers: () => readonly string[];

  constructor(clock: Clock, { host = false, servers }: { host?: boolean; servers: () => readonly string[] }) {
    this.#clock = clock;
    this.#host = host;
    this.#servers = servers;
  }

  set(name: string, address: string): void {
    this.#known.set(name, address);
  }

  /** Calls `done` asynchronously, with undefined if the name is unknown. */
  resolve(name: string, done: (address: string | undefined) => void): void {
    const reached = this.#servers().length > 0;
    const known = isIPv4(name) ? name : reached ? this.#known.get(name) : undefined;
    if (known !== undefined || !this.#host || !reached) {
      this.#clock.after(ANSWER, () => done(known));
      return;
    }
    lookup(name, { family: 4 }, (error, address) => this.#clock.external(() => done(error ? undefined : address)));
  }
}
