import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname, networkInterfaces, type NetworkInterfaceInfo } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { SimulatedBoard, type Firmware } from "./board";
import { modelOf } from "./bms/models";
import { bridge, type OutsidePort } from "./bridge";
import { Clock } from "./clock";
import { defaultConfig } from "./config";
import type { AirNetwork } from "./network/air";
import { HELP, parseCommandLine, UsageError, type CommandLine } from "./command-line";
import { hashPassword } from "./password";
import { givePast } from "./past/board-past";

import { parseRecording, replay as replayed } from "./replay";
import type { PacksSettings } from "../src/settings/types";
import { openSerialPort } from "./serial-port";
import { openTerminals } from "./terminals";
import { play, troubleHelp } from "./troubles";
import type { Wire, WirePort } from "./wire";

/** The members of the running firmware that `npm start` needs besides `close`. */
export interface RunningFirmware extends Firmware {
  readonly settings: { readonly api: { readonly token: string }; readonly web: { readonly password: string } };
}

/** Options of the simulated packs; undefined members take their defaults. */
export interface BmsOrder {
  readonly clock: Clock;
  /** The firmware's wire. */
  readonly wire: Wire;
  /** At addresses 1 to this; undefined: one pack, at `address`. */
  readonly packs: number | undefined;
  /** A second pack at this address. */
  readonly twin: number | undefined;
  /** One more pack, at address 0, is the bus master. */
  readonly master: boolean;
  /** Unparsed values of `--master-fault`. */
  readonly masterFaults: readonly string[];
  /** Unparsed values of `--beside`. */
  readonly beside: readonly string[];
  readonly model: string | undefined;
  readonly cells: number | undefined;
  readonly seed: number | undefined;
  readonly address: number | undefined;
  readonly baud: number | undefined;
  /** Unparsed values of `--fault`. */
  readonly faults: readonly string[];
  readonly timeFactor: number;
}

/** The parts of the product that the command line assembles. */
export interface Parts {
  /** Runs the firmware on `board`, which is powered and current. */
  main(board: SimulatedBoard, engine: CommandLine["engine"]): RunningFirmware | Promise<RunningFirmware>;
  /** Throws an Error with a message for the user if an option is invalid (unknown model, unknown fault). */
  bms(order: BmsOrder): { close(): void };
  /** Help lines for the available faults. */
  readonly faultHelp: string;
  readonly masterFaultHelp: string;
  readonly frameMasterHelp: string;
}

export interface Running {
  readonly board: SimulatedBoard;
  readonly url: string;
  /** Follows `url` while no password has been chosen: has the set-up code. Otherwise empty. */
  readonly fragment: string;
  readonly token: string;
  /** Password of the web interface, if known: one that the owner chose earlier is not. */
  readonly password: string;
  /** Path for other programs, with `--pty`. */
  readonly pty: string | undefined;
  /** Wi-Fi networks that can be joined when there is no cable. */
  readonly air: readonly AirNetwork[];
  close(): Promise<void>;
}

const STORED = "as chosen earlier";
const NOT_CHOSEN = "none yet: choose one at this address, which has the set-up code";
/** On the firmware's console. */
const SET_UP_CODE = /set-up code (\w+)/;

/** GPIO of the button, present if it is to be pressed. */
const BUTTON = 13;

const DEFAULT_BAUD = 115_200;
/** The usual simulated pack; capacity in Ah. */
const PAST_MODEL = { name: "JK_PB2A16S20P", firmware: "15.41", cells: 16, capacity: 280 } as const;
/** UDP port (RFC 6762). */
const MDNS = 5353;

/**
 * Volts at the analogue pins: about 25 °C at the default thermistor, and three supplies behind their default dividers.
 */
const THERMISTOR_VOLTS = 1.03;
const SUPPLY_VOLTS = [1.2, 1.1, 0.5] as const;

/** Wi-Fi networks in range; `--network wifi` joins the first. */
const AIR: readonly AirNetwork[] = [
  { ssid: "Home", password: "home-sweet-home", rssi: -52, channel: 6 },
  { ssid: "Neighbour", password: "not-for-you", rssi: -78, channel: 11 },
  { ssid: "Guest", rssi: -64, channel: 1 },
];
/** The default time server, served by the simulator from the host's clock. */
const TIME_SERVER = { name: "pool.ntp.org", address: "192.0.2.123" } as const;

/** IPv4 addresses of this machine. */
const ownAddresses = (): NetworkInterfaceInfo[] =>
  Object.values(networkInterfaces()).flatMap((found) => (found ?? []).filter(({ family }) => family === "IPv4"));

/** Address at which others reach a server bound to `bind`. */
function reachable(bind: string): string {
  return bind === "0.0.0.0" ? (ownAddresses().find(({ internal }) => !internal)?.address ?? "127.0.0.1") : bind;
}

/** Mask of the network that `address` of this machine is in. */
function maskOf(address: string): object {
  const own = ownAddresses().find((one) => one.address === address);
  return own ? { mask: own.netmask } : {};
}

function chosenNetwork(): { ssid: string; password: string } {
  const [{ ssid, password }] = AIR as [Required<AirNetwork>];
  return { ssid, password };
}

/** The option for a TCP port: the other server is Modbus, whose port may be a stored one. */
const portOption = (options: CommandLine, port: number): string => (port === options.port ? "--port" : "--modbus");

/** Messages for Node's error codes when a socket cannot be bound. */
const BIND_PROBLEMS: Readonly<Record<string, (options: CommandLine, port: number) => string>> = {
  EADDRINUSE: (options, port) =>
    `port ${port} on ${options.bind} is in use: end the program that has it, or choose another with ${portOption(options, port)}`,
  EACCES: (options, port) =>
    `port ${port} is not allowed for this user: choose one above 1023 with ${portOption(options, port)}`,
  EADDRNOTAVAIL: ({ bind }) => `${bind} is no address of this machine: see --bind`,
  ENOTFOUND: ({ bind }) => `${bind} is no address of this machine: see --bind`,
};

function bindProblem(error: unknown, options: CommandLine): unknown {
  // Of the two sockets, this is the UDP one.
  if ((error as NodeJS.ErrnoException).syscall === "bind")
    return new Error(
      `UDP port ${options.snmpPort} on ${options.bind} cannot be had: end the program that has it, or choose another with --snmp-port`,
    );
  const { code = "", port = options.port } = error as NodeJS.ErrnoException & { readonly port?: number };
  const sentence = BIND_PROBLEMS[code];
  return sentence ? new Error(sentence(options, port)) : error;
}

/** Assembles board, BMS and firmware, and starts the clock. */
export async function run(options: CommandLine, parts: Parts, report: (text: string) => void): Promise<Running> {
  const { port, bind, token, password, baud, address, readMode } = options;
  const clock = new Clock();
  const host = reachable(bind);
  let code = "";
  const mac = options.mac ?? (options.name === undefined ? undefined : macOf(options.name));
  const board = new SimulatedBoard({
    clock,
    bind,
    busyPerRequest: options.busy,
    console: (text) => {
      code = SET_UP_CODE.exec(text)?.[1] ?? code;
      process.stdout.write(text);
    },
    baud: baud ?? DEFAULT_BAUD,
    ...(options.storage !== undefined && { storage: options.storage, history: `${options.storage}.history` }),
    network: { ip: host, ...maskOf(host), ...(mac !== undefined && { mac }) },
    cable: options.network === "ethernet",
    utc: Date.now,
    hostNames: true,
    ...(options.mdns && { udpPorts: { [MDNS]: MDNS } }),
    config: {
      httpPort: port,
      // The board that the pin assignment comes from has no button.
      ...(options.troubles.some(({ kind }) => kind === "button") && {
        pins: { ...defaultConfig().pins, button: BUTTON },
      }),
      hosts: [hostname().toLowerCase(), "localhost", ...ownAddresses().map((own) => own.address)],
      snmpPort: options.snmpPort,
      settings: {
        ...(options.name !== undefined && { device: { name: options.name } }),
        ...(token !== undefined && { api: { token } }),
        ...(password !== undefined && { web: { password: hashPassword(password) } }),
        ...(options.snmpCommunity !== undefined && { snmp: { enabled: true, community: options.snmpCommunity } }),
        ...(options.modbus !== undefined && { modbus: { enabled: true, port: options.modbus } }),
        bms: {
          ...((address ?? options.packs) !== undefined && { address: address ?? 1 }),
          ...(baud !== undefined && { baud }),
          ...(readMode !== undefined && { readMode }),
        },
        ...(options.packs !== undefined && { packs: packsOf(options.packs, address ?? 1) }),
        ...(options.network === "wifi" && { network: chosenNetwork() }),
      },
    },
  });
  for (const network of AIR) board.air.add(network);
  board.names.set(TIME_SERVER.name, TIME_SERVER.address);
  const outside: OutsidePort[] = [];
  let bms: { close(): void } | undefined;
  const close = async (): Promise<void> => {
    board.firmware?.close();
    board.powerOff();
    bms?.close();
    clock.stop();
    await Promise.all(outside.map((opened) => opened.close()));
  };
  const open = (end: WirePort, opened: OutsidePort): void => {
    outside.push(opened);
    opened.onFailure = ({ message }) => report(`${message}\n`);
    bridge(clock, end, opened);
  };
  try {
    let pty: string | undefined;
    if (options.serial !== undefined) {
      open(board.wire.bms, await openSerialPort(options.serial, baud ?? DEFAULT_BAUD));
    } else {
      const { wire } = board;
      if (options.pty) {
        const opened = await openTerminals();
        open(wire.join(), opened);
        pty = opened.path;
      }
      const { model, cells, seed, packs, twin, master, faults, masterFaults, beside, timeFactor, replay } = options;
      try {
        bms =
          replay === undefined
            ? parts.bms({
                clock,
                wire,
                model,
                cells,
                seed,
                address,
                baud,
                packs,
                twin,
                master,
                faults,
                masterFaults,
                beside,
                timeFactor,
              })
            : replayed(clock, wire.bms, parseRecording(readFileSync(replay, "utf8")));
      } catch (error) {
        throw new UsageError((error as Error).message);
      }
    }
    const { pins } = board.config;
    if (pins.temperature !== undefined) {
      board.setAnalog(pins.temperature, THERMISTOR_VOLTS);
      pins.voltages.forEach((pin, channel) => board.setAnalog(pin, SUPPLY_VOLTS[channel] ?? 0));
    }
    for (const trouble of options.troubles) play(board, trouble, report);
    let hasPast = options.history === undefined;
    const firmware = await board
      .boot(() => {
        // Not again when it restarts.
        if (!hasPast) givePast(board, pastOf(options));
        hasPast = true;
        return parts.main(board, options.engine);
      })
      .catch((error: unknown) => {
        throw bindProblem(error, options);
      });
    clock.start();
    const { api, web } = firmware.settings;
    return {
      board,
      url: `http://${host}:${port}`,
      fragment: web.password || !code ? "" : `/#code=${code}`,
      token: api.token,
      password: password ?? (web.password ? STORED : NOT_CHOSEN),
      pty,
      air: options.network === "ethernet" ? [] : AIR,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The first has an address of its own; the others are those of 1 to `count` that are left. */
function packsOf(count: number, first: number): PacksSettings {
  const addresses = Array.from({ length: count }, (_, index) => index + 1).filter((address) => address !== first);
  const nameOf = (address: number): string => `Pack ${address}`;
  return { first: nameOf(first), further: addresses.map((address) => ({ address, name: nameOf(address) })) };
}

/** The packs of the past are those of the command line. */
function pastOf({ history, model, cells, seed, packs, address }: CommandLine): Parameters<typeof givePast>[1] {
  const most = modelOf(model ?? PAST_MODEL.name, PAST_MODEL.firmware).cells;
  return {
    days: history ?? 1,
    now: Math.floor(Date.now() / 1_000),
    seed: seed ?? 1,
    packs: packs === undefined ? [address ?? 1] : Array.from({ length: packs }, (_, index) => index + 1),
    cells: cells ?? Math.min(most, PAST_MODEL.cells),
    capacity: PAST_MODEL.capacity,
  };
}

/** A locally administered MAC (IEEE 802) that belongs to a name. */
function macOf(name: string): string {
  const digits = createHash("sha256").update(name).digest("hex").slice(0, 10).toUpperCase();
  return ["02", ...(digits.match(/../g) ?? [])].join(":");
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** How long the banner waits for the BMS, and between two looks, ms. */
const PATIENCE = 5_000;
const LOOK = 50;
const NOT_YET = 503;

/** Until the firmware has read the BMS's settings; false: not within PATIENCE, or the API is off. */
async function isLoaded({ url, token }: Running): Promise<boolean> {
  const headers = { Authorization: `Bearer ${token}` };
  // A device that has hung takes the connection and never answers.
  const signal = AbortSignal.timeout(PATIENCE);
  for (; !signal.aborted; await pause(LOOK)) {
    const answer = await fetch(`${url}/api/bms/config`, { headers, signal }).catch(() => undefined);
    if (answer?.ok) return true;
    if (answer && answer.status !== NOT_YET) return false;
  }
  return false;
}

/** Start-up banner. */
export function greeting({ url, fragment, token, password, pty, air }: Running, isReady: boolean): string {
  const authorization = `-H ${quoted(`Authorization: Bearer ${token}`)}`;
  const networks = air.map(
    ({ ssid, password }) => `\n  Wi-Fi    ${ssid}, ${password ? `password ${password}` : "open"}`,
  );
  const body = `-H 'Content-Type: application/json' -d '{"command":"charge_mos","state":"off"}'`;
  return `
  Address  ${url}${fragment}
  Token    ${token}
  Password ${password}${pty ? `\n  BMS bus  also on ${pty}` : ""}${networks.join("")}

  Try
    curl ${authorization} ${url}/api/bms/status
    curl ${authorization} ${body} ${url}/api/bms/commands
    curl ${authorization} ${url}/api/bms/commands
${isReady ? "" : "\n  The BMS has not answered yet: until then its values are unknown.\n"}
  Ctrl-C ends it.
`;
}

/** Interval of checks that the parent process still runs, ms. */
const PARENT_INTERVAL = 1000;

/**
 * npm forwards signals to its shell, which exits without forwarding them to us: without this check nothing would stop
 * us.
 */
function endWithParent(end: () => void): void {
  if (process.env["npm_lifecycle_event"] === undefined) return;
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && end(), PARENT_INTERVAL).unref();
}

/**
 * The program: parses the command line and runs until SIGINT or SIGTERM. Exit codes: 0 after such a signal, 1 if it
 * could not start, 2 for an invalid command line.
 */
export async function start(parts: Parts): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
    endWithParent(resolve);
  });
  try {
    const options = parseCommandLine(process.argv.slice(2), process.env);
    if (!options) {
      process.stdout.write(
        `${HELP}\nFaults:\n${parts.faultHelp}\n\nFaults of the master:\n${parts.masterFaultHelp}\n\nOther programs:\n${parts.frameMasterHelp}\n\nTroubles:\n${troubleHelp()}\n`,
      );
      return;
    }
    const running = await run(options, parts, (text) => process.stderr.write(text));
    const isReady = await Promise.race([isLoaded(running), stopped.then(() => false)]);
    process.stdout.write(greeting(running, isReady));
    await stopped;
    await running.close();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
