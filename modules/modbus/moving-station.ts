import { MAX_ADDRESS } from "./limits";
import { within } from "./pdu";
import { Station } from "./station";

/** A station that asks at several addresses, one after the other: for slaves that share the memory of one. */
export class MovingStation extends Station {
  /** By address: when a write was last sent there. Late acknowledgements are distinguished by it from those of another master's writes. */
  private writes: (number | undefined)[] | undefined;

  /**
   * The next transaction asks at `address`.
   * @throws Error while busy, RangeError for an address out of range
   */
  moveTo(address: number): void {
    if (this.busy) throw new Error("a transaction is in progress");
    within("address", address, 0, MAX_ADDRESS);
    if (this.wroteAt !== undefined) (this.writes ??= [])[this.address] = this.wroteAt;
    this.address = address;
    this.wroteAt = this.writes?.[address];
  }

  override wroteTo(address: number): number | undefined {
    return address === this.address ? this.wroteAt : this.writes?.[address];
  }
}
