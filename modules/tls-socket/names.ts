import { Der } from "./der";

/** Choices of GeneralName (RFC 5280, section 4.2.1.6). */
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;

/** The four bytes of an IPv4 address; undefined when `host` is a name. */
export function addressOf(host: string): readonly number[] | undefined {
  const parts = host.split(".");
  if (parts.length !== 4 || !parts.every((part) => String(Number(part)) === part)) return undefined;
  return parts.map(Number);
}

/** RFC 6125: `host`, a name or an IPv4 address, is one of the names in a certificate. A wildcard stands for the whole first label. */
export function isNamed(names: Uint8Array | undefined, host: string): boolean {
  if (!names) return false;
  const address = addressOf(host);
  const wanted = host.toLowerCase();
  const general = new Der(names);
  while (!general.atEnd) {
    if (general.is(IP_ADDRESS)) {
      const bytes = general.read(IP_ADDRESS);
      if (bytes.length === address?.length && address.every((byte, at) => byte === bytes[at])) return true;
    } else if (general.is(DNS_NAME)) {
      const name = textOf(general.read(DNS_NAME), host.length).toLowerCase();
      if (!address && (name === wanted || isWildcard(name, wanted))) return true;
    } else general.element();
  }
  return false;
}

/** At least two labels must follow: nobody has "*.com". */
function isWildcard(name: string, wanted: string): boolean {
  if (!name.startsWith("*.") || name.indexOf(".", 2) < 0) return false;
  const dot = wanted.indexOf(".");
  return dot > 0 && wanted.slice(dot) === name.slice(1);
}

/** IA5: a byte that is no printable ASCII makes it nobody's name, as does more than `longest`, for which the stack may have no room. */
function textOf(bytes: Uint8Array, longest: number): string {
  if (bytes.length > longest || bytes.some((byte) => byte < 0x21 || byte > 0x7e)) return "";
  return String.fromCharCode(...bytes);
}
