import { HttpServer } from "http-server/server";
import type { Counters } from "http-server/service";
import type { BodySource, Exchange } from "http-server/types";
import { JkBms } from "jk-bms/jk-bms";
import type { LinkStatistics } from "jk-bms/types";
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
import type { BmsObserver } from "./bms/types";
import { PackEnergy } from "./energy/energy";
import { EventRing } from "./events/event-ring";
import { EventRecorder } from "./events/record";
import { FirmwareMemory } from "./firmware-memory";
import { History } from "./history/history";
import { HistoryReader } from "./history/history-reader";
import { Metrics } from "./metrics/metrics";
import { Mqtt } from "./mqtt/mqtt";
import { CaptiveDns } from "./network/captive-dns";
import { CaptivePortal } from "./network/captive";
import { WallClock } from "./network/clock";
import { Mdns } from "./network/mdns";
import { BoardNetwork } from "./network/network";
import { Radio } from "./network/radio";
import { Sntp } from "./network/sntp";
import type { NetworkObserver } from "./network/types";
import { Wired } from "./network/wired";
import { BoardRelay } from "./relay/relay";
import { relayTelemetry } from "./relay/telemetry";
import { BoardSensors } from "./sensors/sensors";
import { StoredSettings } from "./settings/settings";
import type { GroupName, SettingsObserver } from "./settings/types";
import { Snmp } from "./snmp/snmp";
import { applicationSlots } from "./update/slots";
import { Trial } from "./update/trial";
import { Updater } from "./update/updater";
import { Web } from "./web/web";

/**
 * The composition root: opens the hardware, builds the parts, connects and starts them. It is itself what the faces are given to read
 * from, so that no part keeps a list of the others, and no function is made for what a method can do.
 */
export class Firmware implements BmsObserver, NetworkObserver, SettingsObserver {
  readonly settings: StoredSettings;
  readonly network: BoardNetwork;
  readonly relay: BoardRelay;
  readonly sensors: BoardSensors;
  readonly monitor: BmsMonitor<JkBms>;
  readonly energy: PackEnergy;
  readonly history: History;
  readonly events: EventRing;
  readonly clock = new WallClock();
  readonly memory = new FirmwareMemory();
  readonly updater: Updater;
  readonly trial: Trial;
  readonly server: HttpServer;
  readonly api: Api;
  readonly web: Web;
  readonly metrics: Metrics;
  readonly mqtt: Mqtt;
  readonly snmp: Snmp;
  readonly mdns: Mdns;
  private readonly sntp: Sntp;
  private readonly portal: CaptivePortal;
  private readonly names: CaptiveDns;

  constructor(readonly build: Board) {
    const { pins } = build;
    // A Wi-Fi board has nothing to import as Ethernet. Each starts the TCP/IP stack, which the server below needs.
    const wired = build.network === "Ethernet" ? new Wired(Ethernet) : undefined;
    const radio = new Radio({ wifi: WiFi, station: WiFiStation });
    const settings = new StoredSettings({
      storage: KeyValueStorage,
      random: RNG,
      mac: (wired ?? radio).connection.mac,
      ...(build.settings && { configured: build.settings }),
    });
    this.settings = settings;
    for (const problem of settings.problems) trace(`settings: ${problem}\n`);
    const network = new BoardNetwork({ settings, net: Net, random: RNG, wired, radio });
    this.network = network;

    this.relay = new BoardRelay({ settings, output: { io: Digital, pin: pins.relay }, storage: KeyValueStorage });
    this.sensors = new BoardSensors({
      settings,
      temperature: { io: Analog, pin: pins.temperature },
      voltages: pins.voltages.map((pin) => ({ io: Analog, pin })),
      inputs: pins.inputs.map((pin) => ({ io: Digital, pin })),
    });

    this.monitor = new BmsMonitor({
      settings: settings.bms,
      open: ({ address, baud, way, gap }) =>
        new JkBms({
          serial: { io: Serial, ...pins.bms },
          address,
          baud,
          way,
          gap,
          onQuiet: (quiet) => this.keepQuiet(quiet),
        }),
    });
    settings.observe(this);

    this.energy = new PackEnergy({ storage: KeyValueStorage, settings });
    this.history = new History(this);
    this.events = new EventRing(this);
    new EventRecorder(this.events, this);
    this.monitor.observe(this);

    const slots = applicationSlots();
    this.trial = new Trial({ device: this, storage: KeyValueStorage, slots });
    this.updater = new Updater({ device: this, slots, digest: Sha256, error: this.trial.problem });

    this.web = new Web(this);
    this.metrics = new Metrics(this);
    this.api = new Api(this);
    this.portal = new CaptivePortal(network);
    this.server = new HttpServer({
      listener: { io: Listener, port: build.httpPort },
      socket: { io: TCP },
      handler: (exchange) => this.answer(exchange),
      onFault: (error) => trace(`http: ${String(error)}\n`),
    });
    this.mqtt = new Mqtt(this);
    this.snmp = new Snmp(this);

    // What is asked of the network beside them: all of it comes and goes with the interfaces.
    this.names = new CaptiveDns({ network, socket: { io: UDP } });
    network.observe(this);
    this.networkChanged();
    this.mdns = new Mdns({ settings, network, socket: { io: UDP }, server: this.server });
    this.sntp = new Sntp({ clock: this.clock, settings, network, net: Net, socket: { io: UDP }, random: RNG });

    this.monitor.start();
  }

  /** Whole seconds since the start. */
  uptime(): number {
    return this.monitor.uptime;
  }

  /** Hundredths of a second since the start. */
  centiseconds(): number {
    return this.monitor.centiseconds;
  }

  /** Seconds since 1970, UTC; undefined while nobody has told the time. */
  time(): number | undefined {
    return this.clock.now();
  }

  link(): JkBms | undefined {
    return this.monitor.link;
  }

  statistics(): LinkStatistics | undefined {
    return this.monitor.link?.statistics;
  }

  http(): Counters {
    return this.server.counters;
  }

  get networkControl(): BoardNetwork {
    return this.network;
  }

  get version(): string {
    return this.build.version;
  }

  get random(): typeof RNG {
    return RNG;
  }

  get mqttClient(): typeof MQTTClient {
    return MQTTClient;
  }

  get resolver(): typeof Resolver {
    return Resolver;
  }

  get tcp(): typeof TCP {
    return TCP;
  }

  get udp(): typeof UDP {
    return UDP;
  }

  get net(): typeof Net {
    return Net;
  }

  get writeStatus(): typeof writeStatus {
    return writeStatus;
  }

  get writeSummary(): typeof writeSummary {
    return writeSummary;
  }

  get writeConfiguration(): typeof writeConfiguration {
    return writeConfiguration;
  }

  get findSetting(): typeof findSetting {
    return findSetting;
  }

  makeDigest(): Sha256 {
    return new Sha256();
  }

  readHistory(): BodySource {
    return new HistoryReader(this.history);
  }

  /** Whether the request may have an answer, by the REST API's token; when not, it has been answered. */
  admit(exchange: Exchange): boolean {
    return this.api.admit(exchange);
  }

  /** Answers what is not under /api. */
  next(exchange: Exchange): void {
    if (!this.metrics.answer(exchange)) this.web.answer(exchange);
  }

  /** Starts the device anew. */
  restart(): void {
    this.stop();
    restart();
  }

  /** @returns undefined, or what went wrong, for people */
  factoryReset(): string | undefined {
    return this.settings.erase();
  }

  bmsUpdated(): void {
    this.relay.evaluate(relayTelemetry(this.monitor));
    this.energy.update(packPower(this.monitor));
    this.history.update(this.monitor);
  }

  bmsOnlineChanged(online: boolean): void {
    this.relay.evaluate(relayTelemetry(this.monitor));
    if (!online) this.energy.interrupt();
  }

  networkChanged(): void {
    this.names.open = this.network.accessPoint !== "";
  }

  settingsChanged(group: GroupName): void {
    if (group === "bms") this.monitor.reconfigure(this.settings.bms);
  }

  close(): void {
    this.stop();
    this.trial.close();
    // First takes back what it has announced: the port of the server, in the network.
    this.mdns.close();
    this.sntp.close();
    this.names.open = false;
    this.mqtt.close();
    this.monitor.close();
    this.snmp.close();
    this.server.close();
    this.web.close();
    this.network.close();
  }

  /** The portal has to see every request: that somebody is on the access point. */
  private answer(exchange: Exchange): void {
    if (!this.portal.answer(exchange, this.server.port)) this.api.answer(exchange);
  }

  /** While a frame of the BMS is on the wire the faces wait. */
  private keepQuiet(quiet: boolean): void {
    for (const face of [this.server, this.web, this.mqtt, this.snmp])
      if (quiet) face.pause();
      else face.resume();
  }

  private stop(): void {
    this.events.add("Stopped.");
    this.energy.store();
  }
}
