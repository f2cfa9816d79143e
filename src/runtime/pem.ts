/** PEM certificate (RFC 7468): base64 of DER between these lines. */
const BEGIN = "-----BEGIN CERTIFICATE-----";
const END = "-----END CERTIFICATE-----";

const LINE_FEED = 0x0a;
const PADDING = 0x3d;
/** DER: a SEQUENCE with a two-byte length. No certificate is shorter than 128 or longer than 65,535 bytes. */
const SEQUENCE = 0x30;
const TWO_BYTES = 0x82;
const ONE_BYTE = 0x81;

/**
 * Decodes the one certificate in `pem` to DER; undefined if `pem` is malformed: anything but a single certificate and
 * blank lines, or base64 of something else.
 */
export function derOf(pem: string): Uint8Array | undefined {
  const text = pem.trim();
  if (!text.startsWith(BEGIN) || !text.endsWith(END)) return undefined;
  const to = text.length - END.length;
  const bytes = new Uint8Array(Math.floor(((to - BEGIN.length) * 3) / 4));
  let count = 0;
  let bits = 0;
  let value = 0;
  let padding = 0;
  for (let at = BEGIN.length; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === LINE_FEED) continue;
    const six = sixBits(code);
    if (code === PADDING) padding++;
    else if (six < 0 || padding) return undefined;
    else {
      value = ((value << 6) | six) & 0xffffff;
      bits += 6;
      if (bits >= 8) bytes[count++] = (value >> (bits -= 8)) & 0xff;
    }
  }
  // Unused bits of the last digit must be zero, and padding completes the last group of four.
  if (value & ((1 << bits) - 1) || bits >= 6 || padding !== bits / 2) return undefined;
  const der = bytes.subarray(0, count);
  return isWhole(der) ? der : undefined;
}

/** Exactly one SEQUENCE with no trailing bytes. */
function isWhole(der: Uint8Array): boolean {
  const [tag, form, high = 0, low = 0] = der;
  if (tag !== SEQUENCE) return false;
  if (form === ONE_BYTE) return der.length === 3 + high;
  return form === TWO_BYTES && der.length === 4 + high * 256 + low;
}

/** Value of a base64 digit (RFC 4648, section 4); negative: not a digit. */
function sixBits(code: number): number {
  if (code >= 0x41 && code <= 0x5a) return code - 0x41;
  if (code >= 0x61 && code <= 0x7a) return code - 0x61 + 26;
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 52;
  return code === 0x2b ? 62 : code === 0x2f ? 63 : -1;
}
