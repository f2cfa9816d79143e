import { lowerCase } from "ascii/case";
import type RNG from "rng";
import { MAX_HOSTNAME, MIN_HOSTNAME, TOKEN_BYTES } from "./limits";
import { isText } from "./text-rules";

const HEX_DIGITS_PER_WORD = 8;

/** A new API token: 128 random bits as 32 hexadecimal digits. */
export function makeToken(random: typeof RNG): string {
  let token = "";
  for (const word of new Uint32Array(random.get(TOKEN_BYTES)))
    token += word.toString(16).padStart(HEX_DIGITS_PER_WORD, "0");
  return token;
}

/** `prefix` and the last three bytes of a MAC address "24:6f:28:01:02:03" ("jk-bms-010203"); `prefix` alone while the address is unknown. */
export function hostnameOf(prefix: string, mac: string | undefined): string {
  const hostname = `${prefix}-${lowerCase((mac ?? "").slice(-8).split(":").join(""))}`;
  return isText("hostname", hostname, MIN_HOSTNAME, MAX_HOSTNAME) ? hostname : prefix;
}
