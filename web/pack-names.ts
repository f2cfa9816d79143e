/** What the packs are called, for messages of the device, which have addresses. */
import { packTitle } from "./bank";
import type { PackRow } from "./documents";
import type { Texts } from "./texts/en";

let known: readonly PackRow[] = [];

/** Call with each document of the packs. */
export function nameThem(packs: readonly PackRow[]): void {
  known = packs;
}

/** The name of the pack at an address; one that has been removed has only its address. */
export function packName(address: string, t: Texts): string {
  const pack = known.find((one) => String(one.address) === address);
  return pack ? packTitle(pack, t) : t.bank.pack(address);
}
