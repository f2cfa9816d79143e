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
import KeyValueStorage from "embedded:storage/key-value";
import config from "mc/config";
import Net from "net";
import RNG from "rng";
import { restart } from "application";
import { Sha256 } from "./access/sha256";
import { Api } from "./api/api";
import type { Board } from "./board";
import { writeConfiguration, writeStatus, writeSummary } from "./bms/json";
import { BmsMonitor } from "./bms/monitor";
import { findSetting } from "./bms/settings-table";

import { BoardNetwork } from "./network/network";
import { BoardRelay } from "./relay/relay";
import { relayTelemetry } from "./relay/telemetry";
import { BoardSensors } from "./sensors/sensors";
import { StoredSettings } from "./settings/settings";
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
  readonly api: Api;
  readonly web: Web;
  readonly server: HttpServer;
  readonly updater: Updater;
  readonly trial: Trial;
  close(): void;
}

export default function main(): Firmware {
  const board = config as unknown as Board;
  const { pins } = board;

  const network = new BoardNetwork({ net: Net, type: board.network });
  const settings = new StoredSettings({
    storage: KeyValueStorage,
    random: RNG,
    mac: network.mac,
    ...(board.settings && { configured: board.settings }),
  });
  for (const problem of settings.problems) trace(`settings: ${problem}\n`);

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
        onQuiet(quiet) {
          for (const face of [server, web])
            if (quiet) face.pause();
            else face.resume();
        },
      }),
  });
  settings.onChange("bms", () => monitor.reconfigure(settings.bms));
  monitor.onUpdate(() => relay.evaluate(relayTelemetry(monitor)));
  monitor.onOnlineChange(() => relay.evaluate(relayTelemetry(monitor)));

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

  const sources = {
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
  };
  const web: Web = new Web({
    ...sources,
    random: RNG,
    makeDigest: () => new Sha256(),
    link: () => monitor.link,
    updater,
    restart,
    factoryReset: () => settings.erase(),
  });
  const api = new Api({ ...sources, next: web.handler });
  const server: HttpServer = new HttpServer({
    listener: { io: Listener, port: board.httpPort },
    socket: { io: TCP },
    handler: api.handler,
    onFault: (error) => trace(`http: ${String(error)}\n`),
  });

  monitor.start();
  return {
    settings,
    monitor,
    relay,
    sensors,
    network,
    api,
    web,
    server,
    updater,
    trial,
    close() {
      trial.close();
      monitor.close();
      server.close();
      web.close();
    },
  };
}
