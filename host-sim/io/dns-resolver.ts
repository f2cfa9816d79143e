import { lookup } from "node:dns";
import type Ambient from "embedded:network/dns/resolver/udp";
import { SimulatedBoard } from "../board";

/** The SDK's resolver, backed by the host's: the servers passed to it are not queried. */
export default class Resolver implements Ambient {
  readonly #board = SimulatedBoard.current;
  #closed = false;

  constructor(_options: object) {
    this.#board.attach(() => this.close());
  }

  resolve({ host, onResolved, onError }: Parameters<Ambient["resolve"]>[0]): void {
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
