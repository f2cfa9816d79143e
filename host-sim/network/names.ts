import { host } from "#host";
import type { Clock } from "../clock";
import { IPV4 } from "./ipv4";

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

  constructor(clock: Clock, { host: asks = false, servers }: { host?: boolean; servers: () => readonly string[] }) {
    this.#clock = clock;
    this.#host = asks;
    this.#servers = servers;
  }

  set(name: string, address: string): void {
    this.#known.set(name, address);
  }

  /** Calls `done` asynchronously, with undefined if the name is unknown. */
  resolve(name: string, done: (address: string | undefined) => void): void {
    const reached = this.#servers().length > 0;
    const known = IPV4.test(name) ? name : reached ? this.#known.get(name) : undefined;
    if (known !== undefined || !this.#host || !reached) {
      this.#clock.after(ANSWER, () => done(known));
      return;
    }
    host.lookup(name, (address) => this.#clock.external(() => done(address)));
  }
}
