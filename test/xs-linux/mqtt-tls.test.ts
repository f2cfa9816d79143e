/** MQTT over TLS on the SDK's own engine: who is let through, and what it takes. The attacks on TLS itself are in test/native. */
import { setTimeout as wait } from "node:timers/promises";
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startBroker, type Listener, type TestBroker } from "../support/mqtt/broker";
import { Authority, documented, type ServerFiles } from "../support/tls/certificates";
import { LinuxSystem } from "../support/system/linux-system";
import { Attacker } from "../support/tls/tls-attacker";
import { MAX_EVENTS } from "../../src/events/limits";
import type { MqttSettings } from "../../src/settings/types";

const SETTLE = 4_000;
/** What the interface may take with TLS; a chunk's header is larger here than on the device. */
const MAX_SLOTS = 420;
const MAX_CHUNKS = 7_000;
/** Of 640. */
const MAX_STACK = 480;
/** Fifty handshakes leave nothing behind but what moves by itself. */
const MAX_GROWTH_SLOTS = 40;
const MAX_GROWTH_CHUNKS = 500;
const HOUR = 3_600_000;
const DAY = 86_400_000;
const USER = "the-user";
const PASSWORD = "the-password";

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
  // Later than any certificate's begin, however slowly the device's time goes.
  await system.setTime(Date.now() + HOUR);
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

describe("a trusted server", () => {
  it("publishes, accepts commands, and takes no more memory with each connection", async () => {
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

  it("is set up with the commands in docs/mqtt.md", async () => {
    const { ca, files: tls } = documented();
    const client = await withBroker(tls, { ca });
    await until("everything is published", () => isPublished(client));
  });

  it("may have an RSA certificate, and a chain of one", async () => {
    const server = rsa.server();
    const client = await withBroker({ ...server, chain: server.certificate }, { ca: rsa.pem });
    await until("everything is published", () => isPublished(client));
  });

  it("may have a certificate of an intermediate authority", async () => {
    const client = await withBroker(authority.server({ issuer: authority.intermediate() }));
    await until("everything is published", () => isPublished(client));
  });
});

describe("an untrusted server", () => {
  it.each<[string, () => ServerFiles, string]>([
    ["another host name", () => authority.server({ names: "DNS:localhost,IP:127.0.0.2" }), "name"],
    [
      "a name that the stack has no room for",
      () => authority.server({ names: `DNS:${"a".repeat(1_000)}.example.org` }),
      "name",
    ],
    ["no name at all", () => authority.server({ names: "" }), "name"],
    ["an end in the past", () => authority.server({ days: -1 }), "expired"],
    ["the purpose of a client", () => authority.server({ extensions: "extendedKeyUsage=clientAuth" }), "use"],
    ["another CA", () => rsa.server(), "untrusted"],
    ["a CA of the same name", () => new Authority("ec").server(), "untrusted"],
    ["an issuer that is no CA", () => authority.server({ issuer: files }), "untrusted"],
    [
      "somebody else's right one behind its own",
      () => chained(new Authority("ec", "Another").server(), files.certificate),
      "untrusted",
    ],
  ])("has a certificate with %s", async (_, make, problem) => {
    const client = await withBroker(make());
    await until("it is told", () => said().length > 0);
    expect(said()).toEqual([`MQTT: certificate-${problem}`]);
    await wait(2_000);
    expect(client.messages).toEqual([]);
  });

  it("has a certificate that is not yet valid, or has expired, by the device's clock", async () => {
    await system.setTime(Date.now() + 60 * DAY);
    const client = await withBroker(files);
    await until("it is told", () => said().length > 0);
    await system.setTime(Date.now() - DAY);
    await until("the other is told", () => said().length > 1, 30);
    expect(said()[0]).toBe("MQTT: certificate-expired");
    expect(said()[1]).toMatch(/^MQTT: (ca|certificate)-early$/);
    expect(client.messages).toEqual([]);
  }, 60_000);

  it("speaks another protocol, and is sent nothing", async () => {
    const attacker = await Attacker.start(Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"));
    try {
      await connect(attacker.port);
      await until("it is told", () => said().length > 0);
      expect(said()).toEqual(["MQTT: not-tls"]);
      await until("it is tried again", () => attacker.heard.length > 1);
      expect(Buffer.concat(attacker.heard).toString("latin1")).not.toMatch(/MQTT|the-user|the-password/);
    } finally {
      attacker.stop();
    }
  });
});
