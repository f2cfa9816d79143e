import type { SimulatedBoard } from "../board";
import Analog from "../io/analog";
import * as application from "../io/application";
import { Digest } from "../io/crypt";
import Digital from "../io/digital";
import flash from "../io/flash";
import Instrumentation from "../io/instrumentation";
import Resolver from "../io/dns-resolver";
import Ethernet from "../io/ethernet";
import EthernetDriver from "../io/ethernet-driver";
import KeyValueStorage from "../io/key-value";
import Listener from "../io/listener";
import { MqttSocket } from "../../src/mqtt/mqtt-socket";
import MqttClient, { type Control, type MqttClientOptions, type MqttWriteOptions } from "../io/mqtt-client";
import { setNameServer } from "../io/name-server";
import Net from "../io/net";
import Serial from "../io/serial";
import verify from "../io/signature";
import TCP from "../io/tcp";
import TLSSocket from "../io/tls";
import Time from "../io/time";
import Timer from "../io/timer";
import UDP from "../io/udp";
import update from "../io/update";
import WiFi from "../io/wifi";
import WiFiStation from "../io/wifi-station";
import type { Kind } from "./protocol";

/** Members of a platform object that the firmware on XS can access. */
export interface HostObject {
  close(): void;
  read?(parameter?: never): unknown;
  write?(...parameters: never[]): unknown;
}

type Options = Readonly<Record<string, unknown>>;

type Value = { readonly text: string } | { readonly bytes: readonly number[] };

/** Storage with values represented as in JSON. */
function domain(options: Options): HostObject {
  const storage = KeyValueStorage.open(options as Parameters<typeof KeyValueStorage.open>[0]);
  return {
    close: () => storage.close(),
    format: () => storage.format,
    setFormat: (format: "buffer" | "string") => void (storage.format = format),
    read(key?: string): Value | undefined {
      const value = storage.read(key as string);
      if (value === undefined) return undefined;
      return typeof value === "string" ? { text: value } : { bytes: [...new Uint8Array(value as ArrayBuffer)] };
    },
    write: (key: string, value: Value) =>
      storage.write(key, "text" in value ? value.text : Uint8Array.from(value.bytes)),
    delete: (key: string) => storage.delete(key),
    keys: () => [...storage],
  } as HostObject;
}

/** UDP with packet bytes represented as in JSON. */
function udp(options: Options): HostObject {
  const socket = new UDP(options);
  let sender: { address: string; port: number } | undefined;
  return {
    close: () => socket.close(),
    port: () => socket.port,
    read() {
      const packet = socket.read();
      sender = packet && { address: packet.address, port: packet.port };
      return packet && new Uint8Array(packet);
    },
    /** Of the packet that was read last. */
    sender: () => sender,
    write: (address: string, port: number, bytes: Uint8Array) => socket.write(bytes, address, port),
    add: (group: string) => socket.add(group),
    remove: (group: string) => socket.remove(group),
  } as HostObject;
}

/** The digest is returned as an array of numbers: JSON has no bytes. */
function digest({ type }: Options): HostObject {
  const made = new Digest(type as "SHA256");
  return {
    close: () => undefined,
    write: (bytes: Uint8Array) => made.write(Uint8Array.from(bytes).buffer),
    sum: () => [...new Uint8Array(made.close())],
  } as HostObject;
}

/** One look-up: calls `onReadable` when done; `address` then holds the result. */
function resolver({ host, servers, onReadable }: Options): HostObject {
  let found: string | undefined;
  const resolver = new Resolver({ servers: servers as string[] });
  const done = (address?: string): null => {
    found = address;
    (onReadable as () => void)();
    return null;
  };
  resolver.resolve({ host: host as string, onResolved: (_, address) => done(address), onError: () => done() });
  return { close: () => resolver.close(), address: () => found } as HostObject;
}

/** Callbacks carry only numbers; the firmware fetches other data from within them. */
function mqtt(options: Options): HostObject {
  type Callback = (value?: number) => void;
  const { address, secure, onReadable, onWritable, onControl, onError, ...rest } = options;
  let reason: string | undefined;
  let message: unknown;
  let isRetained = false;
  let control: Control | undefined;
  let prepared: MqttWriteOptions | undefined;
  let made = false;
  class Known {
    resolve({ host, onResolved }: { host: string; onResolved: (host: string, address: string) => null }): void {
      onResolved(host, address as string);
    }
  }
  const client = new MqttClient({
    ...(rest as unknown as Pick<MqttClientOptions, "host">),
    dns: { io: Known },
    // The firmware's socket class stays on this side of the pipe, with the client.
    socket: {
      io: MqttSocket,
      owner: {
        publishBegins: (flag: boolean) => void (isRetained = flag),
        socketFailed: (words: string) => void (reason = words),
      },
      ...(secure
        ? {
            tcp: TLSSocket,
            TCP: { io: TCP },
            secure: { certificate: Uint8Array.from(Buffer.from(secure as string, "hex")).buffer },
          }
        : { tcp: TCP }),
    } as unknown as MqttClientOptions["socket"],
    onReadable(count, part) {
      message = { ...part, isRetained };
      (onReadable as Callback)(count);
    },
    onWritable: (count) => (onWritable as Callback)(count),
    onControl(received) {
      control = received;
      (onControl as Callback)(received.operation);
    },
    // An error during construction, before the object has its number, is reported right afterwards.
    onError: () => void (made ? (onError as Callback)() : Timer.set(() => (onError as Callback)())),
  });
  made = true;
  return {
    close: () => client.close(),
    message: () => message,
    control: () => control,
    reason: () => reason,
    prepare: (next: MqttWriteOptions) => void (prepared = next),
    read: (buffer: Uint8Array) => client.read(buffer),
    write(bytes: Uint8Array) {
      const given = prepared;
      prepared = undefined;
      return client.write(given?.operation === undefined ? bytes : null, given);
    },
  } as unknown as HostObject;
}

/** A failure's reason is a text: the firmware fetches it. */
function tls({ secure, onError, ...rest }: Options): HostObject {
  let reason: string | undefined;
  const socket = new TLSSocket({
    ...rest,
    TCP: { io: TCP },
    secure: { certificate: Uint8Array.from(Buffer.from(secure as string, "hex")).buffer },
    onError(words?: string) {
      reason = words;
      (onError as () => void)();
    },
  });
  return {
    close: () => socket.close(),
    reason: () => reason,
    read: (buffer: Uint8Array) => socket.read(buffer),
    write: (bytes: Uint8Array) => socket.write(bytes),
  } as unknown as HostObject;
}

type Tell = ((value?: number) => void) | undefined;

const changes =
  (onChanged: Tell) =>
  (property: "connection" | "address"): void =>
    onChanged?.(property === "address" ? 1 : 0);

/** Holds scan results until the firmware reads them. */
function wifiStation({ onChanged, onFound, onComplete }: Options): HostObject {
  const station = new WiFiStation({ onChanged: changes(onChanged as Tell) });
  const waiting: object[] = [];
  return {
    close: () => station.close(),
    facts: () => {
      const { connection, address, MAC, SSID, RSSI } = station;
      return { connection, address, MAC, SSID, RSSI };
    },
    connect: (options: Parameters<WiFiStation["connect"]>[0]) => station.connect(options),
    disconnect: () => station.disconnect(),
    configure: (options: Parameters<WiFiStation["configure"]>[0]) => station.configure(options),
    found: () => waiting.shift(),
    scan: () =>
      station.scan({
        onFound(network) {
          waiting.push(network);
          (onFound as Tell)?.();
        },
        onComplete: () => (onComplete as Tell)?.(),
      }),
  } as HostObject;
}

export interface WiredFacts {
  readonly connection: number;
  readonly address: string | undefined;
}

export interface WiredObject extends HostObject {
  facts(): WiredFacts;
}

function wired(ethernet: Ethernet): WiredObject {
  return Object.assign(ethernet, { facts: () => ({ connection: ethernet.connection, address: ethernet.address }) });
}

type Make = (options: Options) => HostObject;

const of =
  <Parameters_>(Class: new (options: Parameters_) => HostObject): Make =>
  (options) =>
    new Class(options as Parameters_);

/** The simulator's classes, by the kind the firmware requests; `timers.ts` has the timers. */
export const MAKERS: Readonly<Record<Exclude<Kind, "timer">, Make>> = {
  serial: of(Serial as new (options: ConstructorParameters<typeof Serial>[0]) => HostObject),
  digital: of(Digital as new (options: ConstructorParameters<typeof Digital>[0]) => HostObject),
  analog: of(Analog),
  tcp: of(TCP as new (options: ConstructorParameters<typeof TCP>[0]) => HostObject),
  tls,
  listener: of(Listener as new (options: ConstructorParameters<typeof Listener>[0]) => HostObject),
  udp,
  ethernet: ({ onChanged }) => wired(new Ethernet({ onChanged: changes(onChanged as Tell) })),
  "wifi-station": wifiStation,
  wifi: ({ onDisconnect }) =>
    new WiFi(undefined, ((_message: string, code: number) => (onDisconnect as Tell)?.(code)) as () => void),
  "key-value": domain,
  update: (options) => update.open(options as unknown as Parameters<typeof update.open>[0]),
  digest,
  resolver,
  mqtt,
};

/** The board itself: functions that belong to no object. */
export function boardObject(board: SimulatedBoard): HostObject {
  return {
    close: () => undefined,
    config: () => board.config,
    net: (what: "IP", mode?: "ethernet") => Net.get(what, mode),
    chooseAccessPoint: (bssid: string) => Net.choose(bssid),
    instrumentationMap: (name: string) => Instrumentation.map(name),
    instrumentationGet: (what?: number) => Instrumentation.get(what),
    setNameServer: (over: "ethernet" | "station", index: 0 | 1, address: string) => setNameServer(over, index, address),
    setTime: (seconds: number) => Time.set(seconds),
    startEthernet: (hostname: string) => EthernetDriver.start(hostname),
    isEthernetStarted: () => EthernetDriver.isStarted(),
    ethernetMac: () => EthernetDriver.mac(),
    wifiMode: () => WiFi.mode,
    setWifiMode: (mode: 0 | 1) => void (WiFi.mode = mode),
    wifiDisconnect: () => WiFi.disconnect(),
    accessPoint: (options: Parameters<typeof WiFi.accessPoint>[0]) => WiFi.accessPoint(options),
    microseconds: () => Time.microseconds,
    slot: (path: string) => flash.open({ path }).status(),
    flashRead(path: string, length: number, at: number) {
      const bytes = new Uint8Array(length);
      flash.open({ path }).read(bytes, at);
      return bytes;
    },
    flashWrite: (path: string, at: number, bytes: Uint8Array) => flash.open({ path }).write(bytes, at),
    flashErase: (path: string, first: number, end: number) => flash.open({ path }).eraseBlock(first, end),
    verify: (...bytes: number[][]) =>
      verify(...(bytes.map((one) => Uint8Array.from(one)) as Parameters<typeof verify>)),
    confirm: () => application.confirm(),
    reject: () => application.reject(),
    runningSlot: () => application.runningSlot(),
    restart: () => application.restart(),
    resetReason: () => application.resetReason(),
    utc: () => application.utc(),
    crash: () => application.crash(),
    forgetCrash: () => application.forgetCrash(),
    storeState: () => application.storeState(),
    eraseStore: () => application.eraseStore(),
    recall(length: number, at: number) {
      const bytes = new Uint8Array(length);
      application.recall(bytes, at);
      return bytes;
    },
    keep: (at: number, bytes: Uint8Array) => application.keep(bytes, at),
    heap: () => board.heap,
    release: (pin: number) => application.release(pin),
    delay: (milliseconds: number) => board.script.busyFor(milliseconds),
  } as HostObject;
}
