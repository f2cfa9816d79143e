import type Ethernet from "embedded:network/interface/ethernet";
import { Connection } from "./connection";

/** The Ethernet of the platform (ECMA-419 network interface). It follows its cable by itself. */
export class Wired {
  /** Called when the link or the address has changed. */
  changed: () => void = () => undefined;
  readonly connection: Connection;

  constructor(io: typeof Ethernet) {
    this.connection = new Connection(new io({ onChanged: () => this.changed() }));
  }
}
