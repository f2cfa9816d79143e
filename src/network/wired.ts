import type Ethernet from "embedded:network/interface/ethernet";
import { Connection, onChanged } from "./connection";

/** The Ethernet of the platform (ECMA-419 network interface). It follows its cable by itself. */
export class Wired extends Connection<Ethernet> {
  constructor(io: typeof Ethernet) {
    super(new io({ onChanged }));
  }
}
