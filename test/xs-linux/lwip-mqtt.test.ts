/** The SDK's own MQTT client in the whole firmware, over the device's sockets and Debian's lwIP, under AddressSanitizer. */
import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { generate, parser as makeParser } from "mqtt-packet";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startBroker } from "../support/mqtt/broker";
import { LwipSystem, SERVER } from "../support/system/lwip-system";

const PORT = 1_883;
const SECOND = 1_000;
const CLIENT = `${process.env["MODDABLE"]}/examples/io/tcp/mqttclient/mqttclient.js`;

let lwip: LwipSystem;
beforeEach(async () => {
  lwip = await LwipSystem.start({}, { "embedded:network/mqtt/client": CLIENT });
  await lwip.system.untilLoaded();
});
afterEach(() => lwip.stop());

function connectTo(port: number): void {
  lwip.forward(PORT, port);
  expect(lwip.system.probes.configure("mqtt", { enabled: true, host: SERVER, port: PORT })).toBeUndefined();
}

it("publishes, and accepts a command", async () => {
  const broker = await startBroker();
  const { system } = lwip;
  try {
    const client = await broker.client();
    connectTo(broker.port);
    const topic = (end: string): string | undefined => [...client.topics.keys()].find((name) => name.endsWith(end));
    await system.until("it has published", () => topic("/telemetry") !== undefined && topic("/config") !== undefined);
    const base = topic("/telemetry")!.slice(0, -"/telemetry".length);
    const results = (): string[] =>
      client.messages.filter(({ topic: name }) => name.endsWith("/result")).map(({ text }) => text);
    // What comes right after the connection is refused: it could be an old one. The device's time passes only when told to.
    while (!results().some((text) => text.includes('"confirmed"'))) {
      const { length } = results();
      system.skip(SECOND);
      await client.publish(`${base}/command/charge_mos/set`, "off");
      await system.until("there is a result", () => results().length > length);
    }
    expect(system.bms.registers.read("BatChargeEN")).toBe(0);
  } finally {
    await broker.stop();
  }
});

/** A broker that reads no more once it has confirmed the subscriptions. */
class DeafBroker {
  readonly connections: Socket[] = [];
  readonly #server: Server;

  constructor() {
    this.#server = createServer((socket) => {
      this.connections.push(socket);
      const parser = makeParser({ protocolVersion: 4 });
      parser.on("packet", (packet) => {
        if (packet.cmd === "connect") socket.write(generate({ cmd: "connack", returnCode: 0, sessionPresent: false }));
        if (packet.cmd === "subscribe") {
          const granted = packet.subscriptions.map(({ qos }) => qos);
          socket.write(generate({ cmd: "suback", messageId: packet.messageId!, granted }));
          socket.pause();
        }
      });
      socket.on("data", (bytes) => parser.parse(bytes)).on("error", () => undefined);
    });
  }

  async start(): Promise<number> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
    return (this.#server.address() as AddressInfo).port;
  }

  stop(): void {
    for (const socket of this.connections) socket.destroy();
    this.#server.close();
  }
}

it("a broker that stops reading is dropped and reconnected; HTTP and the BMS continue", async () => {
  const broker = new DeafBroker();
  connectTo(await broker.start());
  try {
    let served = 0;
    while (broker.connections.length < 3) {
      lwip.system.skip(SECOND);
      if ((await lwip.ask("/api", "127.0.0.2")) === 200) served++;
    }
    expect(served).toBeGreaterThan(10);
    expect(lwip.system.monitor()).toMatchObject({ online: true, statistics: { timeouts: 0, crcErrors: 0 } });
  } finally {
    broker.stop();
  }
});
