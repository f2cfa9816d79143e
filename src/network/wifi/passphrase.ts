import type RNG from "rng";
import { PASSPHRASE_LENGTH } from "../limits";

/** 32 unambiguous characters: no l or o, no 0 or 1. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";

/** A new password for the access point: 60 random bits. */
export function makePassphrase(random: typeof RNG): string {
  let text = "";
  for (const byte of new Uint8Array(random.get(PASSPHRASE_LENGTH))) text += ALPHABET[byte % ALPHABET.length];
  return text;
}

/** "JK-BMS-010203" for the MAC address "24:6F:28:01:02:03". */
export function accessPointName(mac: string): string {
  return `JK-BMS-${mac.slice(-8).split(":").join("")}`;
}
