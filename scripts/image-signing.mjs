/** Keys for firmware images, and the signature that src/update/image.ts looks for. */
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

/** A private key from PEM. Throws when it is none of P-256. */
export function readKey(pem) {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyDetails?.namedCurve !== "prime256v1") throw new Error("The key is not one of P-256.");
  return key;
}

/** `updateKey` of the manifest: the public key as a point without compression, in hexadecimal. */
export function publicKeyOf(key) {
  const { x, y } = createPublicKey(key).export({ format: "jwk" });
  return `04${[x, y].map((number) => Buffer.from(number, "base64url").toString("hex")).join("")}`;
}

/** Where an application image (ESP-IDF: App Image Format) ends, with its SHA-256. Throws when it is none, or damaged. */
function endOf(image) {
  if (image[0] !== MAGIC || image[HEADER_BYTES - 1] !== 1) throw new Error("This is no firmware image with a SHA-256.");
  let at = HEADER_BYTES;
  for (let segments = image[1]; segments > 0 && at + SEGMENT_HEADER_BYTES <= image.length; segments--)
    at += SEGMENT_HEADER_BYTES + image.readUInt32LE(at + 4);
  // The checksum is the last byte of a row of 16.
  at += 16 - (at % 16);
  const end = at + SHA_BYTES;
  const sum = image.subarray(at, end);
  if (!createHash("sha256").update(image.subarray(0, at)).digest().equals(sum))
    throw new Error("The image is damaged.");
  const rest = image.length - end;
  if (rest && (rest !== TRAILER_BYTES || image.toString("latin1", end, end + MARK.length) !== MARK))
    throw new Error("The image is longer than it says.");
  return end;
}

/** The image with its signature, in the place of the one that it may have. */
export function signImage(image, key) {
  const end = endOf(image);
  const message = image.subarray(end - SHA_BYTES, end);
  const signature = sign("sha256", message, { key, dsaEncoding: "ieee-p1363" });
  return Buffer.concat([image.subarray(0, end), Buffer.from(MARK, "latin1"), signature]);
}
