/** SNTP (RFC 4330 section 4) messages. */

export const REQUEST_BYTES = 48;

/** Version 4, mode 3 (client). */
const CLIENT = 0x23;
const MODE = 7;
const SERVER = 4;
const NO_LEAP_INFORMATION = 3;
const MAX_STRATUM = 15;
const ORIGINATE = 24;
const TRANSMIT = 40;

/** Seconds from 1900 to 1970. */
const EPOCH = 2_208_988_800;
const ERA = 2 ** 32;
/** RFC 4330 section 3: timestamps with the top bit clear are after 2036-02-07. */
const SECOND_ERA = 2 ** 31;

/** `nonce`: 8 random bytes, which the server echoes. */
export function writeRequest(packet: Uint8Array, nonce: Uint8Array): void {
  packet.fill(0);
  packet[0] = CLIENT;
  packet.set(nonce, TRANSMIT);
}

/**
 * The time, ms since 1970, in a server's reply to `request`; "refused" for a kiss-o'-death; undefined if it is no reply to it, or from an
 * unsynchronized server.
 */
export function readReply(packet: Uint8Array, request: Uint8Array): number | "refused" | undefined {
  if (packet.length < REQUEST_BYTES || ((packet[0] as number) & MODE) !== SERVER) return undefined;
  for (let n = 0; n < 8; n++) if (packet[ORIGINATE + n] !== request[TRANSMIT + n]) return undefined;
  const stratum = packet[1] as number;
  if (stratum === 0) return "refused";
  if (stratum > MAX_STRATUM || (packet[0] as number) >> 6 === NO_LEAP_INFORMATION) return undefined;
  const view = new DataView(packet.buffer, packet.byteOffset);
  const seconds = view.getUint32(TRANSMIT);
  const fraction = view.getUint32(TRANSMIT + 4);
  if (seconds === 0 && fraction === 0) return undefined;
  const since1900 = seconds < SECOND_ERA ? seconds + ERA : seconds;
  return (since1900 - EPOCH) * 1000 + Math.floor((fraction / ERA) * 1000);
}
