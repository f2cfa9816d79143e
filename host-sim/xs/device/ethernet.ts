import type Ambient from "embedded:network/interface/ethernet";
import type { EthernetConfigureOptions, EthernetConstructorOptions } from "embedded:network/interface/ethernet";
import { invoke, Port } from "./link";

export default class Ethernet extends Port implements Ambient {
  constructor({ onChanged }: EthernetConstructorOptions) {
    super("ethernet", { onChanged });
  }

  override deliver(event: number, what: number): void {
    super.deliver(event, what ? "address" : "connection");
  }

  get connection(): number {
    return invoke(this.id, "connection") as number;
  }

  get address(): string | undefined {
    return invoke(this.id, "address") as string | undefined;
  }

  get MAC(): string | undefined {
    return invoke(this.id, "MAC") as string | undefined;
  }

  configure(options: EthernetConfigureOptions): void {
    invoke(this.id, "configure", options);
  }
}
