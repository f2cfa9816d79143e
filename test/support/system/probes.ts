import { RESPONSE_BUFFER_BYTES } from "http-server/limits";
import type { Exchange } from "http-server/types";
import * as FIELDS from "jk-bms/field-table";
import { readRaw } from "jk-bms/fields";
import { sentenceOf } from "../../../src/bms/write-report";
import { Api } from "../../../src/api/api";
import { HistoryReader } from "../../../src/history/history-reader";
import type { Firmware } from "../../../src/main";
import type { BusPack } from "../../../src/packs/types";
import type { ManagedNetwork, Scan } from "../../../src/network/types";
import type { GroupName, SettingsGroups } from "../../../src/settings/types";

export interface NetworkState extends Pick<
  ManagedNetwork,
  "mode" | "type" | "ip" | "online" | "reason" | "ssid" | "rssi" | "accessPoint" | "cable"
> {
  readonly mdns: string;
}

/** A test's access to the firmware's internals. */
export interface MonitorState {
  readonly online: boolean;
  readonly configurationLoaded: boolean;
  readonly pending: boolean;
  readonly lastCommand: string;
  readonly lastCommandOk: boolean;
  /** State of the link to the BMS; undefined while there is none. */
  readonly statistics: Readonly<NonNullable<Firmware["monitor"]["bus"]>["statistics"]> | undefined;
}

/** Only a rendered body. */
function bodyOf(api: Api, path: string, token: string): string {
  const into = new Uint8Array(RESPONSE_BUFFER_BYTES);
  let text = "";
  const exchange: Partial<Exchange> = {
    method: "GET",
    path,
    query: "",
    remoteAddress: "127.0.0.1",
    open: true,
    memo: undefined,
    trust: () => undefined,
    header: (name) => (name === "authorization" ? `Bearer ${token}` : undefined),
    respond(status, _type, body) {
      if (status !== 200 || typeof body !== "function") return;
      const length = body(into);
      for (let at = 0; at < length; at++) text += String.fromCharCode(into[at] as number);
    },
  };
  api.answer(exchange as Exchange);
  return text;
}

/**
 * Runs beside the firmware, in the test's process or on XS, where parameters and results travel as JSON. May only use what the device
 * provides.
 */
// eslint-disable-next-line @typescript-eslint/explicit-module-boundary-types -- `Probes` is inferred from it
export function probesOf(firmware: Firmware) {
  const { monitor, settings, relay, server, network, clock } = firmware;
  const first = () => monitor.packs[0] as BusPack;
  const packVoltages: number[] = [];
  let thrown = 0;
  return {
    token: (): string => settings.api.token,
    port: (): number => server.port,
    /** Undefined: SNMP is switched off. */
    snmpPort: (): number | undefined => firmware.snmp?.port,
    close: (): void => firmware.close(),
    ledPattern: (): string => firmware.ledPattern,
    monitor(): MonitorState {
      const { writes, bus } = monitor;
      const pack = first();
      const { online, configurationLoaded } = pack;
      const last = writes.lastOf(pack);
      return {
        ...{ online, configurationLoaded, pending: writes.pending, statistics: bus?.statistics },
        ...{ lastCommand: last ? sentenceOf(last) : "", lastCommandOk: last?.outcome === "confirmed" },
      };
    },
    /** The problem, if the change is refused. */
    configure: <Name extends GroupName>(group: Name, change: Partial<SettingsGroups[Name]>): string | undefined =>
      settings.update(group, change),
    /** Why the write was not accepted; undefined if it was. */
    writeParameter: (name: string, value: number | string): ReturnType<Firmware["monitor"]["writes"]["parameter"]> =>
      monitor.writes.parameter(first(), name, value, "API"),
    writeCommand: (name: string, on: boolean): ReturnType<Firmware["monitor"]["writes"]["command"]> =>
      monitor.writes.command(first(), name, on, "API"),
    relay: (): 0 | 1 => relay.value,
    update(): { state: string; received: number; error: string; onTrial: boolean } {
      const { state, received, error } = firmware.updater;
      return { state, received, error, onTrial: firmware.trial !== undefined };
    },
    network(): NetworkState {
      const { mode, type, ip, online, reason, ssid, rssi, accessPoint, cable } = network;
      return { mode, type, ip, online, reason, ssid, rssi, accessPoint, cable, mdns: firmware.mdns?.hostname ?? "" };
    },
    /** Why and how often the device has started. */
    start(): Pick<Firmware["start"], "reason" | "restarts" | "safe"> {
      const { reason, restarts, safe } = firmware.start;
      return { reason, restarts, safe };
    },
    /** What needs a network: whether each works. */
    services: (): { readonly [Name in "network" | "snmp" | "mdns" | "time"]: boolean } => ({
      network: network.online,
      snmp: firmware.snmp?.running ?? false,
      mdns: (firmware.mdns?.hostname ?? "") !== "",
      time: clock.valid,
    }),
    restart: (): void => firmware.restartFor("ordered"),
    /** With the restart that follows, or without. */
    factoryReset(isRestarting = true): void {
      firmware.factoryReset();
      if (isRestarting) firmware.restartFor("factory-reset");
    },
    startScan: (): void => network.startScan(),
    scan: (): Scan => network.scan(),
    /** Sets the time as a time server would: ms since 1970. */
    setTime: (utc: number): void => clock.set(utc),
    /** The firmware's time, seconds since 1970. */
    utc: (): number | undefined => clock.now(),
    /** False: refused. */
    switchRelay: (on: boolean): boolean => relay.switch(on),
    /** Stored state: counters in whole joules, history as CSV, log lines. */
    parts(): { joules: { charged: number; discharged: number }; history: string; log: string[] } {
      const { energy, history, events } = firmware;
      const into = new Uint8Array(16_384);
      const length = new HistoryReader(history).read(into);
      let text = "";
      for (let index = 0; index < length; index++) text += String.fromCharCode(into[index] as number);
      const log: string[] = [];
      for (let index = 0; index < events.length; index++) log.push(events.at(index).text);
      return {
        joules: { charged: energy?.chargedJoules ?? NaN, discharged: energy?.dischargedJoules ?? NaN },
        history: text,
        log,
      };
    },
    deviceName: (): string => settings.device.name,
    /** The body of a GET of the API, as its clients get it, and as it is rendered by an API that has cached nothing. */
    documents(path: string, token: string): [cached: string, rendered: string] {
      return [bodyOf(firmware.api, path, token), bodyOf(new Api(firmware), path, token)];
    },
    /** The stored bytes of the BMS's device information. */
    deviceInfo(): number[] {
      const { view } = first().deviceInfo;
      return [...new Uint8Array(view.buffer, view.byteOffset, view.byteLength)];
    },
    /** Starts recording published pack voltages, mV. */
    watchPackVoltage: (): void =>
      monitor.observe({
        packUpdated: ({ telemetry }) => void packVoltages.push(readRaw(telemetry, FIELDS.packVoltage)),
      }),
    packVoltages: (): number[] => packVoltages.splice(0),
    /** Lets a method of a part, by its path such as "network.wireless.radio", throw at the next `times` calls. */
    throwIn(path: string, method: string, times: number): void {
      let target: unknown = firmware;
      for (const name of path.split("."))
        target = Array.isArray(target)
          ? target.find((one: object) => one.constructor.name === name)
          : (target as Readonly<Record<string, unknown>>)[name];
      const before = (target as Record<string, ((...given: unknown[]) => unknown) | undefined>)[method];
      if (!before) throw new Error(`no ${method}`);
      let left = times;
      (target as Record<string, unknown>)[method] = function (this: unknown, ...given: unknown[]): unknown {
        if (left <= 0) return before.apply(this, given);
        left--;
        thrown++;
        throw new RangeError("time -2");
      };
    },
    /** How often they have. */
    thrown: (): number => thrown,
    /** What is shown of the parts that do not work. */
    problems: (): readonly string[] => firmware.parts.problems,
    faults: (): number => firmware.parts.faults,
  };
}

export type Probes = ReturnType<typeof probesOf>;
