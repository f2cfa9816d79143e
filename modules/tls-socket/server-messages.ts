import { isInRange } from "./ecdsa-range";
import { MAX_CERTIFICATES } from "./limits";

/** TLS 1.2 (RFC 5246). */
export const VERSION = 0x0303;

/** Content types of records, section 6.2.1. */
export const CHANGE_CIPHER_SPEC = 20;
export const ALERT = 21;
export const HANDSHAKE = 22;
export const APPLICATION_DATA = 23;

/** RFC 5289. */
export const ECDHE_ECDSA_SUITE = 0xc02b;
export const ECDHE_RSA_SUITE = 0xc02f;

/** Types of handshake messages, section 7.4. */
export const SERVER_HELLO = 2;
const CERTIFICATE = 11;
const SERVER_KEY_EXCHANGE = 12;
const CERTIFICATE_REQUEST = 13;
export const SERVER_HELLO_DONE = 14;
export const FINISHED = 20;
/** Not a message, but in the same order. */
const ENCRYPTED = -1;

/** What the server says, in the only order there is. */
const ORDER: readonly number[] = Object.freeze(
  [SERVER_HELLO, CERTIFICATE, SERVER_KEY_EXCHANGE, SERVER_HELLO_DONE, ENCRYPTED],
  true,
);

/** SignatureAndHashAlgorithm, section 7.4.1.4.1: what the device has offered. */
const SHA256_RSA = 0x0401;
const SHA256_ECDSA = 0x0403;

/** ServerKeyExchange, RFC 8422, section 5.4: a named curve, P-256, and an uncompressed point on it. */
const NAMED_CURVE = 3;
const P256 = 23;
const POINT_BYTES = 65;
const UNCOMPRESSED = 4;
const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

const HEADER = 5;
const MESSAGE_HEADER = 4;
/** Of the certificates in their message, and of each of them. */
const LENGTH_BYTES = 3;
const RANDOM = 32;

/** The server does not keep to the protocol, or asks for what the device does not do: why, for people. */
export class Refused extends Error {}

const OUT_OF_ORDER = "The server does not keep to TLS.";

/**
 * Looks at what the server says before it is known who says it, and before the SDK's TLS gets it. That takes the messages in any order and
 * leaves any of them out, takes keys that nobody has signed, and an older version, or an alert, for the end of the handshake.
 */
export class ServerMessages {
  /** Of `ORDER`: what must come next. */
  private next = 0;
  private suite = 0;
  private isCipherChanged = false;

  /** Everything has come, the last message encrypted. */
  get complete(): boolean {
    return this.next === ORDER.length;
  }

  /** `record` is whole, with its header. Throws `Refused`; `Malformed` when a signature is no DER. */
  check(record: Uint8Array): void {
    const type = record[0];
    if (type === ALERT) throw new Refused("The server refuses TLS.");
    const expected = ORDER[this.next];
    if (expected !== ENCRYPTED) {
      if (type !== HANDSHAKE) throw new Refused(OUT_OF_ORDER);
      this.messages(record);
    } else if (!this.isCipherChanged) {
      if (type !== CHANGE_CIPHER_SPEC || record.length !== HEADER + 1) throw new Refused(OUT_OF_ORDER);
      this.isCipherChanged = true;
    } else {
      if (type !== HANDSHAKE) throw new Refused(OUT_OF_ORDER);
      this.next++;
    }
  }

  private messages(record: Uint8Array): void {
    for (let at = HEADER; at < record.length;) {
      const body = at + MESSAGE_HEADER;
      const end = body + lengthAt(record, at + 1);
      if (!(end <= record.length)) throw new Refused("The server's certificates are too long.");
      const type = record[at] as number;
      if (type === CERTIFICATE_REQUEST) throw new Refused("The server asks for a client's certificate.");
      if (type !== ORDER[this.next++]) throw new Refused(OUT_OF_ORDER);
      if (type === SERVER_HELLO) this.hello(record.subarray(body, end));
      else if (type === CERTIFICATE) this.certificates(record.subarray(body, end));
      else if (type === SERVER_KEY_EXCHANGE) this.keyExchange(record.subarray(body, end));
      at = end;
    }
  }

  private hello(message: Uint8Array): void {
    if (wordAt(message, 0) !== VERSION) throw new Refused("The server has no TLS 1.2.");
    const session = 2 + RANDOM;
    const suite = session + 1 + (message[session] ?? 0);
    this.suite = wordAt(message, suite);
    if (this.suite !== ECDHE_ECDSA_SUITE && this.suite !== ECDHE_RSA_SUITE) throw new Refused(OUT_OF_ORDER);
    if (message[suite + 2] !== 0) throw new Refused(OUT_OF_ORDER);
  }

  private certificates(message: Uint8Array): void {
    let count = 0;
    for (let at = LENGTH_BYTES; at < message.length; at += LENGTH_BYTES + lengthAt(message, at))
      if (++count > MAX_CERTIFICATES) throw new Refused("The server sends too many certificates.");
  }

  private keyExchange(message: Uint8Array): void {
    const point = 4;
    const algorithm = point + POINT_BYTES;
    const signature = message.subarray(algorithm + 4);
    const isEcdsa = this.suite === ECDHE_ECDSA_SUITE;
    if (
      message[0] !== NAMED_CURVE ||
      wordAt(message, 1) !== P256 ||
      message[3] !== POINT_BYTES ||
      message[point] !== UNCOMPRESSED ||
      wordAt(message, algorithm) !== (isEcdsa ? SHA256_ECDSA : SHA256_RSA) ||
      wordAt(message, algorithm + 2) !== signature.length ||
      (isEcdsa && !isInRange(signature, P256_ORDER))
    )
      throw new Refused(OUT_OF_ORDER);
  }
}

const lengthAt = (bytes: Uint8Array, at: number): number => (bytes[at] ?? NaN) * 0x10000 + wordAt(bytes, at + 1);

/** Beyond the end it is no number that anything is compared with. */
const wordAt = (bytes: Uint8Array, at: number): number => (bytes[at] ?? NaN) * 256 + (bytes[at + 1] ?? NaN);
