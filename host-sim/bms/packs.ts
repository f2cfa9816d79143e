import type { Clock } from "../clock";
import type { Wire } from "../wire";
import type { MasterTiming } from "./bus-master";
import { serialNumberAt, SimulatedBms, type SimulatedBmsOptions } from "./simulated-bms";

export interface BankOptions extends Omit<SimulatedBmsOptions, "wire" | "address" | "serialNumber" | "master"> {
  clock: Clock;
  /** Everything is on this wire. */
  wire: Wire;
  /** Packs at addresses 1 to this, 0 to 15. */
  count: number;
  /** One more pack, at address 0: the bus master, and how it keeps time. */
  master?: boolean | Partial<MasterTiming>;
}

/** Several packs on one wire, each with an address and a serial number of its own. */
export interface Bank {
  /** By address, from 1. */
  readonly packs: readonly SimulatedBms[];
  readonly master: SimulatedBms | undefined;
  close(): void;
}

export function bankOf({ wire, count, master = false, seed = 1, ...options }: BankOptions): Bank {
  let end: Wire["bms"] | undefined = wire.bms;
  const pack = (address: number): SimulatedBms => {
    const at = end ?? wire.join();
    end = undefined;
    return new SimulatedBms({
      ...options,
      wire: at,
      address,
      seed: seed + address,
      serialNumber: serialNumberAt(address),
      ...(typeof master === "object" && { master }),
    });
  };
  const packs = Array.from({ length: count }, (_, index) => pack(index + 1));
  const zero = master ? pack(0) : undefined;
  return {
    packs,
    master: zero,
    close: () => [...packs, zero].forEach((one) => one?.close()),
  };
}
