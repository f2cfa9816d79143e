/** Key generation and signing of firmware images; src/update/image.ts verifies the signature. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from "node:crypto";

const MAGIC = 0xe9;
const HEADER_BYTES = 24;
const SEGMENT_HEADER_BYTES = 8;
const SHA_BYTES = 32;
const MARK = "BMS-SIG1";
const TRAILER_BYTES = MARK.length + 64;

/** A new private key, PEM (PKCS #8). */
export const makeKey = () =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" });

/** Parses a private key in PEM. Throws unless it is a P-256 key. */
export function readKey(pem) {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyDetails?.namedCurve !== "prime256v1") throw new Error("This is not a P-256 key.");
  return key;
}

/** The manifest's `updateKey`: the public key as an uncompressed point in hexadecimal. */
export function publicKeyOf(key) {
  const { x, y } = createPublicKey(key).export({ format: "jwk" });
  return `04${[x, y].map((number = "") => Buffer.from(number, "base64url").toString("hex")).join("")}`;
}

/**
 * End of an application image (ESP-IDF: App Image Format), including its SHA-256. Throws if it is not an image or is
 * damaged.
 */
function endOf(image) {
  if (image[0] !== MAGIC || image[HEADER_BYTES - 1] !== 1)
    throw new Error("This is not a firmware image with a SHA-256.");
  let at = HEADER_BYTES;
  for (let segments = image[1]; segments > 0 && at + SEGMENT_HEADER_BYTES <= image.length; segments--)
    at += SEGMENT_HEADER_BYTES + image.readUInt32LE(at + 4);
  // The checksum is the last byte of a 16-byte row.
  at += 16 - (at % 16);
  const end = at + SHA_BYTES;
  const sum = image.subarray(at, end);
  if (!createHash("sha256").update(image.subarray(0, at)).digest().equals(sum))
    throw new Error("The image is damaged.");
  const rest = image.length - end;
  if (rest && (rest !== TRAILER_BYTES || image.toString("latin1", end, end + MARK.length) !== MARK))
    throw new Error("The image is longer than its header says.");
  return end;
}

/** The image with its signature; replaces an existing one. */
export function signImage(image, key) {
  const end = endOf(image);
  const message = image.subarray(end - SHA_BYTES, end);
  const signature = sign("sha256", message, { key, dsaEncoding: "ieee-p1363" });
  return Buffer.concat([image.subarray(0, end), Buffer.from(MARK, "latin1"), signature]);
}
