import { parseArgs } from "node:util";
import { MAX_PAST_DAYS } from "./past/past";
import { parseTrouble, type TroubleOrder } from "./troubles";
import { accepts } from "../src/settings/field";
import { MAX_NAME, MAX_PORT, MIN_NAME, MIN_PORT } from "../src/settings/limits";
import GROUPS from "../src/settings/tables";
import { MAX_PASSWORD, MIN_PASSWORD } from "../src/web/limits";
import { isPassword } from "../src/web/password";

/** Initial network connection of the simulated board. */
export type NetworkChoice = "ethernet" | "wifi" | "first-start";

export interface CommandLine {
  readonly engine: "node" | "xs";
  readonly port: number;
  readonly snmpPort: number;
  /** Undefined: use the stored setting for SNMP. */
  readonly snmpCommunity: string | undefined;
  /** Undefined: Modbus TCP as stored. */
  readonly modbus: number | undefined;
  readonly bind: string;
  readonly network: NetworkChoice;
  /** Name of the device; undefined: the stored one. */
  readonly name: string | undefined;
  /** Upper case with colons; undefined: that of the name, or the usual one. */
  readonly mac: string | undefined;
  /** Whether mDNS uses its real port. */
  readonly mdns: boolean;
  readonly token: string | undefined;
  readonly password: string | undefined;
  readonly model: string | undefined;
  readonly cells: number | undefined;
  readonly seed: number | undefined;
  /** Several packs, at addresses 1 to this; undefined: one. */
  readonly packs: number | undefined;
  /** A second pack has this address, too. */
  readonly twin: number | undefined;
  /** One more pack is the bus master. */
  readonly master: boolean;
  /** Unparsed: the simulated BMS knows its faults. */
  readonly faults: readonly string[];
  readonly masterFaults: readonly string[];
  /** Unparsed: other programs that read the packs. */
  readonly beside: readonly string[];
  readonly troubles: readonly TroubleOrder[];
  readonly timeFactor: number;
  readonly storage: string | undefined;
  /** Days of a past that is invented before the start; undefined: the history is as it was. */
  readonly history: number | undefined;
  readonly serial: string | undefined;
  /** File of a recording. */
  readonly replay: string | undefined;
  readonly pty: boolean;
  readonly busy: number;
  readonly baud: 115200 | 9600 | undefined;
  readonly address: number | undefined;
  readonly readMode: "auto" | "registers" | "frames" | undefined;
}

export const HELP = `Runs the battery-monitor firmware against a simulated JK BMS.

npm start -- [options]

  --port N            HTTP port (default 8080)
  --bind ADDRESS      address to listen on (default 127.0.0.1; 0.0.0.0: the whole network)
  --network HOW       ethernet (default): a cable is plugged in; wifi: none is, a Wi-Fi is chosen; first-start: neither
  --name TEXT         name of the device, such as Shed; also gives it a MAC of its own, so that several can use one broker
  --mac MAC           its MAC, such as 02:00:5E:10:00:02
  --mdns              announces its hostname, such as jk-bms-100001.local, on the network of --bind
  --token TOKEN       API token (also: environment BMS_TOKEN; default: the stored one, else a new one)
  --password TEXT     password of the web interface (also: environment BMS_PASSWORD; default: the stored one, else the page
                      asks to choose one)
  --snmp-community NAME  switches SNMP on, for those who know NAME (default: as stored, else off)
  --snmp-port N       UDP port of SNMP (default 1161)
  --modbus PORT       switches Modbus TCP on, at this port (default: as stored, else off)
  --storage FILE      file of the stored settings (default: none, they end with the program); FILE.history has the history
  --history DAYS      replaces the history by an invented past of so many days, 1 to ${MAX_PAST_DAYS}: seasons, a cell that
                      drifts, of several packs a weak one, alarms, restarts; --seed invents another
  --baud N            baud rate of the BMS, 115200 or 9600
  --address N         Modbus address of the BMS, 0 to 15 (0: as on RS485-1, where it answers)
  --read-mode MODE    how the BMS is read: auto, registers or frames
  --engine ENGINE     the JavaScript engine that runs the firmware: node (default), or xs, the device's own
  --busy MS           the script is busy this long for each request, as on the device (default 0)
  --trouble KIND[:at=N][:for=N][:times=N]  what happens to the chip N seconds after the start (default 10), or a condition
                      that holds from then on (default 0) for so many seconds or to the end; once or so often, each time
                      as long after the one before; may be given more than once

The simulated BMS:
  --model NAME        such as JK_PB2A16S20P
  --cells N           cells in series
  --seed N            makes its noise repeatable
  --packs N           1 to 15 packs on the same wire, at addresses 1 to N, each with a serial number of its own; all are polled
  --twin N            one more pack at the address N, which another one has, too: both answer
  --master            one more pack, at address 0: it is the bus master, which asks the others and answers nobody
  --beside PROGRAM[:every=N][:settings=N]  another program reads the packs on the same wire, each in its order, such as
                      dbus-serialbattery; may be given more than once
  --fault KIND[:every=N]  a fault, on every reply it fits or on every Nth, of each pack; may be given more than once
  --master-fault KIND[:at=N][:for=N]  a fault of the master; may be given more than once
  --time-factor N     the pack ages N times as fast (default 1)

Instead of the simulated BMS:
  --serial PATH       a real BMS on a serial port, such as /dev/ttyUSB0
  --replay FILE       a recording of a bus, over and over; a capture of the demonstration answers as the BMS did

Any of them, except a serial port:
  --pty               connects a pseudo-terminal to the wire, for other programs: they hear all of it, and may speak

  --help              this text
`;

/** A user error; the message is shown to the user. */
export class UsageError extends Error {}

function number(
  option: string,
  text: string | undefined,
  low: number,
  high: number,
  integer = true,
): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (!(value >= low && value <= high) || (integer && !Number.isInteger(value)))
    throw new UsageError(`--${option} ${text}: must be ${integer ? "a whole" : "a"} number from ${low} to ${high}`);
  return value;
}

function oneOf<Choice extends string>(
  option: string,
  text: string | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  if (text === undefined) return undefined;
  const choice = choices.find((candidate) => candidate === text);
  if (!choice) throw new UsageError(`--${option} ${text}: must be ${choices.join(", ")}`);
  return choice;
}

/** Not a group address: the lowest bit of the first byte is 0. */
const MAC = /^[0-9a-f][02468ace](:[0-9a-f]{2}){5}$/i;
const COMMUNITY = /^[\x20-\x7e]{1,32}$/;
const TOKEN = /^[\x21-\x7e]{1,128}$/;

function trouble(text: string): TroubleOrder {
  try {
    return parseTrouble(text);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** UDP. */
const MDNS_PORT = 5353;

/** Options of the simulated BMS alone. */
const SIMULATED = [
  "model",
  "cells",
  "seed",
  "packs",
  "twin",
  "master",
  "beside",
  "fault",
  "master-fault",
  "time-factor",
] as const;

/** @returns undefined if help was requested. Throws a UsageError. */
export function parseCommandLine(
  parameters: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
): CommandLine | undefined {
  const text = { type: "string" } as const;
  let values;
  try {
    ({ values } = parseArgs({
      args: [...parameters],
      strict: true,
      allowPositionals: false,
      options: {
        port: text,
        bind: text,
        network: text,
        name: text,
        mac: text,
        mdns: { type: "boolean" },
        token: text,
        password: text,
        model: text,
        cells: text,
        seed: text,
        packs: text,
        twin: text,
        master: { type: "boolean" },
        beside: { type: "string", multiple: true },
        fault: { type: "string", multiple: true },
        "master-fault": { type: "string", multiple: true },
        trouble: { type: "string", multiple: true },
        "time-factor": text,
        "snmp-port": text,
        "snmp-community": text,
        modbus: text,
        storage: text,
        history: text,
        serial: text,
        replay: text,
        pty: { type: "boolean" },
        busy: text,
        baud: text,
        address: text,
        "read-mode": text,
        engine: text,
        help: { type: "boolean", short: "h" },
      },
    }));
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  if (values.help) return undefined;
  const { mac, name } = values;
  if (mac !== undefined && !MAC.test(mac))
    throw new UsageError(`--mac ${mac}: must be six bytes such as 02:00:5E:10:00:02, and no group address`);
  if (name !== undefined && !accepts(GROUPS.device.fields.name, name))
    throw new UsageError(`--name ${name}: must be ${MIN_NAME} to ${MAX_NAME} characters, without control characters`);
  const token = values.token ?? (environment["BMS_TOKEN"] || undefined);
  if (token !== undefined && !TOKEN.test(token))
    throw new UsageError("the token must be 1 to 128 printable ASCII characters without blanks");
  const password = values.password ?? (environment["BMS_PASSWORD"] || undefined);
  if (password !== undefined && !isPassword(password))
    throw new UsageError(
      `A password must be ${MIN_PASSWORD} to ${MAX_PASSWORD} characters, without control characters.`,
    );
  const community = values["snmp-community"];
  if (community !== undefined && !COMMUNITY.test(community))
    throw new UsageError("the SNMP community must be 1 to 32 printable ASCII characters");
  for (const [instead, options] of [
    ["serial", [...SIMULATED, "replay", "pty"]],
    ["replay", SIMULATED],
  ] as const) {
    if (values[instead] === undefined) continue;
    const simulated = options.find((option) => values[option] !== undefined);
    if (simulated) throw new UsageError(`--${simulated} is for the simulated BMS: not together with --${instead}`);
  }
  if (values["master-fault"] && !values.master) throw new UsageError("--master-fault needs --master");
  const packs = number("packs", values.packs, 1, 15);
  const baud = oneOf("baud", values.baud, ["115200", "9600"]);
  const port = number("port", values.port, MIN_PORT, MAX_PORT) ?? 8080;
  const modbus = number("modbus", values.modbus, MIN_PORT, MAX_PORT);
  if (modbus === port) throw new UsageError(`--modbus ${modbus}: the web server has this port, see --port`);
  const snmpPort = number("snmp-port", values["snmp-port"], MIN_PORT, MAX_PORT) ?? 1161;
  if (values.mdns && snmpPort === MDNS_PORT) throw new UsageError(`--snmp-port ${snmpPort}: mDNS has this port`);
  return {
    engine: oneOf("engine", values.engine, ["node", "xs"]) ?? "node",
    port,
    snmpPort,
    snmpCommunity: community,
    modbus,
    bind: values.bind ?? "127.0.0.1",
    network: oneOf("network", values.network, ["ethernet", "wifi", "first-start"]) ?? "ethernet",
    name,
    mac: mac?.toUpperCase(),
    mdns: values.mdns ?? false,
    token,
    password,
    model: values.model,
    cells: number("cells", values.cells, 1, 32),
    seed: number("seed", values.seed, 0, 2 ** 32 - 1),
    packs,
    twin: number("twin", values.twin, 1, packs ?? 1),
    master: values.master ?? false,
    faults: values.fault ?? [],
    masterFaults: values["master-fault"] ?? [],
    beside: values.beside ?? [],
    troubles: (values.trouble ?? []).map(trouble),
    timeFactor: number("time-factor", values["time-factor"], 0.001, 100_000, false) ?? 1,
    storage: values.storage,
    history: number("history", values.history, 1, MAX_PAST_DAYS),
    serial: values.serial,
    replay: values.replay,
    pty: values.pty ?? false,
    busy: number("busy", values.busy, 0, 10_000, false) ?? 0,
    baud: baud === undefined ? undefined : baud === "9600" ? 9600 : 115_200,
    address: number("address", values.address, 0, 15),
    readMode: oneOf("read-mode", values["read-mode"], ["auto", "registers", "frames"]),
  };
}
