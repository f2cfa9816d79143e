import type { Clock } from "../clock";
import type { Wire } from "../wire";
import type { MasterTiming } from "./bus-master";
import { serialNumberAt, SimulatedBms, type SimulatedBmsOptions } from "./simulated-bms";
import { LATENCY, type Latency } from "./slave";

export interface BankOptions extends Omit<SimulatedBmsOptions, "wire" | "address" | "serialNumber" | "master"> {
  clock: Clock;
  /** Everything is on this wire. */
  wire: Wire;
  /** Packs at addresses 1 to this, 0 to 15. */
  count: number;
  /** One more pack, at address 0: the bus master, and how it keeps time. */
  master?: boolean | Partial<MasterTiming>;
  /** Addresses that a second pack has, too. */
  twins?: readonly number[];
}

/** ms by which the second pack at an address answers later: behind the first one's longest reply at 115,200 baud. */
const TWIN_DELAY = 40;
/** Of a second pack, added to the address for a serial number and a seed of its own. */
const TWIN = 100;

/** Several packs on one wire, each with an address and a serial number of its own. */
export interface Bank {
  /** By address, from 1. */
  readonly packs: readonly SimulatedBms[];
  readonly master: SimulatedBms | undefined;
  /** The second packs, in the order of `twins`. */
  readonly twins: readonly SimulatedBms[];
  close(): void;
}

export function bankOf({ wire, count, master = false, seed = 1, twins = [], ...options }: BankOptions): Bank {
  let end: Wire["bms"] | undefined = wire.bms;
  const pack = (address: number, more = 0, latency: Partial<Latency> = options.latency ?? {}): SimulatedBms => {
    const at = end ?? wire.join();
    end = undefined;
    return new SimulatedBms({
      ...options,
      wire: at,
      address,
      latency,
      seed: seed + address + more,
      serialNumber: serialNumberAt(address + more),
      ...(typeof master === "object" && { master }),
    });
  };
  const packs = Array.from({ length: count }, (_, index) => pack(index + 1));
  const zero = master ? pack(0) : undefined;
  const late = Object.fromEntries(
    Object.entries({ ...LATENCY, ...options.latency }).map(([kind, range]) => [
      kind,
      range.map((ms) => ms + TWIN_DELAY),
    ]),
  );
  const seconds = twins.map((address) => pack(address, TWIN, late));
  return {
    packs,
    master: zero,
    twins: seconds,
    close: () => [...packs, zero, ...seconds].forEach((one) => one?.close()),
  };
}
