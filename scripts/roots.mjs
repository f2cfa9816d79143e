/**
 * npm run roots: writes src/notify/roots.der, the CAs that notifications over TLS trust, and their table in docs/notifications.md, from Debian's
 * ca-certificates. Run it before a release, and where that package has a new version.
 *
 * Of a trust anchor only name and key matter, and nobody checks its signature (RFC 5280, section 6.1.1 (d)). Each is a minimal certificate:
 * its name, key and validity, that it is a CA, and no signature. As issuer it has one short name: the name itself again would take memory.
 */
import { createPublicKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { replaceFile } from "./replace-file.mjs";
import { root } from "./setup.mjs";

const CERTIFICATES = "/usr/share/ca-certificates/mozilla";
export const FILE = `${root}src/notify/roots.der`;
export const PAGE = `${root}docs/notifications.md`;

/** By the file's name in the package, and for whom. */
const ROOTS = {
  ISRG_Root_X1: "Let's Encrypt with RSA, and P-256 by way of the next: ntfy.sh, most Gotify servers and webhooks",
  ISRG_Root_X2: "Let's Encrypt with P-256 and P-384",
  "Go_Daddy_Root_Certificate_Authority_-_G2": "Telegram",
  DigiCert_Global_Root_G2: "Pushover",
  GTS_Root_R4: "Google, and what is behind Cloudflare",
  Amazon_Root_CA_1: "what is behind Amazon's front ends",
};
/** A root that expires sooner is told of, years. */
export const SOON = 2;

const SEQUENCE = 0x30;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const UTC_TIME = 0x17;
const VERSION = 0xa0;
const EXTENSIONS = 0xa3;

/** A DER element. */
function element(tag, ...content) {
  const bytes = Buffer.concat(content);
  const { length } = bytes;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), bytes]);
}

/** The elements in `der`, each with its head. */
function elements(der) {
  const found = [];
  for (let at = 0; at < der.length;) {
    const first = der[at + 1];
    const more = first < 0x80 ? 0 : first - 0x80;
    const end = at + 2 + more + (more ? der.readUIntBE(at + 2, more) : first);
    found.push(der.subarray(at, end));
    at = end;
  }
  return found;
}

const contentOf = (der) => der.subarray(2 + (der[1] < 0x80 ? 0 : der[1] - 0x80));

/** ecdsa-with-SHA256, the shortest: there has to be one that is known. */
const ALGORITHM = Buffer.from("300a06082a8648ce3d040302", "hex");
/** CN=r */
const ISSUER = Buffer.from("300c310a300806035504030c0172", "hex");
/** basicConstraints, critical: CA. */
const CA = Buffer.from("300f0603551d130101ff040530030101ff", "hex");

/** Of the whole certificate, DER. */
export function minimal(der) {
  const [signed] = elements(contentOf(der));
  // version, serial number, signature, issuer, validity, subject, subjectPublicKeyInfo.
  const [, , , , validity, subject, key] = elements(contentOf(signed));
  if (contentOf(validity)[0] !== UTC_TIME) throw new Error("no UTCTime");
  const version = element(VERSION, element(INTEGER, Buffer.of(2)));
  const serial = element(INTEGER, Buffer.of(1));
  const extensions = element(EXTENSIONS, element(SEQUENCE, CA));
  return element(
    SEQUENCE,
    element(SEQUENCE, version, serial, ALGORITHM, ISSUER, validity, subject, key, extensions),
    ALGORITHM,
    element(BIT_STRING, Buffer.of(0)),
  );
}

/** The whole certificates. */
export const installedRoots = () =>
  Object.entries(ROOTS).map(([file, purpose]) => {
    const certificate = new X509Certificate(readFileSync(`${CERTIFICATES}/${file}.crt`));
    return { certificate, purpose };
  });

/** The file: one after another. */
export const rootsFile = () => Buffer.concat(installedRoots().map(({ certificate }) => minimal(certificate.raw)));

const nameOf = ({ subject }) => /^CN=(.*)$/m.exec(subject)?.[1] ?? subject;
const day = (date) => new Date(date).toISOString().slice(0, 10);

function keyOf({ publicKey }) {
  const { namedCurve, modulusLength } =
    createPublicKey(publicKey.export({ format: "pem", type: "spki" })).asymmetricKeyDetails ?? {};
  return modulusLength ? `RSA of ${modulusLength} bits` : { secp384r1: "P-384", prime256v1: "P-256" }[namedCurve ?? ""];
}

/** Names of those that expire within SOON years of `date`. */
export const expiringRoots = (date) =>
  installedRoots()
    .filter(
      ({ certificate }) =>
        Date.parse(certificate.validTo) < new Date(date).setFullYear(new Date(date).getFullYear() + SOON),
    )
    .map(({ certificate }) => `${nameOf(certificate)} (${day(certificate.validTo)})`);

const BEGIN = "<!-- roots: npm run roots -->\n\n";
const END = "\n<!-- end of roots -->";

/** The page with its table. */
export function pageWithRoots(page) {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`${PAGE} has no place for the table of roots`);
  const cells = [
    ["Root", "Key", "Until", "For"],
    ["-", "-", "-", "-"],
    ...installedRoots().map(({ certificate, purpose }) => [
      nameOf(certificate),
      keyOf(certificate),
      day(certificate.validTo),
      purpose,
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const table = cells.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column], cell === "-" ? "-" : " ")).join(" | ")} |\n`,
  );
  return before + BEGIN + table.join("") + END + after;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  replaceFile(FILE, rootsFile());
  replaceFile(PAGE, pageWithRoots(readFileSync(PAGE, "utf8")));
  console.log(`${rootsFile().length} bytes`);
  for (const name of expiringRoots(Date.now())) console.log(`expires within ${SOON} years: ${name}`);
}
