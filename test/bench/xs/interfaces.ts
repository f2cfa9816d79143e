/** What each interface adds to a telemetry poll on XS, and to what is alive. */
import { Agent, get } from "node:http";
import { text } from "node:stream/consumers";
import { startBroker, type Listener, type TestBroker } from "../../support/mqtt/broker";
import type { Memory } from "../../support/xs/xs-gauge";
import DEFAULTS from "../../../src/settings/defaults";
import { Browsers } from "../browsers";
import { mqttOn, SNMP_ON } from "../interfaces";
import { TOKEN } from "../../support/system/system";
import { settle, XsSystem } from "./system";
import { processorTime } from "./work";

interface Interfaces {
  readonly name: string;
  readonly web?: boolean;
  readonly mqtt?: boolean;
  readonly snmp?: boolean;
  readonly metrics?: boolean;
  /** Units more than none that it should take at most. */
  readonly goal?: number;
}

const INTERFACES: readonly [Interfaces, ...Interfaces[]] = [
  { name: "no interface in use" },
  { name: "web interface, two browsers listening", web: true, goal: 10_000 },
  { name: "MQTT, connected to mosquitto", mqtt: true },
  { name: "SNMP, with a receiver of notifications", snmp: true },
  { name: "Prometheus, a scrape a poll", metrics: true, goal: 200_000 },
  { name: "all of them", web: true, mqtt: true, snmp: true, metrics: true },
];

export interface InterfaceCost extends Memory {
  readonly name: string;
  /** A second with one poll. */
  readonly units: number;
  readonly goal?: number | undefined;
  /** Microseconds of the worker's process. */
  readonly time: number;
}

const BROWSERS = 2;
/** The last line of a scrape has it. */
const LAST_METRIC = "bms_monitor_http_faults_total";
const SECOND = 1000;
/** The host's sockets deliver so often in a second. */
const SLICES = 10;
const WARM_UP = 10;

/** A scrape as Prometheus makes it: on the connection of the last one. */
function scrape(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { agent, headers: { Authorization: `Bearer ${TOKEN}` } };
    get(`${url}/metrics`, options, (answer) => void text(answer).then(resolve, reject)).on("error", reject);
  });
}

/** A second, with one poll and what the interfaces do with it. */
async function second(xs: XsSystem, url: string, agent: Agent | undefined): Promise<void> {
  const metrics = agent && scrape(url, agent);
  for (let slice = 0; slice < SLICES; slice++) {
    xs.runFor(SECOND / SLICES);
    await settle();
  }
  if (metrics && !(await metrics).includes(LAST_METRIC)) throw new Error(`/metrics: ${await metrics}`);
}

/** Until the interface has told everything there is to be told first. */
async function connected(xs: XsSystem, broker: TestBroker): Promise<Listener> {
  const listener = await broker.client();
  for (let tries = 0; ![...listener.topics.keys()].some((topic) => topic.endsWith("/config")); tries++) {
    if (tries > 1000) throw new Error("MQTT is not connected");
    await xs.advance();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return listener;
}

/** The mean of so many polls. */
async function costOf(
  { name, web, mqtt, snmp, metrics = false, goal }: Interfaces,
  polls: number,
): Promise<InterfaceCost> {
  const broker = mqtt ? await startBroker() : undefined;
  const xs = await XsSystem.start({ settings: { ...(broker && mqttOn(broker)), ...(snmp && SNMP_ON) } });
  const { url } = xs.system;
  const listener = broker && (await connected(xs, broker));
  const browsers = web ? await Browsers.open(url, BROWSERS, () => xs.advance(), xs.system.console) : undefined;
  const agent = metrics ? new Agent({ keepAlive: true, maxSockets: 1 }) : undefined;
  for (let poll = 0; poll < WARM_UP; poll++) await second(xs, url, agent);
  const { pid } = xs.machine.worker;
  const heard = listener?.messages.length ?? 0;
  const before = { units: xs.gauge.units, time: processorTime(pid) };
  for (let poll = 0; poll < polls; poll++) await second(xs, url, agent);
  const units = (xs.gauge.units - before.units) / polls;
  const time = (processorTime(pid) - before.time) / polls;
  const { memory } = xs.gauge;
  browsers?.close();
  agent?.destroy();
  xs.stop();
  // The pack's voltage and current are others at each poll, and told every interval. mosquitto lives in real time.
  for (let tries = 0; listener && listener.messages.length - heard < polls / DEFAULTS.mqtt.interval - 1; tries++) {
    if (tries > 100) throw new Error("MQTT did not tell what changed");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await broker?.stop();
  return { name, units, goal, time, ...memory };
}

/** Those wanted, after the one that they are compared with; nothing if none is. */
export async function interfaceCosts(
  polls: number,
  isWanted: (interfaces: { readonly name: string }) => boolean,
): Promise<InterfaceCost[]> {
  const [none, ...others] = INTERFACES;
  const wanted = others.filter(isWanted);
  const costs: InterfaceCost[] = [];
  if (wanted.length || isWanted(none))
    for (const interfaces of [none, ...wanted]) costs.push(await costOf(interfaces, polls));
  return costs;
}
