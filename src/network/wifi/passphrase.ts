import type RNG from "rng";
import { PASSPHRASE_LENGTH } from "../limits";

/** 32 characters that nobody takes for one another: neither l nor o, neither 0 nor 1. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";

/** A new password for the access point: 60 bits of the hardware random generator. */
export function makePassphrase(random: typeof RNG): string {
  let text = "";
  for (const byte of new Uint8Array(random.get(PASSPHRASE_LENGTH))) text += ALPHABET[byte % ALPHABET.length];
  return text;
}

/** "JK-BMS-010203" of a MAC address "24:6F:28:01:02:03". */
export function accessPointName(mac: string): string {
  return `JK-BMS-${mac.slice(-8).split(":").join("")}`;
}
