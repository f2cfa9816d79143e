import type Ambient from "embedded:network/interface/ethernet";
import type { EthernetConfigureOptions, EthernetConstructorOptions } from "embedded:network/interface/ethernet";
import { invoke, Port, told } from "./link";

interface Facts {
  readonly connection: number;
  readonly address?: string;
}

export default class Ethernet extends Port implements Ambient {
  #known: Facts | undefined;
  /** The count of changes when they became known. */
  #since = 0;

  constructor({ onChanged }: EthernetConstructorOptions) {
    super("ethernet", { onChanged });
  }

  override deliver(event: number, what: number): void {
    super.deliver(event, what ? "address" : "connection");
  }

  get connection(): number {
    return this.#facts.connection;
  }

  get address(): string | undefined {
    return this.#facts.address;
  }

  get MAC(): string | undefined {
    return invoke(this.id, "MAC") as string | undefined;
  }

  configure(options: EthernetConfigureOptions): void {
    invoke(this.id, "configure", options);
    this.#known = undefined;
  }

  get #facts(): Facts {
    if (!this.#known || this.#since !== told.wiredChanges) {
      this.#known = invoke(this.id, "facts") as Facts;
      this.#since = told.wiredChanges;
    }
    return this.#known;
  }
}
