import {
  BIT_STRING,
  BOOLEAN,
  bytesOf,
  CONTEXT,
  Der,
  GENERALIZED_TIME,
  INTEGER,
  Malformed,
  OCTET_STRING,
  SEQUENCE,
  UTC_TIME,
} from "./der";
import { MAX_EXTENSIONS } from "./limits";

/** Object identifiers of extensions (RFC 5280, section 4.2), hexadecimal. */
const KEY_USAGE = "551d0f";
const SUBJECT_ALT_NAME = "551d11";
const BASIC_CONSTRAINTS = "551d13";
const EXTENDED_KEY_USAGE = "551d25";

/** Key purposes (RFC 5280, section 4.2.1.12). */
const SERVER_AUTH = "2b06010505070301";
const ANY_PURPOSE = "551d2500";

/** Bits of the key usage, the first one highest. */
const DIGITAL_SIGNATURE = 0x80;
const KEY_CERT_SIGN = 0x04;

/** What is in an X.509 certificate (RFC 5280), as far as a TLS client has to know. Views of its bytes. */
export interface Certificate {
  /** What is signed. */
  readonly signed: Uint8Array;
  /** Of the signature: an object identifier, hexadecimal. */
  readonly algorithm: string;
  readonly signature: Uint8Array;
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
  /** Seconds since 1970, UTC: valid from the one to the other. */
  readonly from: number;
  readonly to: number;
  /** SubjectPublicKeyInfo. */
  readonly key: Uint8Array;
  /** May sign certificates. */
  readonly isAuthority: boolean;
  /** Authorities that may be between this one and the server's certificate. */
  readonly depth: number;
  /** May be a TLS server's. */
  readonly isServer: boolean;
  /** SubjectAltName: GeneralNames. */
  readonly names: Uint8Array | undefined;
}

/** Throws `Malformed` when `bytes` are no certificate of version 3, or when it has a critical extension that is not known here. */
export function readCertificate(bytes: Uint8Array): Certificate {
  const outer = new Der(bytes);
  const certificate = new Der(outer.read(SEQUENCE));
  outer.end();
  const signed = certificate.element();
  const algorithm = algorithmOf(certificate.read(SEQUENCE));
  const signature = bytesOf(certificate.read(BIT_STRING));
  certificate.end();

  const fields = new Der(new Der(signed).read(SEQUENCE));
  const version = new Der(fields.read(CONTEXT)).read(INTEGER);
  if (version.length !== 1 || version[0] !== 2) throw new Malformed();
  fields.read(INTEGER);
  if (algorithmOf(fields.read(SEQUENCE)) !== algorithm) throw new Malformed();
  const issuer = fields.element();
  const validity = new Der(fields.read(SEQUENCE));
  const from = readTime(validity);
  const to = readTime(validity);
  const subject = fields.element();
  const key = fields.element();
  while (!fields.atEnd && !fields.is(CONTEXT | 3)) fields.element();
  const extensions = fields.atEnd ? undefined : new Der(fields.read(CONTEXT | 3)).read(SEQUENCE);
  return { signed, algorithm, signature, issuer, subject, from, to, key, ...readExtensions(extensions) };
}

const algorithmOf = (content: Uint8Array): string => new Der(content).identifier();

type Extensions = Pick<Certificate, "isAuthority" | "depth" | "isServer" | "names">;

function readExtensions(content: Uint8Array | undefined): Extensions {
  let isAuthority = false;
  let depth = Infinity;
  let usage = 0xff;
  let isServer = true;
  let names: Uint8Array | undefined;
  const extensions = new Der(content ?? new Uint8Array(0));
  for (let count = 0; !extensions.atEnd; count++) {
    if (count === MAX_EXTENSIONS) throw new Malformed();
    const extension = new Der(extensions.read(SEQUENCE));
    const name = extension.identifier();
    const isCritical = extension.is(BOOLEAN) && extension.read(BOOLEAN)[0] !== 0;
    const value = extension.read(OCTET_STRING);
    switch (name) {
      case BASIC_CONSTRAINTS: {
        const constraints = new Der(new Der(value).read(SEQUENCE));
        isAuthority = constraints.is(BOOLEAN) && constraints.read(BOOLEAN)[0] !== 0;
        if (constraints.is(INTEGER)) depth = constraints.read(INTEGER)[0] as number;
        break;
      }
      case KEY_USAGE:
        usage = new Der(value).read(BIT_STRING)[1] ?? 0;
        break;
      case EXTENDED_KEY_USAGE:
        isServer = hasPurpose(value);
        break;
      case SUBJECT_ALT_NAME:
        names = new Der(value).read(SEQUENCE);
        break;
      default:
        if (isCritical) throw new Malformed();
    }
  }
  return {
    isAuthority: isAuthority && (usage & KEY_CERT_SIGN) !== 0,
    depth,
    isServer: isServer && (usage & DIGITAL_SIGNATURE) !== 0,
    names,
  };
}

function hasPurpose(value: Uint8Array): boolean {
  const purposes = new Der(new Der(value).read(SEQUENCE));
  while (!purposes.atEnd) {
    const purpose = purposes.identifier();
    if (purpose === SERVER_AUTH || purpose === ANY_PURPOSE) return true;
  }
  return false;
}

/** RFC 5280, section 4.1.2.5: YYMMDDHHMMSSZ or YYYYMMDDHHMMSSZ. Seconds since 1970. */
function readTime(der: Der): number {
  const isLong = der.is(GENERALIZED_TIME);
  const text = der.read(isLong ? GENERALIZED_TIME : UTC_TIME);
  const digits = isLong ? 14 : 12;
  if (text.length !== digits + 1 || text[digits] !== 0x5a) throw new Malformed();
  const two = (at: number): number => {
    const high = (text[at] as number) - 0x30;
    const low = (text[at + 1] as number) - 0x30;
    if (high < 0 || high > 9 || low < 0 || low > 9) throw new Malformed();
    return high * 10 + low;
  };
  const short = two(isLong ? 2 : 0);
  const year = isLong ? two(0) * 100 + short : short + (short < 50 ? 2000 : 1900);
  const rest = digits - 10;
  const days = daysBefore(year, two(rest), two(rest + 2));
  return ((days * 24 + two(rest + 4)) * 60 + two(rest + 6)) * 60 + two(rest + 8);
}

/** Days from 1970-01-01 to a day of the Gregorian calendar: the year is taken to begin in March, so that the leap day is its last. */
function daysBefore(year: number, month: number, day: number): number {
  if (month < 1 || month > 12) throw new Malformed();
  const y = month > 2 ? year : year - 1;
  const m = (month + 9) % 12;
  return (
    365 * y +
    Math.floor(y / 4) -
    Math.floor(y / 100) +
    Math.floor(y / 400) +
    Math.floor((153 * m + 2) / 5) +
    day -
    719_469
  );
}
