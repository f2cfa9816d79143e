import { Der, hex, INTEGER, positive, SEQUENCE } from "./der";

/** A DER signature of ECDSA has two numbers from 1 to `order` - 1. The SDK does not look: with zeros there anything is signed by anybody. */
export function isInRange(signature: Uint8Array, order: bigint): boolean {
  const outer = new Der(signature);
  const numbers = new Der(outer.read(SEQUENCE));
  outer.end();
  const r = numberOf(numbers);
  const s = numberOf(numbers);
  numbers.end();
  return r > 0n && r < order && s > 0n && s < order;
}

const numberOf = (der: Der): bigint => BigInt(`0x${hex(positive(der.read(INTEGER)))}`);
