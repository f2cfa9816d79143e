import { Digest } from "crypt";
import ECDSA from "ecdsa";
import Modular from "modular";
import type { Certificate } from "./certificate";
import { isInRange } from "./ecdsa-range";
import { type CurveKey, isCurveKey, numberOf, readKey, type RsaKey } from "./keys";

type Hash = "SHA256" | "SHA384" | "SHA512";

/** Signature algorithms (RFC 5758 and RFC 8017): the others are too old or not known to the SDK. */
const RSA_HASHES: Readonly<Partial<Record<string, Hash>>> = Object.freeze(
  { "2a864886f70d01010b": "SHA256", "2a864886f70d01010c": "SHA384", "2a864886f70d01010d": "SHA512" },
  true,
);
const ECDSA_HASHES: Readonly<Partial<Record<string, Hash>>> = Object.freeze(
  { "2a8648ce3d040302": "SHA256", "2a8648ce3d040303": "SHA384", "2a8648ce3d040304": "SHA512" },
  true,
);

/** DigestInfo in front of the digest (RFC 8017, section 9.2), without its three lengths: the last arc of the algorithm and the length of the digest. */
const LAST_ARC: Readonly<Record<Hash, number>> = Object.freeze({ SHA256: 1, SHA384: 2, SHA512: 3 }, true);

/** Whether the holder of the private key of `issuer`, a SubjectPublicKeyInfo, has signed `certificate`. Throws `Malformed`. */
export function hasSigned(issuer: Uint8Array, { algorithm, signature, signed }: Certificate): boolean {
  const key = readKey(issuer);
  const hash = (isCurveKey(key) ? ECDSA_HASHES : RSA_HASHES)[algorithm];
  if (!hash) return false;
  const digester = new Digest(hash);
  digester.write(signed.slice().buffer);
  const digest = new Uint8Array(digester.close());
  return isCurveKey(key) ? isEcdsa(key, digest, signature) : isRsa(key, hash, digest, signature);
}

/** RSASSA-PKCS1-v1_5: what was signed must be the one encoding that there is of the digest. */
function isRsa({ exponent, modulus }: RsaKey, hash: Hash, digest: Uint8Array, signature: Uint8Array): boolean {
  const size = signature.length;
  const number = numberOf(signature);
  if (number >= modulus || BigInt.bitLength(modulus) !== size * 8) return false;
  return new Modular(modulus).exp(number, exponent) === numberOf(encode(hash, digest, size));
}

function encode(hash: Hash, digest: Uint8Array, size: number): Uint8Array {
  const bytes = new Uint8Array(size).fill(0xff);
  const info = [
    ...[0x30, 17 + digest.length, 0x30, 13, 0x06, 9, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, LAST_ARC[hash]],
    ...[0x05, 0, 0x04, digest.length],
  ];
  const begin = size - info.length - digest.length;
  bytes.set([0, 1]);
  bytes[begin - 1] = 0;
  bytes.set(info, begin);
  bytes.set(digest, begin + info.length);
  return bytes;
}

function isEcdsa({ curve, pub }: CurveKey, digest: Uint8Array, signature: Uint8Array): boolean {
  if (!isInRange(signature, curve.n)) return false;
  // FIPS 186-4, section 6.4: the leftmost bits, as many as the order has.
  const bits = digest.subarray(0, curve.orderSize);
  return new ECDSA(pub, curve).verify(bits.slice().buffer, signature, true);
}
