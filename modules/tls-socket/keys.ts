import Curve from "curve";
import ECPoint from "ecp";
import { BIT_STRING, bytesOf, Der, INTEGER, positive, SEQUENCE } from "./der";
import { MAX_RSA_BITS, MIN_RSA_BITS, MIN_RSA_EXPONENT } from "./limits";
import { Untrusted } from "./path";

/** A public key in the shape that the SDK's `pkcs1_5` and `ecdsa` ask for. */
export type PublicKey = RsaKey | CurveKey;

export interface RsaKey {
  readonly modulus: bigint;
  readonly exponent: bigint;
}

export interface CurveKey {
  readonly curve: Curve;
  readonly pub: ECPoint;
}

const RSA_ENCRYPTION = "2a864886f70d010101";
const EC_PUBLIC_KEY = "2a8648ce3d0201";
const P256 = "2a8648ce3d030107";
const P384 = "2b81040022";
const UNCOMPRESSED = 0x04;

export const isCurveKey = (key: PublicKey): key is CurveKey => "curve" in key;

/** RSA that is too short or too long, another curve, a compressed point, another algorithm. */
const OTHER_KEY = "A certificate's key is of a kind that the device does not take.";

/** The key in a SubjectPublicKeyInfo: RSA of 2,048 to 4,096 bits, or one on P-256 or P-384. Throws `Untrusted` for any other, or `Malformed`. */
export function readKey(info: Uint8Array): PublicKey {
  const outer = new Der(new Der(info).read(SEQUENCE));
  const algorithm = new Der(outer.read(SEQUENCE));
  const name = algorithm.identifier();
  const bits = bytesOf(outer.read(BIT_STRING));
  if (name === RSA_ENCRYPTION) return rsaKey(bits);
  if (name === EC_PUBLIC_KEY) return curveKey(algorithm.identifier(), bits);
  throw new Untrusted(OTHER_KEY);
}

function rsaKey(bits: Uint8Array): RsaKey {
  const numbers = new Der(new Der(bits).read(SEQUENCE));
  const modulus = numberOf(positive(numbers.read(INTEGER)));
  const exponent = numberOf(positive(numbers.read(INTEGER)));
  const bitLength = BigInt.bitLength(modulus);
  if (bitLength < MIN_RSA_BITS || bitLength > MAX_RSA_BITS || exponent < MIN_RSA_EXPONENT)
    throw new Untrusted(OTHER_KEY);
  return { modulus, exponent };
}

function curveKey(name: string, point: Uint8Array): CurveKey {
  const curve = name === P256 ? new Curve("secp256r1") : name === P384 ? new Curve("secp384r1") : undefined;
  if (!curve) throw new Untrusted(OTHER_KEY);
  const size = curve.orderSize;
  if (point[0] !== UNCOMPRESSED || point.length !== 1 + 2 * size) throw new Untrusted(OTHER_KEY);
  return { curve, pub: new ECPoint(numberOf(point.subarray(1, 1 + size)), numberOf(point.subarray(1 + size))) };
}

/** Big-endian, not negative. */
export const numberOf = (bytes: Uint8Array): bigint => BigInt.fromArrayBuffer(bytes.slice().buffer);
