/** MQTT over TLS with the Moddable SDK's own TLS, as far as modules/tls-socket leaves it alone: who is let through, and what it takes. */
import { setTimeout as wait } from "node:timers/promises";
import { createPublicKey, X509Certificate } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startBroker, type Listener, type TestBroker } from "../support/broker";
import { Authority, documented, resigned, type ServerFiles } from "../support/certificates";
import { LinuxSystem } from "../support/linux-system";
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
  serverHello,
  serverHelloDone,
  SHA256_ECDSA,
  SHA256_RSA,
} from "../support/tls-attacker";
import { meddle, type Meddling } from "../support/tls-meddler";
import { MAX_RECORD, MAX_RSA_BITS, MIN_RSA_BITS, MIN_RSA_EXPONENT } from "tls-socket/limits";
import { MAX_EVENTS } from "../../src/events/limits";
import type { MqttSettings } from "../../src/settings/types";

const SETTLE = 4_000;
/** What the face may take with TLS; a chunk's header is larger here than on the device. */
const MAX_SLOTS = 420;
const MAX_CHUNKS = 7_000;
/** Of 640. */
const MAX_STACK = 480;
/** Fifty handshakes leave nothing behind but what moves by itself. */
const MAX_GROWTH_SLOTS = 40;
const MAX_GROWTH_CHUNKS = 500;
const DAY = 86_400_000;
const USER = "the-user";
const PASSWORD = "the-password";
const APPLICATION_DATA = 23;

let authority: Authority;
let rsa: Authority;
let files: ServerFiles;
let broker: TestBroker | undefined;
let system: LinuxSystem;

beforeAll(() => {
  authority = new Authority("ec");
  rsa = new Authority("rsa");
  files = authority.server();
});
afterAll(() => {
  authority.remove();
  rsa.remove();
});
beforeEach(async () => {
  system = await LinuxSystem.start();
  await system.setTime();
});
afterEach(async () => {
  await system.stop();
  await broker?.stop();
  broker = undefined;
});

const until = async (what: string, condition: () => boolean, seconds = 20): Promise<void> => {
  // What the program has said is read with its next answer.
  for (const end = Date.now() + seconds * 1000; !condition(); await wait(50), await system.meters())
    if (Date.now() > end) throw new Error(`waited in vain until ${what}: ${system.console.join("; ")}`);
};
const said = (): string[] => system.console.filter((line) => line.startsWith("MQTT: "));
const connect = (port: number, settings: Partial<MqttSettings> = {}): Promise<void> =>
  system.configure("mqtt", {
    enabled: true,
    host: "127.0.0.1",
    port,
    tls: true,
    ca: authority.pem,
    user: USER,
    password: PASSWORD,
    ...settings,
  });

async function withBroker(tls: ServerFiles, settings: Partial<MqttSettings> = {}): Promise<Listener> {
  broker = await startBroker({ tls });
  const client = await broker.client();
  await connect(broker.tlsPort, settings);
  return client;
}

const isPublished = (client: Listener): boolean =>
  ["/config", "/telemetry", "/relay"].every((end) => [...client.topics.keys()].some((name) => name.endsWith(end)));

/** The files of `leaf`, with the certificates of others in its chain. */
function chained(leaf: ServerFiles, ...above: string[]): ServerFiles {
  const chain = `${leaf.key}.chain`;
  writeFileSync(chain, [leaf.certificate, ...above].map((file) => readFileSync(file, "utf8")).join(""));
  return { ...leaf, chain };
}

describe("a server that is believed", () => {
  it("publishes, takes commands, and takes no more memory with each connection", async () => {
    await wait(SETTLE);
    const before = await system.meters();
    const client = await withBroker(files);
    await until("everything is published", () => isPublished(client));
    const base = [...client.topics.keys()].find((name) => name.endsWith("/telemetry"))!.slice(0, -"/telemetry".length);
    const results = (): string[] =>
      client.messages
        .filter(({ topic }) => topic === `${base}/result`)
        .map(({ text }) => (JSON.parse(text) as { status: string }).status);
    await wait(SETTLE);
    await client.publish(`${base}/command/charge_mos/set`, "off");
    await until("the command is confirmed", () => results().length === 2);
    expect(results()).toEqual(["accepted", "confirmed"]);
    expect(system.bms.registers.read("BatChargeEN")).toBe(0);
    // Of several records.
    await client.publish(`${base}/request`, "x".repeat(20_000));
    await until("it is refused", () => results().length === 3);
    const rest = await system.meters();
    expect(rest.slots - before.slots).toBeLessThan(MAX_SLOTS);
    expect(rest.chunks - before.chunks).toBeLessThan(MAX_CHUNKS);
    expect(rest.stack).toBeLessThan(MAX_STACK);

    let interval = 61;
    const reconnect = async (times: number): Promise<void> => {
      for (; times; times--) {
        client.topics.clear();
        await system.configure("mqtt", { interval: interval++ });
        await until("it is connected again", () => client.topics.get(`${base}/availability`) === "online");
        await wait(50);
      }
      await wait(SETTLE);
    };
    // The log of events is full after that.
    await reconnect(MAX_EVENTS + 1);
    const full = await system.meters();
    await reconnect(50);
    const after = await system.meters();
    expect(after.slots - full.slots).toBeLessThan(MAX_GROWTH_SLOTS);
    expect(after.chunks - full.chunks).toBeLessThan(MAX_GROWTH_CHUNKS);
  }, 200_000);

  it("is set up with the commands of docs/mqtt.md", async () => {
    const { ca, files: tls } = documented();
    const client = await withBroker(tls, { ca });
    await until("everything is published", () => isPublished(client));
  });

  it("has a certificate of RSA, and is a chain of one", async () => {
    const server = rsa.server();
    const client = await withBroker({ ...server, chain: server.certificate }, { ca: rsa.pem });
    await until("everything is published", () => isPublished(client));
  });

  it("has a certificate of an authority below the one that is set", async () => {
    const client = await withBroker(authority.server({ issuer: authority.intermediate() }));
    await until("everything is published", () => isPublished(client));
  });
});

describe("a signature that is believed", () => {
  const P384 = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-384"];

  it.each<[string, () => ServerFiles, (() => string)?]>([
    // Of which the leftmost 256 bits are signed.
    ["of P-256 with SHA-512", () => authority.server({ digest: "sha512" })],
    [
      "of P-384 with SHA-384",
      () => authority.server({ issuer: authority.intermediate({ key: P384 }), digest: "sha384" }),
    ],
    [
      "of P-384 with SHA-512",
      () => authority.server({ issuer: authority.intermediate({ key: P384 }), digest: "sha512" }),
    ],
    ["of RSA with SHA-384", () => rsa.server({ digest: "sha384" }), () => rsa.pem],
    ["of RSA with SHA-512", () => rsa.server({ digest: "sha512" }), () => rsa.pem],
  ])("is one %s", async (_, make, ca) => {
    const client = await withBroker(make(), ca && { ca: ca() });
    await until("everything is published", () => isPublished(client));
  });
});

describe("a server that is not", () => {
  it.each<[string, () => ServerFiles, string]>([
    ["another host name", () => authority.server({ names: "DNS:localhost,IP:127.0.0.2" }), "is for another host name."],
    [
      "a name that the stack has no room for",
      () => authority.server({ names: `DNS:${"a".repeat(1_000)}.example.org` }),
      "is for another host name.",
    ],
    ["no name at all", () => authority.server({ names: "" }), "is for another host name."],
    ["an end in the past", () => authority.server({ days: -1 }), "has expired."],
    [
      "the purpose of a client",
      () => authority.server({ extensions: "extendedKeyUsage=clientAuth" }),
      "is not one for servers.",
    ],
    ["another CA", () => rsa.server(), "is not signed by the CA that is set."],
    ["a CA of the same name", () => new Authority("ec").server(), "is not signed by the CA that is set."],
    // The SDK's own check lets the next three through.
    ["an issuer that is no CA", () => authority.server({ issuer: files }), "is not signed by a CA."],
    [
      "somebody else's right one behind its own",
      () => chained(new Authority("ec", "Another").server(), files.certificate),
      "is not signed by the CA that is set.",
    ],
  ])("has a certificate with %s", async (_, make, problem) => {
    const client = await withBroker(make());
    await until("it is told", () => said().length > 0);
    expect(said()).toEqual([`MQTT: The server's certificate ${problem}`]);
    await wait(2_000);
    expect(client.messages).toEqual([]);
  });

  it("has a certificate that is not valid yet, or not any more, by the device's clock", async () => {
    await system.setTime(Date.now() + 60 * DAY);
    const client = await withBroker(files);
    await until("it is told", () => said().length > 0);
    await system.setTime(Date.now() - DAY);
    await until("the other is told", () => said().length > 1, 30);
    expect(said()[0]).toBe("MQTT: The server's certificate has expired.");
    expect(said()[1]).toMatch(/^MQTT: The (CA|server's) certificate is not valid yet\.$/);
    expect(client.messages).toEqual([]);
  }, 60_000);

  const zeros = Buffer.from("3006020100020100", "hex");
  const garbage = Buffer.from(`3045022100${"ab".repeat(32)}0220${"12".repeat(32)}`, "hex");
  const whole = (...messages: Buffer[]): Buffer => record(HANDSHAKE, Buffer.concat(messages));
  const chain = (): Buffer => certificates(readFileSync(files.chain, "utf8"));
  const PROTOCOL = "The server does not keep to TLS.";
  const OTHER_KEY = "A certificate's key is of a kind that the device does not take.";
  const UNREAD = "The server's certificate cannot be read.";
  const NOT_SIGNED = "The server's certificate is not signed by the CA that is set.";
  const withKey = (kind: string, ...options: string[]): Buffer => {
    const { certificate } = authority.server({
      key: ["-newkey", kind, ...options.flatMap((one) => ["-pkeyopt", one])],
    });
    const isRsa = kind === "rsa";
    const signed = isRsa ? keyExchange(SHA256_RSA, Buffer.alloc(256, 0x5a)) : keyExchange(SHA256_ECDSA, garbage);
    const list = certificates(readFileSync(certificate, "utf8"));
    return whole(serverHello({ suite: isRsa ? 0xc02f : 0xc02b }), list, signed, serverHelloDone);
  };

  it.each<[string, () => Buffer, string]>([
    ["says goodbye at once", () => record(ALERT, Buffer.from([1, 0])), "The server refuses TLS."],
    [
      "says goodbye after its hello",
      () => Buffer.concat([whole(serverHello()), record(ALERT, Buffer.from([1, 0]))]),
      "The server refuses TLS.",
    ],
    ["has TLS 1.1", () => whole(serverHello({ version: 0x0302 })), "The server has no TLS 1.2."],
    ["takes a suite that was not offered", () => whole(serverHello({ suite: 0x002f })), PROTOCOL],
    [
      "has a key that nobody has signed",
      () => whole(serverHello(), chain(), keyExchange(0, Buffer.alloc(0)), serverHelloDone),
      PROTOCOL,
    ],
    [
      "has a key signed with zeros",
      () => whole(serverHello(), chain(), keyExchange(SHA256_ECDSA, zeros), serverHelloDone),
      "TLS failed.",
    ],
    [
      "has a key signed with the order of the curve",
      () => whole(serverHello(), chain(), keyExchange(SHA256_ECDSA, BEYOND_THE_ORDER), serverHelloDone),
      PROTOCOL,
    ],
    [
      "has a key that somebody else has signed",
      () => whole(serverHello(), chain(), keyExchange(SHA256_ECDSA, garbage), serverHelloDone),
      "TLS failed.",
    ],
    [
      "has another curve",
      () => whole(serverHello(), chain(), keyExchange(SHA256_ECDSA, garbage, 24), serverHelloDone),
      PROTOCOL,
    ],
    ["has no key", () => whole(serverHello(), chain(), serverHelloDone), PROTOCOL],
    ["has no certificate", () => whole(serverHello(), keyExchange(SHA256_ECDSA, garbage), serverHelloDone), PROTOCOL],
    ["has an empty chain", () => whole(serverHello(), message(11, Buffer.alloc(3))), "The server sent no certificate."],
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
    [
      "has a record of 65,535 bytes",
      () => Buffer.from([HANDSHAKE, 3, 3, 0xff, 0xff]),
      "The server's records are too long.",
    ],
    [
      "has a message that is longer than its record",
      () => whole(Buffer.from([2, 0, 64, 0, 3, 3])),
      "The server's certificates are too long.",
    ],
    ["has a broken hello", () => whole(message(2, Buffer.from([3, 3, 1]))), PROTOCOL],
    [
      "has a broken certificate",
      () => whole(serverHello(), message(11, Buffer.from([0, 0, 6, 0, 0, 3, 0x30, 0x84, 0xff]))),
      "The server's certificate cannot be read.",
    ],
    [
      "has a thousand certificates of nothing",
      () => whole(serverHello(), certificateList(Array<Buffer>(1_000).fill(Buffer.alloc(0)))),
      "The server sends too many certificates.",
    ],
    ...([-1, 0, 1] as const).map((more): [string, () => Buffer, string] => [
      `has a record of ${MAX_RECORD + more} bytes`,
      () => record(HANDSHAKE, Buffer.alloc(MAX_RECORD + more)),
      more > 0 ? "The server's records are too long." : PROTOCOL,
    ]),
    // Whose certificate is taken, but not what it has signed. Openssl makes keys of an even number of bits.
    ...[MIN_RSA_BITS - 2, MIN_RSA_BITS, MIN_RSA_BITS + 2, MAX_RSA_BITS - 2, MAX_RSA_BITS, MAX_RSA_BITS + 2].map(
      (bits): [string, () => Buffer, string] => [
        `has an RSA key of ${bits} bits`,
        () => withKey("rsa", `rsa_keygen_bits:${bits}`),
        bits < MIN_RSA_BITS || bits > MAX_RSA_BITS ? OTHER_KEY : "TLS failed.",
      ],
    ),
    ...[65_535, 65_537, 65_539].map((exponent): [string, () => Buffer, string] => [
      `has an RSA key with the exponent ${exponent}`,
      () => withKey("rsa", `rsa_keygen_pubexp:${exponent}`),
      exponent < MIN_RSA_EXPONENT ? OTHER_KEY : "TLS failed.",
    ]),
    ["has a certificate of another kind of key", () => withKey("ed25519"), OTHER_KEY],
    ["has a certificate of another curve", () => withKey("ec", "ec_paramgen_curve:secp256k1"), OTHER_KEY],
    ["has an empty record", () => record(HANDSHAKE, Buffer.alloc(0)), "The server does not speak TLS."],
    ["speaks HTTP", () => Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"), "The server does not speak TLS."],
  ])("%s", (_, says, problem) => refuses(says(), problem));

  const certified = (certificate: Buffer): Buffer =>
    whole(serverHello(), certificateList([certificate]), keyExchange(SHA256_ECDSA, garbage), serverHelloDone);
  const certifiedByRsa = (certificate: Buffer): Buffer =>
    whole(
      serverHello({ suite: 0xc02f }),
      certificateList([certificate]),
      keyExchange(0x0401, Buffer.alloc(256, 0x5a)),
      serverHelloDone,
    );
  const POINT = "03420004";

  it.each<[string, () => Buffer, string]>([
    ["by nobody", () => resigned(files, () => garbage), NOT_SIGNED],
    ["with zeros", () => resigned(files, () => zeros), UNREAD],
    ["with the order of the curve", () => resigned(files, () => BEYOND_THE_ORDER), NOT_SIGNED],
    ["with SHA-1", () => der(authority.server({ digest: "sha1" })), NOT_SIGNED],
    [
      "for a key that is compressed",
      () => authority.changed(files, (hex) => hex.replace(POINT, "03420002")),
      OTHER_KEY,
    ],
    ["for a key that is cut short", () => authority.changed(files, (hex) => hex.replace(POINT, "03400004")), OTHER_KEY],
  ])("has a certificate that is signed %s", (_, make, problem) => refuses(certified(make()), problem));

  it.each<[string, () => Buffer]>([
    ["by nobody", () => resigned(rsa.server(), flippedAtEnd)],
    ["with a number above the modulus", aboveModulus],
    ["with too short a number", () => resigned(rsa.server(), (signature) => signature.subarray(0, 32))],
    ["with too long a number", () => resigned(rsa.server(), (signature) => Buffer.concat([Buffer.of(0), signature]))],
  ])("has a certificate that an RSA key has signed %s", (_, make) =>
    refuses(certifiedByRsa(make()), NOT_SIGNED, { ca: rsa.pem }),
  );
});

const der = ({ certificate }: ServerFiles): Buffer => new X509Certificate(readFileSync(certificate)).raw;

function flippedAtEnd(signature: Buffer): Buffer {
  signature[signature.length - 1]! ^= 1;
  return signature;
}

/** A signature with the modulus added is the same to those who only calculate with it. */
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

/** Whoever says that is told nothing of what is secret, and the firmware tells why. */
async function refuses(says: Buffer, problem: string, settings: Partial<MqttSettings> = {}): Promise<void> {
  const attacker = await Attacker.start(says);
  try {
    await connect(attacker.port, settings);
    await until("it is told", () => said().length > 0);
    expect(said()).toEqual([`MQTT: ${problem}`]);
    await until("it is tried again", () => attacker.heard.length > 1);
    const heard = Buffer.concat(attacker.heard);
    expect(heard.length).toBeGreaterThan(80);
    expect(heard.toString("latin1")).not.toMatch(/MQTT|the-user|the-password/);
    for (const bytes of attacker.heard) expect(bytes.includes(Buffer.from([APPLICATION_DATA, 3, 3]))).toBe(false);
    // The firmware lives.
    expect((await system.meters()).slots).toBeGreaterThan(0);
  } finally {
    attacker.stop();
  }
}

describe("somebody in the middle, with the right server behind,", () => {
  const FINISHED_RECORD = 5 + 8 + 16 + 16;
  const FAILED = "TLS failed.";
  const PROTOCOL = "The server does not keep to TLS.";
  const isFinished = (bytes: Buffer): boolean => bytes[0] === HANDSHAKE && bytes.length === FINISHED_RECORD;
  const isData = (bytes: Buffer): boolean => bytes[0] === APPLICATION_DATA;
  const flipped = (bytes: Buffer, at: number): Buffer => {
    bytes[at]! ^= 1;
    return bytes;
  };
  const short = (type: number, length: number): Buffer => record(type, Buffer.alloc(length, 0x41));
  let count: number;

  it.each<[string, Meddling, string]>([
    ...[1, 8, 9, 23, 24, 25].flatMap((length): [string, Meddling, string][] => [
      [`makes data of ${length} bytes`, (bytes) => (isData(bytes) ? short(APPLICATION_DATA, length) : bytes), FAILED],
      [
        `makes a Finished of ${length} bytes`,
        (bytes) => (isFinished(bytes) ? short(HANDSHAKE, length) : bytes),
        FAILED,
      ],
    ]),
    ["changes the server's random", (bytes) => (count++ ? bytes : flipped(bytes, 20)), FAILED],
    ["changes a Finished", (bytes) => (isFinished(bytes) ? flipped(bytes, 20) : bytes), FAILED],
    ["changes a tag", (bytes) => (isData(bytes) ? flipped(bytes, bytes.length - 1) : bytes), FAILED],
    ["changes a version", (bytes) => (isData(bytes) ? flipped(bytes, 2) : bytes), FAILED],
    ["makes handshakes of data", (bytes) => (isData(bytes) ? flipped(bytes, 0) : bytes), PROTOCOL],
    ["says goodbye", (bytes) => (isData(bytes) ? record(ALERT, Buffer.from([1, 0])) : bytes), FAILED],
    ["repeats the first data", (bytes) => (isData(bytes) ? Buffer.concat([bytes, bytes]) : bytes), FAILED],
    ["leaves the first data out", (bytes) => (isData(bytes) && !count++ ? Buffer.alloc(0) : bytes), ""],
    [
      "leaves the change of ciphers out",
      (bytes) => bytes.subarray(bytes[0] === CHANGE_CIPHER_SPEC ? bytes.length : 0),
      PROTOCOL,
    ],
    [
      "changes ciphers again",
      (bytes) => (isData(bytes) ? record(CHANGE_CIPHER_SPEC, Buffer.from([1])) : bytes),
      PROTOCOL,
    ],
    [
      "ends the connection behind the Finished",
      (bytes, end) => {
        if (isFinished(bytes)) end();
        return bytes;
      },
      "The broker refuses or is not there.",
    ],
  ])("%s", async (_, meddling, problem) => {
    count = 0;
    broker = await startBroker({ tls: files });
    const client = await broker.client();
    const meddler = await meddle(broker.tlsPort, meddling);
    try {
      await connect(meddler.port);
      if (problem) {
        await until("it is told", () => said().some((line) => line !== "MQTT: connected."));
        expect(said().find((line) => line !== "MQTT: connected.")).toBe(`MQTT: ${problem}`);
      } else await wait(2_000);
      expect([...client.topics.keys()].filter((name) => name.endsWith("/telemetry"))).toEqual([]);
      expect((await system.meters()).slots).toBeGreaterThan(0);
    } finally {
      meddler.stop();
    }
  });
});
