/**
 * The composition root: opens the hardware, builds the parts, connects and starts them. The platform calls the default export once.
 */
import { HttpServer } from "http-server/server";
import { JkBms } from "jk-bms/jk-bms";
import Analog from "embedded:io/analog";
import Digital from "embedded:io/digital";
import Serial from "embedded:io/serial";
import Listener from "embedded:io/socket/listener";
import TCP from "embedded:io/socket/tcp";
import UDP from "embedded:io/socket/udp";
import Ethernet from "embedded:network/interface/ethernet";
import WiFiStation from "embedded:network/interface/wifi";
import KeyValueStorage from "embedded:storage/key-value";
import config from "mc/config";
import Net from "net";
import RNG from "rng";
import WiFi from "wifi";
import { Api } from "./api/api";
import type { Board } from "./board";
import { writeConfiguration, writeStatus, writeSummary } from "./bms/json";
import { BmsMonitor } from "./bms/monitor";
import { findSetting } from "./bms/settings-table";

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

/** The running firmware: its parts, for the console, the simulator and the tests. */
export interface Firmware {
  readonly settings: StoredSettings;
  readonly monitor: BmsMonitor<JkBms>;
  readonly relay: BoardRelay;
  readonly sensors: BoardSensors;
  readonly network: BoardNetwork;
  readonly clock: WallClock;
  readonly mdns: Mdns;
  readonly api: Api;
  readonly server: HttpServer;
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
        onQuiet: (quiet) => (quiet ? server.pause() : server.resume()),
      }),
  });
  settings.onChange("bms", () => monitor.reconfigure(settings.bms));
  monitor.onUpdate(() => relay.evaluate(relayTelemetry(monitor)));
  monitor.onOnlineChange(() => relay.evaluate(relayTelemetry(monitor)));

  const captive = captivePortal({ network, port: () => server.port });

  const api = new Api({
    monitor,
    settings,
    relay,
    sensors,
    network,
    build: board,
    uptime: () => monitor.uptime,
    writeStatus,
    writeSummary,
    writeConfiguration,
    findSetting,
  });
  const server = new HttpServer({
    listener: { io: Listener, port: board.httpPort },
    socket: { io: TCP },
    handler: (exchange) => {
      if (!captive(exchange)) api.handler(exchange);
    },
    onFault: (error) => trace(`http: ${String(error)}\n`),
  });

  // What is asked of the network beside HTTP: all of it comes and goes with the interfaces.
  const names = new CaptiveDns({
    socket: { io: UDP },
    address: () => network.accessPointIp,
    admits: (address) => network.onPortal(address),
  });
  const followAccessPoint = (): void => void (names.open = network.accessPoint !== "");
  network.onChange(followAccessPoint);
  followAccessPoint();
  const mdns = new Mdns({ settings, network, socket: { io: UDP }, port: () => server.port });
  const clock = new WallClock();
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
    api,
    server,
    close() {
      monitor.close();
      server.close();
      network.close();
      sntp.close();
      mdns.close();
      names.open = false;
    },
  };
}
