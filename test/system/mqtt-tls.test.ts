/** MQTT over TLS with Debian's mosquitto: who is trusted, and that nobody else receives anything. */
import { createServer, type AddressInfo, type Server } from "node:net";
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startBroker, type Listener, type TestBroker } from "../support/mqtt/broker";
import { Authority, documented, type ServerFiles, type ServerOptions } from "../support/tls/certificates";
import { System, turn } from "../support/system/system";
import type { MqttSettings } from "../../src/settings/types";

const BASE = "jk-bms/02005e100001";
const DISCOVERY = "homeassistant/device/02005e100001/config";

let authority: Authority;
let other: Authority;
let rightFiles: ServerFiles;
/** Virtual seconds. */
const PATIENCE = 120;

let broker: TestBroker;
let system: System;

beforeAll(() => {
  authority = new Authority("ec");
  other = new Authority("ec");
  rightFiles = authority.server();
});
afterAll(() => {
  authority.remove();
  other.remove();
});
afterEach(async () => {
  system.stop();
  await broker.stop();
});

interface Given {
  readonly settings?: Partial<MqttSettings>;
  readonly tls?: ServerFiles;
  readonly isTimeKnown?: boolean;
}

async function boot({ settings = {}, tls = rightFiles, isTimeKnown = true }: Given = {}): Promise<Listener> {
  broker = await startBroker({ tls });
  const client = await broker.client();
  const mqtt = { host: "127.0.0.1", port: broker.tlsPort, tls: true, ca: authority.pem, ...settings };
  system = await System.start({ unpaced: true, board: { config: { settings: { mqtt, time: { server: "" } } } } });
  if (isTimeKnown) system.probes.setTime(Date.now());
  system.probes.configure("mqtt", { enabled: true });
  // Virtual time goes only as fast as the broker keeps up.
  system.keepUp = () => broker.beat().then(turn);
  return client;
}

/** Lets virtual time go by until `condition` holds. */
const until = (what: string, condition: () => boolean): Promise<void> => system.skipUntil(what, condition, PATIENCE);

const said = (): string[] => system.console.filter((line) => line.startsWith("MQTT: ")).map((line) => line.trim());
const tries = (): number => system.console.filter((line) => line.includes("mqttClient error")).length;

/** Retried with back-off, reported once, and nothing got through; the BMS is polled meanwhile. */
async function isRefused(client: Listener, problem: string): Promise<void> {
  await until("it is told", () => said().length > 0);
  const { replies } = system.monitor().statistics!;
  await system.pass(30_000);
  expect(said()).toEqual([`MQTT: ${problem}`]);
  expect(tries()).toBeGreaterThan(2);
  expect(tries()).toBeLessThan(9);
  expect(client.messages).toEqual([]);
  expect(system.monitor().statistics!.replies - replies).toBeGreaterThan(25);
}

describe("MQTT over TLS", () => {
  it("publishes everything, and confirms a command", async () => {
    const client = await boot();
    await until("everything is published", () => client.topics.has(DISCOVERY) && client.topics.has(`${BASE}/config`));
    await system.pass(4_000);
    await client.publish(`${BASE}/command/charge_mos/set`, "off");
    const results = (): string[] =>
      client.messages
        .filter(({ topic }) => topic === `${BASE}/result`)
        .map(({ text }) => (JSON.parse(text) as { status: string }).status);
    await until("it is confirmed", () => results().length === 2);
    expect(results()).toEqual(["accepted", "confirmed"]);
    expect(system.bms.registers.read("BatChargeEN")).toBe(0);
    // Of several records.
    await client.publish(`${BASE}/request`, "x".repeat(20_000));
    await until("it is refused", () => results().length === 3);
    expect(said()).toEqual(["MQTT: connected"]);
  });

  it("works with RSA, a single-certificate chain, and the broker's name", async () => {
    const rsa = new Authority("rsa");
    try {
      const files = rsa.server({ names: "DNS:localhost" });
      const settings = { ca: rsa.pem, host: "localhost" };
      const client = await boot({ settings, tls: { ...files, chain: files.certificate } });
      await until("everything is published", () => client.topics.has(DISCOVERY));
    } finally {
      rsa.remove();
    }
  });

  it("is set up with the commands in docs/mqtt.md", async () => {
    const { ca, files } = documented();
    const client = await boot({ settings: { ca }, tls: files });
    await until("everything is published", () => client.topics.has(DISCOVERY));
  });

  it("reconnects when the broker restarts", async () => {
    const client = await boot();
    await until("everything is published", () => client.topics.has(DISCOVERY));
    await broker.end();
    client.topics.clear();
    await system.pass(3_000);
    await broker.start();
    await until("everything is there again", () => client.topics.has(DISCOVERY));
  });

  it.each<[string, ServerOptions, string]>([
    ["for another host name", { names: "DNS:example.org,IP:127.0.0.2" }, "name"],
    ["that has expired", { days: -1 }, "expired"],
    ["that is none of a server", { extensions: "extendedKeyUsage=clientAuth" }, "use"],
  ])("refuses a certificate %s", async (_, options, problem) => {
    const client = await boot({ tls: authority.server(options) });
    await isRefused(client, `certificate-${problem}`);
  });

  it("refuses a certificate that another CA has signed", async () => {
    const client = await boot({ settings: { ca: other.pem } });
    await isRefused(client, "certificate-untrusted");
  });

  it("reports a broker that does not speak TLS, and sends it nothing", async () => {
    let heard = Buffer.alloc(0);
    const server: Server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.on("data", (bytes: Buffer) => {
        heard = Buffer.concat([heard, bytes]);
        socket.write("HTTP/1.1 400 Bad Request\r\n\r\n");
      });
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    try {
      const { port } = server.address() as AddressInfo;
      const client = await boot({ settings: { port, user: "the-user", password: "the-password" } });
      await isRefused(client, "not-tls");
      expect(heard.length).toBeGreaterThan(0);
      expect(heard.toString("latin1")).not.toMatch(/MQTT|the-user|the-password/);
    } finally {
      server.close();
    }
  });

  it("gives up on a plain-text broker that waits for MQTT, and backs off", async () => {
    const client = await boot();
    system.probes.configure("mqtt", { port: broker.port });
    client.messages.length = 0;
    await system.pass(2_000);
    client.messages.length = 0;
    await system.pass(30_000);
    expect(client.messages).toEqual([]);
    expect(tries()).toBeGreaterThan(0);
    expect(tries()).toBeLessThan(9);
  });

  it("waits for the time: certificates cannot be checked without it", async () => {
    const client = await boot({ isTimeKnown: false });
    await system.pass(20_000);
    expect(said()).toEqual(["MQTT: waits for the time"]);
    expect(tries()).toBe(0);
    expect(client.messages).toEqual([]);
    system.probes.setTime(Date.now());
    await until("everything is published", () => client.topics.has(DISCOVERY));
  });

  it("sends nothing without a CA certificate", async () => {
    const client = await boot({ settings: { ca: "" } });
    await system.pass(10_000);
    expect(client.messages).toEqual([]);
    expect(said()).toEqual(["MQTT: no-ca"]);
  });
});
