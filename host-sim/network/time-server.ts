/** SNTP (RFC 4330): seconds from 1900 to 1970. */
const EPOCH = 2_208_988_800;
const PACKET = 48;
const CLIENT = 3;
const SERVER = 4;

/** NTP server reply to `request` at `utc` (ms since 1970); undefined unless it is a client request. */
export function timeServerAnswer(request: Uint8Array, utc: number): Uint8Array | undefined {
  if (request.length < PACKET || ((request[0] as number) & 7) !== CLIENT) return undefined;
  const answer = new Uint8Array(PACKET);
  const view = new DataView(answer.buffer);
  answer[0] = ((request[0] as number) & 0x38) | SERVER;
  answer[1] = 2;
  answer[2] = 6;
  answer[3] = 0xec;
  // Its transmit timestamp is returned as the originate timestamp.
  answer.set(request.subarray(40, 48), 24);
  for (const at of [16, 32, 40]) {
    view.setUint32(at, (Math.floor(utc / 1000) + EPOCH) % 2 ** 32);
    view.setUint32(at + 4, Math.floor(((utc % 1000) / 1000) * 2 ** 32));
  }
  return answer;
}
