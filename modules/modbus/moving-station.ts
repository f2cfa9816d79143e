import type { Bus } from "./bus";
import { within } from "./pdu";
import { Station } from "./station";

/**
 * A station that asks at several addresses, one after the other: for slaves that share the memory of one.
 *
 * @throws RangeError from the constructor for an address out of range, or beyond MAX_STATIONS
 */
export class MovingStation extends Station {
  override address: number;
  private readonly highest: number;
  /** By address: when a write was last sent there. Late acknowledgements are told by it from those of another master's writes. */
  private readonly writes: (number | undefined)[] = [];

  /** @param highest of the addresses that it moves to */
  constructor(bus: Bus, highest: number) {
    super(bus, highest);
    this.address = this.highest = highest;
    for (let address = 0; address <= highest; address++) this.writes.push(undefined);
  }

  /**
   * The next transaction asks at `address`.
   * @throws Error while busy, RangeError beyond the highest address
   */
  moveTo(address: number): void {
    if (this.busy) throw new Error("a transaction is in progress");
    within("address", address, 0, this.highest);
    this.writes[this.address] = this.wroteAt;
    this.address = address;
    this.wroteAt = this.writes[address];
  }

  override wroteTo(address: number): number | undefined {
    return address === this.address ? this.wroteAt : this.writes[address];
  }
}
