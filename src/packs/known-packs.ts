import type KeyValueStorage from "embedded:storage/key-value";
import { readState, writeState } from "../runtime/state";
import { textSum } from "../runtime/text-sum";
import type { Settings } from "../settings/types";
import { MAX_SERIAL, MAX_STORED_SERIALS } from "./limits";
import type { PackIdentity } from "./types";

/** Key in the device's state storage. */
const KEY = "packs";

/** By address. */
type Serials = Readonly<Record<number, string>>;

const NONE: Serials = Object.freeze({}, true);

/** Of all serial numbers, with their addresses: a wrong one would be another pack. */
function sumOf(serials: Serials): number {
  let sum = 0;
  for (const address in serials) sum = textSum(`${address} ${serials[address] as string} `, sum);
  return sum;
}

/** What is stored, as far as it is what `keep` stores: with its sum, which earlier versions did not have. */
function serialsOf(text: unknown): Serials {
  if (typeof text !== "string" || text.length > MAX_STORED_SERIALS) return NONE;
  const found: Record<number, string> = {};
  try {
    const given = JSON.parse(text) as Serials & { readonly sum?: number };
    for (const address in given) {
      const serial: unknown = given[address];
      if (typeof serial === "string" && serial.length <= MAX_SERIAL) found[address] = serial;
    }
    if (given.sum !== undefined && given.sum !== sumOf(found)) throw new Error("sum");
    return found;
  } catch {
    trace("packs: the stored serial numbers are damaged\n");
    return NONE;
  }
}

/**
 * The packs of the settings, and the serial number that was seen at the address of each, which lasts over restarts: another one there is
 * another pack. Of one pack alone none is kept. They are no settings: a backup does not have them.
 */
export class KnownPacks {
  private readonly storage: typeof KeyValueStorage;
  private readonly settings: Pick<Settings, "bms" | "packs" | "noteStored">;
  private serials = NONE;

  constructor({
    storage,
    settings,
  }: {
    readonly storage: typeof KeyValueStorage;
    readonly settings: KnownPacks["settings"];
  }) {
    this.storage = storage;
    this.settings = settings;
    try {
      this.serials = serialsOf(readState(storage, KEY));
    } catch {
      trace("packs: cannot read the stored serial numbers\n");
    }
  }

  /** All packs, the first included. */
  get identities(): readonly PackIdentity[] {
    const { bms, packs } = this.settings;
    const { further } = packs;
    return [{ address: bms.address, name: packs.first }, ...further].map(({ address, name }) => ({
      address,
      name,
      serial: this.serials[address] ?? "",
    }));
  }

  /** From now on the pack with this serial number belongs to `address`. Kept until the next start even if it cannot be stored. */
  keep(address: number, serial: string): void {
    this.serials = { ...this.serials, [address]: serial };
    this.store();
  }

  /** The settings have changed: what is no longer polled is forgotten, and a pack alone, which may be replaced at any time. */
  forget(): void {
    const { identities, serials } = this;
    const known: Record<number, string> = {};
    if (identities.length > 1) for (const { address, serial } of identities) if (serial) known[address] = serial;
    if (Object.keys(known).length === Object.keys(serials).length) return;
    this.serials = known;
    this.store();
  }

  private store(): void {
    let isStored = true;
    try {
      writeState(this.storage, KEY, JSON.stringify({ ...this.serials, sum: sumOf(this.serials) }));
    } catch {
      isStored = false;
    }
    this.settings.noteStored("unwritable-packs", isStored);
  }
}
