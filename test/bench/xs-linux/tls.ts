/** What MQTT over TLS takes, beside MQTT in the clear. */
import { setTimeout as pause } from "node:timers/promises";
import { startBroker, type TestBroker } from "../../support/mqtt/broker";
import { Authority, type KeyKind } from "../../support/tls/certificates";
import type { LinuxSystem } from "../../support/system/linux-system";
import { mqttOn } from "../interfaces";
import { peak, startLoaded, type Situation } from "./memory";

const SETTLED = 4_000;
const HANDSHAKES = 10_000;

/** Each change of the settings is a connection of its own. */
async function reconnect(system: LinuxSystem, broker: TestBroker, isRunning: () => boolean): Promise<number> {
  const client = await broker.client("+/+/availability");
  let connections = 0;
  for (let interval = 61; isRunning(); interval = interval === 3_600 ? 61 : interval + 1) {
    client.topics.clear();
    await system.configure("mqtt", { interval });
    while (isRunning() && ![...client.topics.values()].includes("online")) await pause(10);
    connections++;
  }
  return connections;
}

async function look(name: string, broker: TestBroker, tls: { ca: string } | undefined): Promise<Situation[]> {
  const system = await startLoaded();
  await system.setTime();
  const { mqtt } = mqttOn(broker);
  await system.configure("mqtt", { ...mqtt, ...(tls && { ...tls, tls: true, port: broker.tlsPort }) });
  await pause(SETTLED);
  const atRest = await peak(system, SETTLED);
  let running = true;
  const connections = reconnect(system, broker, () => running);
  const most = await peak(system, HANDSHAKES);
  running = false;
  if ((await connections) < 5) throw new Error("there were no connections");
  await system.stop();
  return [
    { name: `${name}, connected`, ...atRest },
    { name: `${name}, connecting again and again`, ...most },
  ];
}

export async function tlsReport(): Promise<Situation[]> {
  const situations: Situation[] = [];
  for (const kind of [undefined, "ec", "rsa"] satisfies (KeyKind | undefined)[]) {
    const authority = new Authority(kind);
    const broker = await startBroker({ tls: authority.server({ issuer: authority.intermediate() }) });
    const name = kind ? `TLS, ${kind === "ec" ? "P-256" : "RSA of 2,048 bits"}, two certificates` : "in the clear";
    situations.push(...(await look(name, broker, kind && { ca: authority.pem })));
    await broker.stop();
    authority.remove();
  }
  return situations;
}
