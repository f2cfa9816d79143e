import { Der, hex, INTEGER, positive, SEQUENCE } from "./der";
import { MAX_ECDSA_SIGNATURE } from "./limits";

/** A DER signature of ECDSA has two numbers from 1 to `order` - 1. The SDK does not look: with zeros there anything is signed by anybody. */
export function isInRange(signature: Uint8Array, order: bigint): boolean {
  if (signature.length > MAX_ECDSA_SIGNATURE) return false;
  const outer = new Der(signature);
  const numbers = new Der(outer.read(SEQUENCE));
  outer.end();
  const r = numberOf(numbers);
  const s = numberOf(numbers);
  numbers.end();
  return r < order && s < order;
}

/** Throws `Malformed` when it is not above zero. */
const numberOf = (der: Der): bigint => BigInt(`0x${hex(positive(der.read(INTEGER)))}`);
