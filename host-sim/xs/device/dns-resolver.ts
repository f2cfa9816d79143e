import type Ambient from "embedded:network/dns/resolver/udp";
import { invoke, Port } from "./link";

class Lookup extends Port {
  constructor(servers: readonly string[], host: string, done: (address: string | undefined) => void) {
    const options = { host, servers, onReadable: () => done(invoke(this.id, "address") as string | undefined) };
    super("resolver", options);
  }
}

export default class Resolver implements Ambient {
  readonly #servers: readonly string[];
  #lookup: Lookup | undefined;

  constructor({ servers }: { servers: readonly string[] }) {
    this.#servers = servers;
  }

  resolve({ host, onResolved, onError }: Parameters<Ambient["resolve"]>[0]): void {
    this.#lookup = new Lookup(this.#servers, host, (address) => {
      this.close();
      if (address === undefined) onError(host);
      else onResolved(host, address);
    });
  }

  close(): void {
    this.#lookup?.close();
    this.#lookup = undefined;
  }
}
