/** Who is believed, with certificates of openssl's and Node's cryptography in the place of the SDK's. */
import { createPublicKey, verify, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readCertificate, type Certificate } from "tls-socket/certificate";
import { MAX_CHAIN, MAX_EXTENSIONS, MAX_IDENTIFIER } from "tls-socket/limits";
import { addressOf, isNamed } from "tls-socket/names";
import { Untrusted, validate, type Trust } from "tls-socket/path";
import { Authority, dersOf, type ServerFiles, type ServerOptions } from "../support/certificates";

const HOST = "broker.example.org";
const NAMES = `DNS:${HOST}`;
const HOUR = 3600;
/** Every certificate of these tests is made before it, however long they take. */
const now = Math.floor(Date.now() / 1000) + HOUR;

const ders = (pem: string): Uint8Array[] => dersOf(pem).map((der) => Uint8Array.from(der));
const chainOf = ({ chain }: ServerFiles): Uint8Array[] => ders(readFileSync(chain, "utf8"));

/** As the device's: SHA-256 is all that the test's authorities use. */
function hasSigned(issuer: Uint8Array, { signature, signed }: Certificate): boolean {
  const key = createPublicKey({ key: Buffer.from(issuer), format: "der", type: "spki" });
  return verify("sha256", signed, key, signature);
}

const hexOf = (text: string): string => Buffer.from(text).toString("hex");

let authority: Authority;
let anchor: Uint8Array;
let files: ServerFiles;

beforeAll(() => {
  authority = new Authority("ec");
  anchor = ders(authority.pem)[0]!;
  files = authority.server({ names: NAMES });
});
afterAll(() => authority.remove());

const trust = (change: Partial<Trust> = {}): Trust => ({ authority: anchor, host: HOST, now, hasSigned, ...change });
const server = (options: ServerOptions = {}): Uint8Array[] => chainOf(authority.server({ names: NAMES, ...options }));

function problemOf(chain: readonly Uint8Array[], change?: Partial<Trust>): string {
  try {
    validate(chain, trust(change));
    return "";
  } catch (error) {
    expect(error).toBeInstanceOf(Untrusted);
    return (error as Error).message;
  }
}

const NOT_SIGNED = "The server's certificate is not signed by the CA that is set.";
const NO_CA = "The server's certificate is not signed by a CA.";

describe("a path of certificates", () => {
  it("ends at the authority, which may be in it or not", () => {
    const [leaf, root] = server();
    expect(problemOf([leaf!, root!])).toBe("");
    expect(problemOf([leaf!])).toBe("");
    const key = new X509Certificate(leaf!).publicKey.export({ format: "der", type: "spki" });
    expect(validate([leaf!], trust())).toEqual(Uint8Array.from(key));
  });

  it("may have authorities in between, each signed by the next", () => {
    const below = authority.intermediate();
    const chain = server({ issuer: below });
    expect(chain).toHaveLength(3);
    expect(problemOf(chain)).toBe("");
    expect(problemOf(chain.slice(0, 2))).toBe("");
    expect(problemOf([chain[0]!, chain[2]!])).toBe(NOT_SIGNED);
    expect(problemOf([chain[1]!, chain[0]!, chain[2]!])).not.toBe("");
  });

  it("may end at one of those instead, when that is what is trusted", () => {
    const below = authority.intermediate();
    const [between] = chainOf(below);
    expect(problemOf(server({ issuer: below }), { authority: between! })).toBe("");
    expect(problemOf(server(), { authority: between! })).toBe(NOT_SIGNED);
  });

  it("is no longer than MAX_CHAIN", () => {
    const chainWith = (authorities: number): Uint8Array[] => {
      let issuer: ServerFiles | undefined;
      for (let count = 0; count < authorities; count++)
        issuer = authority.server({
          names: "",
          extensions: "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign",
          ...(issuer && { issuer }),
        });
      return server(issuer && { issuer }).slice(0, authorities + 1);
    };
    expect(problemOf(chainWith(MAX_CHAIN - 2))).toBe("");
    expect(problemOf(chainWith(MAX_CHAIN - 1))).toBe("");
    expect(problemOf(chainWith(MAX_CHAIN))).toBe(NOT_SIGNED);
  });

  it("is none when what signed it is no authority", () => {
    const leaf = authority.server({ names: "DNS:mallory.example.org" });
    expect(problemOf(server({ issuer: leaf }))).toBe(NO_CA);
    const mute = authority.server({ names: "", extensions: "basicConstraints=CA:TRUE\nkeyUsage=digitalSignature" });
    expect(problemOf(server({ issuer: mute }))).toBe(NO_CA);
    const flat = authority.server({ names: "", extensions: "basicConstraints=critical,CA:TRUE,pathlen:0" });
    expect(problemOf(server({ issuer: flat }))).toBe("");
    const below = authority.server({ names: "", extensions: "basicConstraints=critical,CA:TRUE", issuer: flat });
    expect(problemOf(server({ issuer: below }))).toBe(NO_CA);
  });

  it("is none when what signed it does not say that it is an authority", () => {
    const silent = authority.server({ names: "", extensions: "keyUsage=keyCertSign" });
    expect(problemOf(server({ issuer: silent }))).toBe(NO_CA);
    const below = authority.intermediate();
    const [leaf, between] = server({ issuer: below });
    expect(problemOf([leaf!, between!])).toBe("");
    const denied = authority.changed(below, (hex) => hex.replace("30030101ff", "3003010100"));
    expect(problemOf([leaf!, denied])).toBe(NO_CA);
  });

  it("knows authorities by their whole names", () => {
    const root = new Authority("ec", "number x");
    const chain = chainOf(root.server({ names: NAMES, issuer: root.intermediate() }));
    expect(problemOf(chain, { authority: chain[2]! })).toBe("");
    root.remove();
  });

  it("is none when two neighbours fit and others do not", () => {
    const other = new Authority("ec", "Another CA");
    const [mine] = chainOf(other.server({ names: NAMES }));
    expect(problemOf([mine!, ...server()])).toBe(NOT_SIGNED);
    const impostor = new Authority("ec");
    expect(problemOf(chainOf(impostor.server({ names: NAMES })))).toBe(NOT_SIGNED);
    impostor.remove();
    other.remove();
  });

  it("is right only from its certificates' first to their last second", () => {
    const [leaf] = server({ days: 30 });
    const { from, to } = readCertificate(leaf!);
    expect(to - from).toBe(30 * 86_400);
    expect(from).toBeLessThan(now);
    expect(from).toBeGreaterThan(now - 2 * HOUR);
    expect(problemOf([leaf!], { now: from })).toBe("");
    expect(problemOf([leaf!], { now: to })).toBe("");
    expect(problemOf([leaf!], { now: to + 1 })).toBe("The server's certificate has expired.");
    const root = readCertificate(anchor);
    expect(problemOf([leaf!], { now: root.from - 1 })).toBe("The CA certificate is not valid yet.");
    expect(problemOf([leaf!], { now: root.to + 1 })).toBe("The CA certificate has expired.");
    expect(problemOf([leaf!], { now: root.from })).not.toContain("CA");
    expect(problemOf([leaf!], { now: root.to })).toBe("The server's certificate has expired.");
    expect(from).toBe(Date.parse(new X509Certificate(leaf!).validFrom) / 1000);
    expect(root.to).toBe(Date.parse(new X509Certificate(anchor).validTo) / 1000);
  });

  it("has none that is not right yet, or not any more", () => {
    const EXPIRED = "The server's certificate has expired.";
    const EARLY = "The server's certificate is not valid yet.";
    // Its end comes before that.
    const begin = Date.UTC(2030, 0, 1) / 1000;
    const later = (hex: string): string => hex.replace(/170d.{24}/, `170d${hexOf("300101000000")}`);
    const leaf = authority.changed(files, later);
    expect(problemOf([leaf], { now: begin - 1 })).toBe(EARLY);
    expect(problemOf([leaf], { now: begin })).toBe(EXPIRED);
    const below = authority.intermediate();
    expect(problemOf([server({ issuer: below })[0]!, authority.changed(below, later)])).toBe(EARLY);
    expect(problemOf(server({ issuer: authority.intermediate({ days: -1 }) }))).toBe(EXPIRED);
  });

  it("has no more authorities below the one that is trusted than that allows", () => {
    const flat = authority.server({ names: "", extensions: "basicConstraints=critical,CA:TRUE,pathlen:0" });
    const [trusted] = chainOf(flat);
    expect(problemOf(server({ issuer: flat }), { authority: trusted! })).toBe("");
    const below = authority.intermediate({ issuer: flat });
    expect(problemOf(server({ issuer: below }), { authority: trusted! })).toBe(NOT_SIGNED);
  });

  it("has each name where it has to be, whoever has signed", () => {
    const renamed = (hex: string): string => hex.replace(hexOf("Test CA"), hexOf("Best CA"));
    expect(problemOf([authority.changed(files, renamed)])).toBe(NOT_SIGNED);
    const below = authority.intermediate();
    const [leaf, between] = server({ issuer: below });
    const name = new X509Certificate(between!).subject.slice("CN=".length);
    const other = authority.changed(below, (hex) => hex.replace(hexOf(name), hexOf(name.replace("n", "m"))));
    expect(problemOf([leaf!, other])).toBe(NOT_SIGNED);
  });

  it("is worked out from the authority down, with no key that is not known to be right", () => {
    const impostor = new Authority("ec");
    const chain = chainOf(impostor.server({ names: NAMES, issuer: impostor.intermediate() }));
    const asked: Uint8Array[] = [];
    const problem = problemOf(chain, {
      hasSigned: (issuer, certificate) => {
        asked.push(issuer);
        return hasSigned(issuer, certificate);
      },
    });
    expect(problem).toBe(NOT_SIGNED);
    expect(asked).toEqual([readCertificate(anchor).key]);
    impostor.remove();
  });

  it("is for servers, and has no condition that nobody here knows", () => {
    expect(problemOf(server({ extensions: "extendedKeyUsage=serverAuth,clientAuth" }))).toBe("");
    expect(problemOf(server({ extensions: "extendedKeyUsage=clientAuth,serverAuth" }))).toBe("");
    expect(problemOf(server({ extensions: "extendedKeyUsage=anyExtendedKeyUsage" }))).toBe("");
    const purpose = "The server's certificate is not one for servers.";
    expect(problemOf(server({ extensions: "extendedKeyUsage=clientAuth" }))).toBe(purpose);
    expect(problemOf(server({ extensions: "keyUsage=keyAgreement" }))).toBe(purpose);
    const unread = "The server's certificate cannot be read.";
    expect(problemOf(server({ extensions: "1.2.3.4=critical,ASN1:NULL" }))).toBe(unread);
    expect(problemOf(server({ extensions: "1.2.3.4=ASN1:NULL" }))).toBe("");
    const critical = authority.server({ names: NAMES, extensions: "1.2.3.4=critical,ASN1:NULL" });
    expect(problemOf([authority.changed(critical, (hex) => hex.replace("0101ff0402", "0101000402"))])).toBe("");
    const useless = authority.server({ names: NAMES, extensions: "keyUsage=digitalSignature" });
    expect(problemOf([authority.changed(useless, (hex) => hex.replace("04040302", "04040301"))])).toBe(purpose);
    const narrow = authority.server({
      names: "",
      extensions: "basicConstraints=CA:TRUE\nnameConstraints=critical,permitted;DNS:other.org",
    });
    expect(problemOf(server({ issuer: narrow }))).toBe(unread);
  });

  const NO_OTHERS = "subjectKeyIdentifier=none\nauthorityKeyIdentifier=none\n";
  const unread = "The server's certificate cannot be read.";

  it.each([
    [MAX_EXTENSIONS - 1, ""],
    [MAX_EXTENSIONS, ""],
    [MAX_EXTENSIONS + 1, unread],
  ])("may have %i extensions: %s", (count, problem) => {
    // One is the name.
    const others = Array.from({ length: count - 1 }, (_, at) => `1.2.3.${at}=ASN1:NULL\n`);
    expect(problemOf(server({ extensions: NO_OTHERS + others.join("") }))).toBe(problem);
  });

  it.each([
    [MAX_IDENTIFIER - 1, ""],
    [MAX_IDENTIFIER, ""],
    [MAX_IDENTIFIER + 1, unread],
  ])("may have an object identifier of %i bytes: %s", (length, problem) => {
    // The first two numbers are one byte.
    expect(problemOf(server({ extensions: `1.2${".3".repeat(length - 1)}=ASN1:NULL` }))).toBe(problem);
  });

  /** With `by` more. */
  const grown = (byte: string, by: number): string => (parseInt(byte, 16) + by).toString(16).padStart(2, "0");

  it.each<[string, (hex: string) => string]>([
    ["version 2", (hex) => hex.replace("a003020102", "a003020101")],
    // A byte of the serial number makes room for another one.
    [
      "a long version",
      (hex) => hex.replace(/a00302010202(..)../, (_, length: string) => `a0040202020002${grown(length, -1)}`),
    ],
    ["a serial number that is none", (hex) => hex.replace(/a00302010202/, "a00302010204")],
    [
      "another algorithm than that of the signature",
      (hex) => hex.replace("06082a8648ce3d040302", "06082a8648ce3d040303"),
    ],
    ["a time without Z", (hex) => hex.replace(/170d(.{24})5a/, "170d$15b")],
    [
      "a time with something behind Z",
      (hex) =>
        hex.replace(
          /(a003020102)02(..)..(.*?)301e170d(.{24})5a/,
          (_, version: string, length: string, rest: string, time: string) =>
            `${version}02${grown(length, -1)}${rest}301f170e${time}5a5a`,
        ),
    ],
    ...["2f30", "3a30", "302f", "303a"].map((digits): [string, (hex: string) => string] => [
      `the year 0x${digits}`,
      (hex) => hex.replace(/170d..../, `170d${digits}`),
    ]),
    ["month 0", (hex) => hex.replace(/170d(....)..../, "170d$13030")],
    ["month 13", (hex) => hex.replace(/170d(....)..../, "170d$13133")],
  ])("is none when what is signed has %s", (_, change) => {
    expect(problemOf([authority.changed(files, change)])).toBe(unread);
  });

  it("may have been signed from 1950 on, and be right in the next century", () => {
    const from = (year: string): number =>
      readCertificate(authority.changed(files, (hex) => hex.replace(/170d.{24}/, `170d${hexOf(`${year}0301000000`)}`)))
        .from * 1000;
    expect(from("49")).toBe(Date.UTC(2049, 2, 1));
    expect(from("50")).toBe(Date.UTC(1950, 2, 1));
    expect(from("00")).toBe(Date.UTC(2000, 2, 1));
    for (const days of [27_000, 30_000]) {
      const [leaf] = server({ days });
      expect(readCertificate(leaf!).to * 1000).toBe(Date.parse(new X509Certificate(leaf!).validTo));
    }
  });

  it("is none when something follows in a certificate", () => {
    const [leaf] = server();
    const longer = Buffer.concat([leaf!, Buffer.of(0)]);
    longer.writeUInt16BE(longer.length - 4, 2);
    expect(problemOf([longer])).toBe(unread);
  });

  it("is none without certificates, or with what is none, or with a CA that is none", () => {
    expect(problemOf([])).toBe("The server sent no certificate.");
    expect(problemOf([new Uint8Array(0)])).toBe("The server's certificate cannot be read.");
    expect(problemOf(server(), { authority: new Uint8Array(0) })).toBe("The CA certificate cannot be read.");
    expect(problemOf(server(), { authority: server()[0]! })).toBe("What is set as CA certificate is not that of a CA.");
  });

  it("is none when any byte of it is another one", () => {
    const [leaf] = server();
    fc.assert(
      fc.property(fc.nat(leaf!.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const wrong = Uint8Array.from(leaf!);
        wrong[at]! ^= flip;
        expect(problemOf([wrong])).not.toBe("");
      }),
      { numRuns: 1_000 },
    );
  });

  it("is none when it is cut short or garbage", () => {
    const [leaf] = server();
    for (let length = 0; length < leaf!.length; length++) expect(problemOf([leaf!.subarray(0, length)])).not.toBe("");
    expect(problemOf([Uint8Array.from([...leaf!, 0])])).not.toBe("");
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => problemOf([bytes]) !== ""));
  });
});

describe("the names in a certificate", () => {
  it("have to be those of the server", () => {
    expect(problemOf(server({ names: "DNS:other.example.org" }))).toBe(
      "The server's certificate is for another host name.",
    );
    expect(problemOf(server(), { host: "other.example.org" })).toBe(
      "The server's certificate is for another host name.",
    );
  });

  const named = (names: string, host: string): boolean => isNamed(readCertificate(server({ names })[0]!).names, host);

  it.each([
    ["DNS:a.org,DNS:Broker.Example.org", HOST, true],
    ["DNS:*.example.org", HOST, true],
    ["DNS:*.example.org", "example.org", false],
    ["DNS:*.example.org", "a.broker.example.org", false],
    ["DNS:*.org", "example.org", false],
    ["DNS:x.example.org", HOST, false],
    ["DNS:broker.example.org", "Broker.Example.ORG", true],
    [`email:x@example.org,DNS:${HOST}`, HOST, true],
    ["DNS:br*.example.org", HOST, false],
    ["DNS:example.org", HOST, false],
    ["DNS:192.168.1.2", "192.168.1.2", false],
    ["IP:192.168.1.2", "192.168.1.2", true],
    ["IP:192.168.1.20", "192.168.1.2", false],
    ["IP:c0a8:0102::", "192.168.1.2", false],
    [`email:x@example.org,URI:https://${HOST}/`, HOST, false],
    ["", HOST, false],
  ])("%s is %s: %s", (names, host, expected) => {
    expect(named(names, host)).toBe(expected);
  });

  it("are of printable characters", () => {
    const isIt = (host: string): boolean => isNamed(Buffer.from([0x82, host.length, ...Buffer.from(host)]), host);
    expect(isIt("a!b~c")).toBe(true);
    expect(isIt("a b")).toBe(false);
    expect(isIt("a\x7fb")).toBe(false);
  });

  it.each<[string, number[] | undefined]>([
    ["192.168.1.2", [192, 168, 1, 2]],
    ["192.168.1", undefined],
    ["192.168.1.2.3", undefined],
    ["192.168..2", undefined],
    ["192.168.01.2", undefined],
    ["192.168.1.x", undefined],
    ["7", undefined],
  ])("the address %s is %s", (host, address) => {
    expect(addressOf(host)).toEqual(address);
  });
});
