import { lookup } from "node:dns";
import type Ambient from "embedded:network/dns/resolver/udp";
import { SimulatedBoard } from "../board";

/** Time in which it asks a server five times, ms; it swallows what its socket throws. */
const GIVES_UP = 5_000;

/** The SDK's resolver, backed by the host's: the servers passed to it are not queried. */
export default class Resolver implements Ambient {
  readonly #board = SimulatedBoard.current;
  #closed = false;

  constructor(_options: object) {
    this.#board.attach(() => this.close());
  }

  resolve({ host, onResolved, onError }: Parameters<Ambient["resolve"]>[0]): void {
    const { clock, refusals, hasAddress } = this.#board;
    if (refusals.sockets || !hasAddress) {
      clock.after(GIVES_UP, () => this.#board.post(() => this.#closed || onError(host)));
      return;
    }
    lookup(host, { family: 4 }, (error, address) =>
      this.#board.clock.external(() => {
        if (this.#closed) return;
        this.#board.post(() => {
          if (this.#closed) return;
          if (error) onError(host);
          else onResolved(host, address);
        });
      }),
    );
  }

  close(): void {
    this.#closed = true;
  }
}
