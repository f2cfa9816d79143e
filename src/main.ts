/**
 * The composition root: opens the hardware, builds the parts, connects and starts them. The platform calls the default export once.
 */
import { HttpServer } from "http-server/server";
import { JkBms } from "jk-bms/jk-bms";
import { restart } from "application";
import Analog from "embedded:io/analog";
import Digital from "embedded:io/digital";
import Serial from "embedded:io/serial";
import Listener from "embedded:io/socket/listener";
import TCP from "embedded:io/socket/tcp";
import UDP from "embedded:io/socket/udp";
import Resolver from "embedded:network/dns/resolver/udp";
import Ethernet from "embedded:network/interface/ethernet";
import WiFiStation from "embedded:network/interface/wifi";
import MQTTClient from "embedded:network/mqtt/client";
import KeyValueStorage from "embedded:storage/key-value";
import config from "mc/config";
import Net from "net";
import RNG from "rng";
import WiFi from "wifi";
import { Sha256 } from "./access/sha256";
import { Api } from "./api/api";
import type { Board } from "./board";
import { packPower } from "./bms/computed";
import { writeConfiguration, writeStatus, writeSummary } from "./bms/json";
import { BmsMonitor } from "./bms/monitor";
import { findSetting } from "./bms/settings-table";
import { PackEnergy } from "./energy/energy";
import { EventRing } from "./events/event-ring";
import { recordEvents } from "./events/record";
import { FirmwareMemory } from "./firmware-memory";
import { History } from "./history/history";
import { HistoryReader } from "./history/history-reader";
import { Metrics } from "./metrics/metrics";
import { Mqtt } from "./mqtt/mqtt";
import { captivePortal } from "./network/captive";
import { CaptiveDns } from "./network/captive-dns";
import { WallClock } from "./network/clock";
import { Mdns } from "./network/mdns";
import { BoardNetwork } from "./network/network";
import { Radio } from "./network/radio";
import { Sntp } from "./network/sntp";
import { Wired } from "./network/wired";
import { BoardRelay } from "./relay/relay";
import { relayTelemetry } from "./relay/telemetry";
import { BoardSensors } from "./sensors/sensors";
import { StoredSettings } from "./settings/settings";
import { Snmp } from "./snmp/snmp";
import { applicationSlots } from "./update/slots";
import { Trial } from "./update/trial";
import { Updater } from "./update/updater";
import { Web } from "./web/web";

/** The running firmware: its parts, for the console, the simulator and the tests. */
export interface Firmware {
  readonly settings: StoredSettings;
  readonly monitor: BmsMonitor<JkBms>;
  readonly relay: BoardRelay;
  readonly sensors: BoardSensors;
  readonly network: BoardNetwork;
  readonly clock: WallClock;
  readonly mdns: Mdns;
  readonly energy: PackEnergy;
  readonly events: EventRing;
  readonly history: History;
  readonly api: Api;
  readonly web: Web;
  readonly server: HttpServer;
  readonly mqtt: Mqtt;
  readonly snmp: Snmp;
  readonly updater: Updater;
  readonly trial: Trial;
  close(): void;
}

export default function main(): Firmware {
  const board = config as unknown as Board;
  const { pins } = board;

  // A Wi-Fi board has nothing to import as Ethernet. Each starts the TCP/IP stack, which the server below needs.
  const wired = board.network === "Ethernet" ? new Wired(Ethernet) : undefined;
  const radio = new Radio({ wifi: WiFi, station: WiFiStation });
  const settings = new StoredSettings({
    storage: KeyValueStorage,
    random: RNG,
    mac: (wired ?? radio).connection.mac,
    ...(board.settings && { configured: board.settings }),
  });
  for (const problem of settings.problems) trace(`settings: ${problem}\n`);
  const network = new BoardNetwork({ settings, net: Net, random: RNG, wired, radio });

  const relay = new BoardRelay({ settings, output: { io: Digital, pin: pins.relay }, storage: KeyValueStorage });
  const sensors = new BoardSensors({
    settings,
    temperature: { io: Analog, pin: pins.temperature },
    voltages: pins.voltages.map((pin) => ({ io: Analog, pin })),
    inputs: pins.inputs.map((pin) => ({ io: Digital, pin })),
  });

  const monitor = new BmsMonitor({
    settings: settings.bms,
    open: ({ address, baud, way, gap }) =>
      new JkBms({
        serial: { io: Serial, ...pins.bms },
        address,
        baud,
        way,
        gap,
        quiet: {
          pause: () => faces.forEach((face) => face.pause()),
          resume: () => faces.forEach((face) => face.resume()),
        },
      }),
  });
  const uptime = (): number => monitor.uptime;
  settings.onChange("bms", () => monitor.reconfigure(settings.bms));

  const energy = new PackEnergy({ storage: KeyValueStorage, interval: () => settings.bms.interval });
  const history = new History({ uptime });
  const events = new EventRing({ uptime });
  recordEvents(events, { monitor, relay, settings, version: board.version, build: board.build });
  monitor.onUpdate(() => {
    relay.evaluate(relayTelemetry(monitor));
    energy.update(packPower(monitor));
    history.update(monitor);
  });
  monitor.onOnlineChange((online) => {
    relay.evaluate(relayTelemetry(monitor));
    if (!online) energy.interrupt();
  });

  const slots = applicationSlots();
  const trial = new Trial({
    storage: KeyValueStorage,
    slots,
    running: `${board.version} ${board.build}`,
    network: () => network.ip !== "",
    requests: () => server.counters.requests,
    online: () => monitor.online,
  });
  const updater = new Updater({
    slots,
    image: { chip: board.chip, mark: board.image },
    digest: Sha256,
    busy: () => monitor.writes.pending,
    onSwitch: () => trial.begin(),
    error: trial.problem,
  });

  const clock = new WallClock();
  const memory = new FirmwareMemory();
  const sources = {
    monitor,
    settings,
    relay,
    sensors,
    network,
    build: board,
    uptime,
    writeStatus,
    writeSummary,
    writeConfiguration,
    findSetting,
  };
  const stop = (): void => {
    events.add("Stopped.");
    energy.store();
  };
  const web = new Web({
    ...sources,
    random: RNG,
    makeDigest: () => new Sha256(),
    link: () => monitor.link,
    memory,
    time: () => clock.now(),
    networkControl: network,
    events,
    history: () => new HistoryReader(history),
    updater,
    restart() {
      stop();
      restart();
    },
    factoryReset: () => settings.erase(),
  });
  const metrics = new Metrics({
    ...sources,
    energy,
    memory,
    http: () => server.counters,
    admit: (exchange) => api.admit(exchange),
  });
  const api: Api = new Api({
    ...sources,
    next(exchange) {
      if (!metrics.answer(exchange)) web.handler(exchange);
    },
  });
  const captive = captivePortal({ network, port: () => server.port });
  const server: HttpServer = new HttpServer({
    listener: { io: Listener, port: board.httpPort },
    socket: { io: TCP },
    // It has to see every request: that somebody is on the access point.
    handler: (exchange) => {
      if (!captive(exchange)) api.handler(exchange);
    },
    onFault: (error) => trace(`http: ${String(error)}\n`),
  });
  const mqtt = new Mqtt({
    ...sources,
    energy,
    statistics: () => monitor.link?.statistics,
    client: { io: MQTTClient },
    resolver: { io: Resolver, socket: { io: UDP } },
    socket: { io: TCP },
    random: RNG,
  });
  const snmp = new Snmp({
    ...sources,
    uptime: () => monitor.centiseconds,
    energy,
    socket: { io: UDP, port: board.snmpPort },
    trapPort: board.snmpTrapPort,
    resolve: (host, done) => Net.resolve(host, done),
  });
  /** They wait while a frame of the BMS is on the wire. */
  const faces = Object.freeze([server, web, mqtt, snmp]);

  // What is asked of the network beside them: all of it comes and goes with the interfaces.
  const names = new CaptiveDns({
    socket: { io: UDP },
    address: () => network.accessPointIp,
    admits: (address) => network.onPortal(address),
  });
  const followAccessPoint = (): void => void (names.open = network.accessPoint !== "");
  network.onChange(followAccessPoint);
  followAccessPoint();
  const mdns = new Mdns({ settings, network, socket: { io: UDP }, port: () => server.port });
  const sntp = new Sntp({ clock, settings, network, net: Net, socket: { io: UDP }, random: RNG });

  monitor.start();
  return {
    settings,
    monitor,
    relay,
    sensors,
    network,
    clock,
    mdns,
    energy,
    events,
    history,
    api,
    web,
    server,
    mqtt,
    snmp,
    updater,
    trial,
    close() {
      stop();
      trial.close();
      mdns.close();
      sntp.close();
      names.open = false;
      mqtt.close();
      monitor.close();
      snmp.close();
      // Takes back what it has announced: the port of the server, in the network.
      mdns.close();
      sntp.close();
      server.close();
      web.close();
      network.close();
    },
  };
}
