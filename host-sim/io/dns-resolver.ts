import type Ambient from "embedded:network/dns/resolver/udp";
import { SimulatedBoard } from "../board";

/** Of the SDK's resolver: an attempt a second, so many for each server. */
const INTERVAL = 1_000;
const ATTEMPTS = 5;

/** The SDK's resolver, backed by the board's `names`: the servers passed to it are not queried. It swallows what its socket throws, and tries again. */
export default class Resolver implements Ambient {
  readonly #board = SimulatedBoard.current;
  readonly #attempts: number;
  #closed = false;

  constructor({ servers }: { servers: readonly string[] }) {
    this.#attempts = ATTEMPTS * Math.max(1, servers.length);
    this.#board.attach(() => this.close());
  }

  resolve(question: Parameters<Ambient["resolve"]>[0]): void {
    this.#ask(question, this.#attempts);
  }

  close(): void {
    this.#closed = true;
  }

  #ask(question: Parameters<Ambient["resolve"]>[0], left: number): void {
    const { clock, names, refusals, hasAddress } = this.#board;
    const { host, onResolved, onError } = question;
    if (!left) return this.#tell(() => onError(host));
    if (refusals.sockets || !hasAddress) return void clock.after(INTERVAL, () => this.#ask(question, left - 1));
    names.resolve(host, (address) => this.#tell(() => (address ? onResolved(host, address) : onError(host))));
  }

  #tell(call: () => void): void {
    if (!this.#closed) this.#board.post(() => !this.#closed && call());
  }
}
