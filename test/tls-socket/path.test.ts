/** Who is believed, with certificates of openssl's and Node's cryptography in the place of the SDK's. */
import { createPublicKey, verify, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readCertificate, type Certificate } from "tls-socket/certificate";
import { MAX_CHAIN, MAX_EXTENSIONS, MAX_IDENTIFIER } from "tls-socket/limits";
import { isNamed } from "tls-socket/names";
import { Untrusted, validate, type Trust } from "tls-socket/path";
import { Authority, type ServerFiles, type ServerOptions } from "../support/certificates";

const HOST = "broker.example.org";
const NAMES = `DNS:${HOST}`;
// A minute ahead: the certificates are made later than this.
const now = Math.floor(Date.now() / 1000) + 60;

const ders = (pem: string): Uint8Array[] =>
  pem.match(/-----BEGIN[^]*?-----END CERTIFICATE-----/g)!.map((text) => Uint8Array.from(new X509Certificate(text).raw));
const chainOf = ({ chain }: ServerFiles): Uint8Array[] => ders(readFileSync(chain, "utf8"));

/** As the device's: SHA-256 is all that the test's authorities use. */
function hasSigned(issuer: Uint8Array, { signature, signed }: Certificate): boolean {
  const key = createPublicKey({ key: Buffer.from(issuer), format: "der", type: "spki" });
  return verify("sha256", signed, key, signature);
}

let authority: Authority;
let anchor: Uint8Array;

beforeAll(() => {
  authority = new Authority("ec");
  anchor = ders(authority.pem)[0]!;
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
    expect(Math.abs(from - now)).toBeLessThan(180);
    expect(problemOf([leaf!], { now: from })).toBe("");
    expect(problemOf([leaf!], { now: to })).toBe("");
    expect(problemOf([leaf!], { now: to + 1 })).toBe("The server's certificate has expired.");
    const root = readCertificate(anchor);
    expect(problemOf([leaf!], { now: root.from - 1 })).toBe("The CA certificate is not valid yet.");
    expect(problemOf([leaf!], { now: root.to + 1 })).toBe("The CA certificate has expired.");
    expect(from).toBe(Date.parse(new X509Certificate(leaf!).validFrom) / 1000);
    expect(root.to).toBe(Date.parse(new X509Certificate(anchor).validTo) / 1000);
  });

  it("is for servers, and has no condition that nobody here knows", () => {
    expect(problemOf(server({ extensions: "extendedKeyUsage=serverAuth,clientAuth" }))).toBe("");
    const purpose = "The server's certificate is not one for servers.";
    expect(problemOf(server({ extensions: "extendedKeyUsage=clientAuth" }))).toBe(purpose);
    expect(problemOf(server({ extensions: "keyUsage=keyAgreement" }))).toBe(purpose);
    const unread = "The server's certificate cannot be read.";
    expect(problemOf(server({ extensions: "1.2.3.4=critical,ASN1:NULL" }))).toBe(unread);
    expect(problemOf(server({ extensions: "1.2.3.4=ASN1:NULL" }))).toBe("");
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
});
