/** The TLS socket with its C over Debian's mbedTLS: who is trusted, and how everybody else is refused. Under AddressSanitizer. */
import { createPublicKey, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import type { AddressInfo, Socket } from "node:net";
import { createServer, type TlsOptions, type TLSSocket } from "node:tls";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MAX_FRAGMENT, MAX_HANDSHAKE, RESERVE } from "tls-socket/limits";
import { Authority, dersOf, documented, resigned, type ServerFiles } from "../support/tls/certificates";
import { NativeProgram } from "../support/boards/native-program";
import { buildClient } from "./tls/build";
import {
  ALERT,
  Attacker,
  BEYOND_THE_ORDER,
  certificateList,
  certificates,
  CHANGE_CIPHER_SPEC,
  HANDSHAKE,
  keyExchange,
  message,
  record,
  recordTypes,
  serverHello,
  serverHelloDone,
  SHA256_ECDSA,
  SHA256_RSA,
} from "../support/tls/tls-attacker";
import { meddle, type Meddling } from "../support/tls/tls-meddler";

const APPLICATION_DATA = 23;
/** Largest record after the handshake, without its header: explicit nonce and tag of AES-GCM (RFC 5288) besides the fragment. */
const MAX_RECORD = MAX_FRAGMENT + 8 + 16;
const DAY = 86_400;
const SECRET = "the-password";
const NOT_SIGNED = "certificate-untrusted";
const OTHER_KEY = "certificate-key";
const PROTOCOL = "tls-protocol";
const UNREAD = "certificate-unreadable";
const LONG = "tls-long-record";
const NO_TLS = "not-tls";
const REFUSES = "tls-refused";
const FAILED = "tls-failed";

let built: Awaited<ReturnType<typeof buildClient>>;
let authority: Authority;
let rsa: Authority;
let other: Authority;
let files: ServerFiles;
let program: NativeProgram;
let heard: Buffer[];
let close: () => void = () => undefined;

beforeAll(async () => {
  built = await buildClient();
  authority = new Authority("ec");
  rsa = new Authority("rsa");
  other = new Authority("ec", "Another CA");
  files = authority.server();
});
afterAll(() => {
  authority.remove();
  rsa.remove();
  other.remove();
});
beforeEach(() => {
  heard = [];
  program = new NativeProgram(built);
});
afterEach(async () => {
  close();
  close = () => undefined;
  // AddressSanitizer and its search for leaks have the last word.
  expect(await program.stop()).toEqual({ status: 0, words: "" });
});

const now = (): number => Math.floor(Date.now() / 1_000);
const open = (port: number, more: object = {}): void =>
  program.send({
    open: { port, host: "127.0.0.1", ca: [...dersOf(authority.pem)[0]!], date: now(), send: SECRET, ...more },
  });
const one = (): Buffer => dersOf(authority.pem)[0]!;
const trusting = (one: Authority): object => ({ ca: [...dersOf(one.pem)[0]!] });

/** Node's TLS server, which answers whatever it receives. */
async function serve(tls: ServerFiles, answer = "welcome", options: TlsOptions = {}): Promise<number> {
  const server = createServer({ cert: readFileSync(tls.chain), key: readFileSync(tls.key), ...options });
  const sockets = new Set<TLSSocket>();
  server.on("secureConnection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (bytes: Buffer) => {
      heard.push(bytes);
      socket.write(answer);
    });
  });
  server.on("tlsClientError", () => undefined);
  await once(server.listen(0, "127.0.0.1"), "listening");
  close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return (server.address() as AddressInfo).port;
}

const isError = (said: object): boolean => "error" in said;
const received = (text: string | number) => (said: Record<string, unknown>) => said["received"] === text;

async function believes(tls: ServerFiles, more: object = {}): Promise<void> {
  open(await serve(tls), more);
  await program.until("the answer", received("welcome"));
  expect(Buffer.concat(heard).toString()).toBe(SECRET);
}

async function refuses(port: number, problem: string | null, more: object = {}): Promise<void> {
  open(port, more);
  expect(await program.until("the end", isError)).toEqual({ error: problem });
}

/** The files of `leaf`, with the certificates of others in its chain. */
function chained(leaf: ServerFiles, ...above: string[]): ServerFiles {
  const chain = `${leaf.key}.chain`;
  writeFileSync(chain, [leaf.certificate, ...above].map((file) => readFileSync(file, "utf8")).join(""));
  return { ...leaf, chain };
}

const P384 = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-384"];

describe("a trusted server", () => {
  it("exchanges data in records of the requested size", async () => {
    open(await serve(files, "x".repeat(20_000)));
    await program.until("the answer", received(20_000));
    const told = program.said.filter(({ count }) => count !== undefined);
    expect(told.length).toBeGreaterThan(4);
    for (const { count, all } of told) {
      expect(count).toBe(all);
      expect(count).toBeLessThanOrEqual(MAX_FRAGMENT);
    }
  });

  it.each<[string, () => ServerFiles, (() => object)?]>([
    [
      "has a certificate of RSA, and is a chain of one",
      () => ((one) => ({ ...one, chain: one.certificate }))(rsa.server()),
      () => trusting(rsa),
    ],
    ["has one of an authority below", () => authority.server({ issuer: authority.intermediate() })],
    ["signs with P-256 and SHA-512", () => authority.server({ digest: "sha512" })],
    [
      "signs with P-384 and SHA-384",
      () => authority.server({ issuer: authority.intermediate({ key: P384 }), digest: "sha384" }),
    ],
    [
      "signs with P-384 and SHA-512",
      () => authority.server({ issuer: authority.intermediate({ key: P384 }), digest: "sha512" }),
    ],
    ["has a key on P-384", () => authority.server({ key: P384 })],
    ["signs with RSA and SHA-384", () => rsa.server({ digest: "sha384" }), () => trusting(rsa)],
    ["signs with RSA and SHA-512", () => rsa.server({ digest: "sha512" }), () => trusting(rsa)],
    ["has an RSA key of 4,096 bits", () => authority.server({ key: ["-newkey", "rsa:4096"] })],
    [
      "has the name in its certificate",
      () => authority.server({ names: "DNS:broker.home" }),
      () => ({ host: "broker.home" }),
    ],
    ["has a wildcard", () => authority.server({ names: "DNS:*.home" }), () => ({ host: "broker.home" })],
    ["has the name in capitals", () => authority.server({ names: "DNS:Broker.HOME" }), () => ({ host: "broker.home" })],
  ])("%s", (_, make, more) => believes(make(), more?.()));

  it.each([0, 1, 2])("has a certificate of CA %i of three", (at) => {
    const ders = [rsa, other].map(({ pem }) => dersOf(pem)[0]!);
    ders.splice(at, 0, one());
    return believes(files, { ca: [...Buffer.concat(ders)] });
  });

  it("has the certificate of docs/mqtt.md", () => {
    const { ca, files: tls } = documented();
    return believes(tls, { ca: [...dersOf(ca)[0]!] });
  });

  it("gets at most one record, and no more than fits, per write", async () => {
    open(await serve(files, "", {}), { room: 2 * MAX_FRAGMENT });
    expect(await program.until("the handshake", ({ open }) => open === true)).toMatchObject({ room: MAX_FRAGMENT });
    const tried = async (writeBytes: number): Promise<unknown> =>
      (await program.ask({ writeBytes }, "the write", (said) => "room" in said || "thrown" in said))["thrown"];
    expect(await tried(MAX_FRAGMENT)).toBeUndefined();
    expect(await tried(MAX_FRAGMENT + 1)).toMatch(/would block/);
    expect(await tried(0)).toBeUndefined();
  });

  it.each([29, 30, 512])("has a connection with room for %i bytes at a time", async (room) => {
    open(await serve(files), { room: room + RESERVE, send: "x" });
    await program.until("the answer", received("welcome"));
    expect(program.said.find(({ open }) => open)).toMatchObject({ room });
  });

  it("is read with its next bytes if there was no memory for a timer", async () => {
    await believes(files);
    program.send({ refuseTimers: 1, write: "one" });
    await program.until("the refusal", ({ refused }) => refused === true);
    program.send({ write: "more" });
    await program.until("all answers", received("welcome".repeat(3)));
  });

  it("says goodbye", async () => {
    const port = await serve(files);
    open(port);
    await program.until("the answer", received("welcome"));
    close();
    expect(await program.until("the end", isError)).toEqual({ error: null });
  });

  it("may be left during the handshake and during data", async () => {
    const port = await serve(files, "x".repeat(20_000));
    for (let times = 20; times; times--) {
      const from = program.said.length;
      open(port);
      if (times & 1) await program.until("data", (said) => said["received"] !== undefined, from);
      await program.ask({ close: true }, "the end", ({ closed }) => closed === true);
    }
  });
});

describe("an untrusted server", () => {
  it.each<[string, () => ServerFiles, string, (() => object)?]>([
    ["another host name", () => authority.server({ names: "DNS:localhost,IP:127.0.0.2" }), "name"],
    ["an address as a name", () => authority.server({ names: "DNS:127.0.0.1" }), "name"],
    ["an address of four bytes too many", () => authority.server({ names: "IP:7f00:1::" }), "name"],
    [
      "a wildcard for two labels",
      () => authority.server({ names: "DNS:*.home" }),
      "name",
      () => ({ host: "a.broker.home" }),
    ],
    ["a long name", () => authority.server({ names: `DNS:${"a".repeat(1_000)}.example.org` }), "name"],
    // Its common name is "number …".
    ["no name at all", () => authority.server({ names: "" }), "name", () => ({ host: "number 7" })],
    ["an end in the past", () => authority.server({ days: -1 }), "expired"],
    ["an end in the device's past", () => files, "expired", () => ({ date: now() + 60 * DAY })],
    ["the purpose of a client", () => authority.server({ extensions: "extendedKeyUsage=clientAuth" }), "use"],
    ["another CA", () => rsa.server(), "untrusted"],
    ["a CA of the same name", () => new Authority("ec").server(), "untrusted"],
    ["an issuer that is no CA", () => authority.server({ issuer: files }), "untrusted"],
    [
      "an issuer that may not sign certificates",
      () =>
        authority.server({
          issuer: authority.intermediate({
            extensions: "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,cRLSign",
          }),
        }),
      "untrusted",
    ],
    [
      "an authority deeper than is allowed",
      () =>
        authority.server({
          issuer: authority.intermediate({
            issuer: authority.intermediate({ extensions: "basicConstraints=critical,CA:TRUE,pathlen:0" }),
          }),
        }),
      "untrusted",
    ],
    [
      "somebody else's right one behind its own",
      () => chained(new Authority("ec", "Another").server(), files.certificate),
      "untrusted",
    ],
    [
      "a critical extension that nobody knows",
      () => authority.server({ extensions: "1.2.3.4=critical,DER:0500" }),
      "unreadable",
    ],
  ])("has a certificate with %s", async (_, make, problem, more) => {
    await refuses(await serve(make()), `certificate-${problem}`, more?.());
    expect(heard).toEqual([]);
  });

  it("has a CA that is not yet valid by the device's clock", async () => {
    const from = Date.parse(new X509Certificate(authority.pem).validFrom) / 1_000;
    await refuses(await serve(files), "ca-early", { date: from - 1 });
  });

  it.each([0, 1])("is trusted until the last second of its certificate, and not %i s later", async (later) => {
    const date = Date.parse(new X509Certificate(readFileSync(files.certificate)).validTo) / 1_000 + later;
    if (later) await refuses(await serve(files), "certificate-expired", { date });
    else await believes(files, { date });
  });

  it.each<[string, () => Buffer[]]>([
    ["nothing", () => []],
    ["something else", () => [Buffer.of(0x30, 1, 0)]],
    ["a byte more", () => [one(), Buffer.of(0)]],
    ["another, without its last byte", () => [one(), dersOf(rsa.pem)[0]!.subarray(0, -1)]],
  ])("is to be verified with %s in place of certificates", async (_, make) => {
    await refuses(await serve(files), "ca-unreadable", { ca: [...Buffer.concat(make())] });
  });

  it.each<[string, TlsOptions, string]>([
    ["has TLS 1.3 only", { minVersion: "TLSv1.3" }, REFUSES],
    ["has no suite that is known here", { ciphers: "ECDHE-ECDSA-CHACHA20-POLY1305", maxVersion: "TLSv1.2" }, REFUSES],
  ])("%s", async (_, options, problem) => refuses(await serve(files, "", options), problem));

  const zeros = Buffer.from("3006020100020100", "hex");
  const garbage = Buffer.from(`3045022100${"ab".repeat(32)}0220${"12".repeat(32)}`, "hex");
  const whole = (...messages: Buffer[]): Buffer => record(HANDSHAKE, Buffer.concat(messages));
  const chain = (): Buffer => certificates(readFileSync(files.certificate, "utf8"));
  const withKey = (kind: string, ...options: string[]): Buffer => {
    const { certificate } = authority.server({
      key: ["-newkey", kind, ...options.flatMap((one) => ["-pkeyopt", one])],
    });
    const isRsa = kind === "rsa";
    const signed = isRsa ? keyExchange(SHA256_RSA, Buffer.alloc(256, 0x5a)) : keyExchange(SHA256_ECDSA, garbage);
    const list = certificates(readFileSync(certificate, "utf8"));
    return whole(serverHello({ suite: isRsa ? 0xc02f : 0xc02b }), list, signed, serverHelloDone);
  };
  const certified = (certificate: Buffer): Buffer =>
    whole(serverHello(), certificateList([certificate]), keyExchange(SHA256_ECDSA, garbage), serverHelloDone);
  const certifiedByRsa = (certificate: Buffer): Buffer =>
    whole(
      serverHello({ suite: 0xc02f }),
      certificateList([certificate]),
      keyExchange(SHA256_RSA, Buffer.alloc(256, 0x5a)),
      serverHelloDone,
    );
  const POINT = "03420004";

  it.each<[string, () => Buffer, string, (() => object)?]>([
    ["says goodbye at once", () => record(ALERT, Buffer.from([1, 0])), REFUSES],
    ["refuses at once", () => record(ALERT, Buffer.from([2, 40])), REFUSES],
    [
      "says goodbye after its hello",
      () => Buffer.concat([whole(serverHello()), record(ALERT, Buffer.from([1, 0]))]),
      REFUSES,
    ],
    ["has TLS 1.1", () => whole(serverHello({ version: 0x0302 })), "tls-version"],
    ["takes a suite that was not offered", () => whole(serverHello({ suite: 0x002f })), PROTOCOL],
    ["compresses", () => whole(serverHello({ compression: 1 })), PROTOCOL],
    ["has a session of 33 bytes", () => whole(serverHello({ session: 33 })), PROTOCOL],
    [
      "has a key that nobody has signed",
      () => whole(serverHello(), chain(), keyExchange(0, Buffer.alloc(0)), serverHelloDone),
      PROTOCOL,
    ],
    [
      "has a key signed with zeros",
      () => whole(serverHello(), chain(), keyExchange(SHA256_ECDSA, zeros), serverHelloDone),
      FAILED,
    ],
    [
      "has a key signed with the order of the curve",
      () => whole(serverHello(), chain(), keyExchange(SHA256_ECDSA, BEYOND_THE_ORDER), serverHelloDone),
      FAILED,
    ],
    [
      "has a key that somebody else has signed",
      () => whole(serverHello(), chain(), keyExchange(SHA256_ECDSA, garbage), serverHelloDone),
      FAILED,
    ],
    [
      "has another curve",
      () => whole(serverHello(), chain(), keyExchange(SHA256_ECDSA, garbage, 25), serverHelloDone),
      PROTOCOL,
    ],
    ["has no key", () => whole(serverHello(), chain(), serverHelloDone), PROTOCOL],
    ["has no certificate", () => whole(serverHello(), keyExchange(SHA256_ECDSA, garbage), serverHelloDone), PROTOCOL],
    ["has an empty chain", () => whole(serverHello(), message(11, Buffer.alloc(3))), PROTOCOL],
    ["is finished before it has begun", () => whole(serverHello(), message(20, Buffer.alloc(12))), PROTOCOL],
    [
      "encrypts too early",
      () => Buffer.concat([whole(serverHello()), record(CHANGE_CIPHER_SPEC, Buffer.from([1]))]),
      PROTOCOL,
    ],
    [
      "sends data in the clear",
      () => Buffer.concat([whole(serverHello()), record(APPLICATION_DATA, Buffer.from("hello"))]),
      PROTOCOL,
    ],
    ["has a record of 65,535 bytes", () => Buffer.from([HANDSHAKE, 3, 3, 0xff, 0xff]), LONG],
    ["has a message that is longer than its record", () => whole(Buffer.from([2, 0, 64, 0, 3, 3])), PROTOCOL],
    ["has a broken hello", () => whole(message(2, Buffer.from([3, 3, 1]))), PROTOCOL],
    [
      "has a broken certificate",
      () => whole(serverHello(), message(11, Buffer.from([0, 0, 6, 0, 0, 3, 0x30, 0x84, 0xff]))),
      PROTOCOL,
    ],
    [
      "has a thousand certificates of nothing",
      () => whole(serverHello(), certificateList(Array<Buffer>(1_000).fill(Buffer.alloc(0)))),
      PROTOCOL,
    ],
    ...([-1, 0, 1] as const).map((more): [string, () => Buffer, string] => [
      `has a record of ${MAX_HANDSHAKE + more} bytes`,
      () => record(HANDSHAKE, Buffer.alloc(MAX_HANDSHAKE + more)),
      more > 0 ? LONG : PROTOCOL,
    ]),
    ["has an RSA key of 2,040 bits", () => withKey("rsa", "rsa_keygen_bits:2040"), OTHER_KEY],
    ["has an RSA key of 2,048 bits that has not signed", () => withKey("rsa", "rsa_keygen_bits:2048"), FAILED],
    ["has a certificate of another kind of key", () => withKey("ed25519"), OTHER_KEY],
    ["has a certificate of another curve", () => withKey("ec", "ec_paramgen_curve:secp521r1"), OTHER_KEY],
    ["has an empty record", () => record(HANDSHAKE, Buffer.alloc(0)), NO_TLS],
    ["speaks HTTP", () => Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"), NO_TLS],
    ["has a certificate that nobody has signed", () => certified(resigned(files, () => garbage)), NOT_SIGNED],
    ["has one that zeros have signed", () => certified(resigned(files, () => zeros)), NOT_SIGNED],
    [
      "has one that is signed with SHA-1",
      () => certified(der(authority.server({ digest: "sha1" }))),
      "certificate-signature",
    ],
    [
      "has one for another use than signatures",
      () => certified(der(authority.server({ extensions: "keyUsage=critical,keyAgreement" }))),
      "certificate-use",
    ],
    ["has one signed with the curve's order", () => certified(resigned(files, () => BEYOND_THE_ORDER)), NOT_SIGNED],
    [
      "has one for a key that is not on the curve",
      () => certified(authority.changed(files, (hex) => hex.replace(/03420004(.{8})/, `${POINT}00000000`))),
      FAILED,
    ],
    [
      "has one for a key that is cut short",
      () => certified(authority.changed(files, (hex) => hex.replace(POINT, "03400004"))),
      UNREAD,
    ],
    [
      "has one with a wrong number of RSA",
      () => certifiedByRsa(resigned(rsa.server(), flippedAtEnd)),
      NOT_SIGNED,
      () => trusting(rsa),
    ],
    ["has one with a number above the modulus", () => certifiedByRsa(aboveModulus()), NOT_SIGNED, () => trusting(rsa)],
    [
      "has one with too short a number",
      () => certifiedByRsa(resigned(rsa.server(), (signature) => signature.subarray(0, 32))),
      NOT_SIGNED,
      () => trusting(rsa),
    ],
    [
      "has one with too long a number",
      () => certifiedByRsa(resigned(rsa.server(), (signature) => Buffer.concat([Buffer.of(0), signature]))),
      NOT_SIGNED,
      () => trusting(rsa),
    ],
  ])("%s", async (_, says, problem, more) => {
    const attacker = await Attacker.start(says());
    close = () => attacker.stop();
    await refuses(attacker.port, problem, more?.());
    const bytes = Buffer.concat(attacker.heard);
    expect(bytes.length).toBeGreaterThan(80);
    expect(bytes.toString("latin1")).not.toContain(SECRET);
    const types = recordTypes(bytes);
    expect(types[0]).toBe(HANDSHAKE);
    expect(types).not.toContain(APPLICATION_DATA);
  });

  it("sends noise", async () => {
    // Every byte of what a right server says first, wrong.
    const right = whole(serverHello(), chain(), keyExchange(SHA256_ECDSA, garbage), serverHelloDone);
    for (let at = 0; at < right.length; at += 7) {
      const says = Buffer.from(right);
      says[at]! ^= 0x55;
      const attacker = await Attacker.start(says);
      // A record that is longer than what comes is waited for until then.
      attacker.server.on("connection", (socket: Socket) => socket.on("data", () => socket.end()));
      const from = program.said.length;
      open(attacker.port);
      await program.until("the end", isError, from);
      attacker.stop();
    }
    expect(program.said.some((said) => "open" in said)).toBe(false);
  });
});

const der = ({ certificate }: ServerFiles): Buffer => new X509Certificate(readFileSync(certificate)).raw;

function flippedAtEnd(signature: Buffer): Buffer {
  signature[signature.length - 1]! ^= 1;
  return signature;
}

/** With the modulus added, a signature is the same to a verifier that does not check its range. */
function aboveModulus(): Buffer {
  const { n } = createPublicKey(rsa.pem).export({ format: "jwk" });
  const modulus = BigInt(`0x${Buffer.from(n!, "base64url").toString("hex")}`);
  const most = 1n << 2_048n;
  for (;;) {
    let sum = 0n;
    const certificate = resigned(rsa.server(), (signature) => {
      sum = modulus + BigInt(`0x${signature.toString("hex")}`);
      return Buffer.from((sum % most).toString(16).padStart(512, "0"), "hex");
    });
    if (sum < most) return certificate;
  }
}

describe("a man in the middle of a trusted server", () => {
  const FINISHED_RECORD = 5 + 8 + 16 + 16;
  const ENDS = "tls-ended";
  const isFinished = (bytes: Buffer): boolean => bytes[0] === HANDSHAKE && bytes.length === FINISHED_RECORD;
  const isData = (bytes: Buffer): boolean => bytes[0] === APPLICATION_DATA;
  const flipped = (bytes: Buffer, at: number): Buffer => {
    bytes[at]! ^= 1;
    return bytes;
  };
  const short = (type: number, length: number): Buffer => record(type, Buffer.alloc(length, 0x41));
  let count: number;

  it.each<[string, Meddling, string | null]>([
    ...[1, 8, 9, 23, 24, 25].flatMap((length): [string, Meddling, string][] => [
      [`makes data of ${length} bytes`, (bytes) => (isData(bytes) ? short(APPLICATION_DATA, length) : bytes), FAILED],
      [
        `makes a Finished of ${length} bytes`,
        (bytes) => (isFinished(bytes) ? short(HANDSHAKE, length) : bytes),
        FAILED,
      ],
    ]),
    ...([-1, 0, 1] as const).map((more): [string, Meddling, string] => [
      `makes data of ${MAX_RECORD + more} bytes`,
      (bytes) => (isData(bytes) ? short(APPLICATION_DATA, MAX_RECORD + more) : bytes),
      more > 0 ? LONG : FAILED,
    ]),
    ["changes the server's random", (bytes) => (count++ ? bytes : flipped(bytes, 20)), FAILED],
    ["changes a Finished", (bytes) => (isFinished(bytes) ? flipped(bytes, 20) : bytes), FAILED],
    ["changes a tag", (bytes) => (isData(bytes) ? flipped(bytes, bytes.length - 1) : bytes), FAILED],
    ["changes a version", (bytes) => (isData(bytes) ? flipped(bytes, 2) : bytes), FAILED],
    ["makes handshakes of data", (bytes) => (isData(bytes) ? flipped(bytes, 0) : bytes), FAILED],
    ["says goodbye", (bytes) => (isData(bytes) ? record(ALERT, Buffer.from([1, 0])) : bytes), FAILED],
    ["repeats the first data", (bytes) => (isData(bytes) ? Buffer.concat([bytes, bytes]) : bytes), FAILED],
    [
      "leaves the change of ciphers out",
      (bytes) => bytes.subarray(bytes[0] === CHANGE_CIPHER_SPEC ? bytes.length : 0),
      PROTOCOL,
    ],
    [
      "changes ciphers again",
      (bytes) => (isData(bytes) ? record(CHANGE_CIPHER_SPEC, Buffer.from([1])) : bytes),
      FAILED,
    ],
    [
      "ends the connection before the Finished",
      (bytes, end) => {
        if (bytes[0] === CHANGE_CIPHER_SPEC) end();
        return bytes;
      },
      ENDS,
    ],
  ])("%s", async (_, meddling, problem) => {
    count = 0;
    const port = await serve(files);
    const stopServer = close;
    const meddler = await meddle(port, meddling);
    close = () => {
      meddler.stop();
      stopServer();
    };
    await refuses(meddler.port, problem);
    expect(program.said.filter((said) => said["received"] !== undefined && said["received"] !== "welcome")).toEqual([]);
  });
});
