import { createHash, randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { KEPT_BYTES } from "../src/health/limits";
import { Clock, Script } from "./clock";
import { defaultConfig, type BoardConfig } from "./config";
import { ApplicationSlots } from "./flash";
import { Air } from "./network/air";
import { EthernetModel } from "./network/ethernet";
import { RadioModel } from "./network/radio";
import { Names } from "./network/names";
import { Pins, type Pin } from "./pins";
import { root } from "./specifiers.mjs";
import { StorageFile } from "./storage";
import { TcpStack } from "./tcp-stack";
import { Timers } from "./timers";
import { Wire } from "./wire";

/** What the firmware's main returns. */
export interface Firmware {
  close(): void;
}

/** What has started the chip: ESP-IDF's `esp_reset_reason_t`, as far as the simulator plays it. */
export const RESET = Object.freeze({ powerOn: 1, software: 3, panic: 4, taskWatchdog: 6, brownOut: 9 });

/** The task watchdog's patience with a script that hangs, ms: CONFIG_ESP_TASK_WDT_TIMEOUT_S. */
export const TASK_WATCHDOG = 30_000;

/** As the firmware on the chip tells where it was when it panicked. */
const CRASH = "task main, pc 0x400d1a2b, backtrace 0x400d1a28 0x400d2c40 0x400d3f11";
/** What the memory that outlives a restart holds when the power comes on. */
const NOISE = 0xa5;

export interface NetworkFacts {
  /** Upper case with colons, as the SDK's `net` has it. */
  mac: string;
  /** What DHCP gives, on the cable and on Wi-Fi; undefined: never one. The access point has it as well: it is where the sockets are bound. */
  ip: string | undefined;
  dns: string[];
}

export interface BoardOptions {
  /** The clock, when the board shares it; default: its own, not started. */
  clock?: Clock;
  /** Makes the random generator of the board repeatable; without it it is the host's. */
  seed?: number;
  /** The file of the stored settings; without it they live as long as this object. */
  storage?: string;
  /** The host's address that listening sockets are bound to: 127.0.0.1 (default), or 0.0.0.0 for the whole network. */
  bind?: string;
  /** Bytes. Default 5,744: four segments of 1,436 bytes. */
  sendWindow?: number;
  /** Bytes. Default 5,744. */
  receiveWindow?: number;
  /** Active TCP connections, listening sockets not counted. Default 8. */
  connections?: number;
  /**
   * The slower processor, ms: each read of received bytes from a TCP socket (about one a request) keeps the script busy that long. What
   * the firmware answers in it leaves at the end of that time. Default 0.
   */
  busyPerRequest?: number;
  /** `Time.ticks` at power-on. Default 0; 2 ** 31 - 1000 lets it wrap after a second. */
  ticks?: number;
  /** Baud rate of the far end of the wire. Default 115200. */
  baud?: number;
  /** The RS485 transceiver echoes what the board sends. */
  echo?: boolean;
  /** The folder of the files that a build embeds. Default: build/web of the repository. */
  resources?: string;
  /** What the SDK's Instrumentation tells, by its names ("System Free Memory"). Default: nothing, as in a release build. */
  instrumentation?: Readonly<Record<string, number>>;
  config?: Partial<BoardConfig>;
  network?: Partial<NetworkFacts>;
  /** The host's UDP ports that stand for the device's, bound or sent to. 0: a free one. Default: 0 for 53 (DNS) and 5353 (mDNS). */
  udpPorts?: Readonly<Record<number, number>>;
  /** The time (ms since 1970) that a time server in the simulated network tells. Without it there is none but what `udpPorts` leads to. */
  utc?: () => number;
  /** Names that the simulated network does not know are asked of the host's resolver. */
  hostNames?: boolean;
  /** Whether the Ethernet cable is plugged in at first. Default true. */
  cable?: boolean;
  /** Where `trace` and the board's own reports go. Default: standard output. */
  console?: (text: string) => void;
}

/** ESP32: 128 bytes of FIFO each way. */
export interface UartStatistics {
  received: number;
  sent: number;
  /** Bytes lost because the receive FIFO was full. */
  overflows: number;
}

/** What lives from power-on to power-off. */
interface Power {
  readonly script: Script;
  readonly timers: Timers;
  readonly tcp: TcpStack;
  readonly poweredAt: number;
  readonly cuts: Set<() => void>;
  /** Sockets that are being bound. */
  binding: Promise<void>[];
}

const DEFAULT_WINDOW = 5744;
const DEFAULT_CONNECTIONS = 8;
const DEFAULT_UDP_PORTS: Readonly<Record<number, number>> = { 53: 0, 5353: 0 };
const DEFAULT_BAUD = 115_200;

/**
 * One device. The platform's classes (`embedded:io/…`, `timer` …) belong to the board that is current when they are made; while a board's
 * callbacks run it is the current one, so several boards can run in one process.
 */
export class SimulatedBoard {
  static #current: SimulatedBoard | undefined;

  readonly clock: Clock;
  readonly pins = new Pins();
  config: BoardConfig;
  readonly network: NetworkFacts;
  readonly storage: StorageFile;
  readonly slots = new ApplicationSlots();
  /** `board.ethernet.cable = false` pulls the cable out. */
  readonly ethernet: EthernetModel;
  /** The Wi-Fi networks around the board. */
  readonly air = new Air();
  /** Its own Wi-Fi: `board.radio.accessPoint` is what it offers. */
  readonly radio: RadioModel;
  readonly names: Names;
  /** The host's ports that UDP sockets are bound to, by the device's. */
  readonly udpBound = new Map<number, number>();
  /** Name servers that the firmware has set; the platform forgets them with each change of an address. */
  #nameServers: string[] = [];
  /** What the firmware has set the clock to: seconds since 1970. */
  utcSet: number | undefined;
  readonly uart: UartStatistics = { received: 0, sent: 0, overflows: 0 };
  readonly options: BoardOptions;
  /** What the firmware's main returned. */
  firmware: Firmware | undefined;
  /** RTC memory: it outlives a restart, not the power. */
  readonly kept = new Uint8Array(KEPT_BYTES);
  /** The system's heap, bytes: free, the least ever free, the largest free block. Undefined: nobody counts. */
  heap: readonly [free: number, least: number, block: number] | undefined;
  /** The core dump's summary; empty: there is none. */
  crash = "";
  /** The stored settings could not be read at power-on: they are kept aside, and the store is empty. */
  storeAside = false;
  /** Pins that the firmware has taken from what the chip's reset gives them to. */
  readonly released = new Set<number>();

  /** Of the firmware that the simulator itself is. */
  readonly #ownConfig: BoardConfig;
  readonly #wires = new Map<number, Wire>();
  #power: Power | undefined;
  #randomBlocks = 0;
  #resetReason: number = RESET.powerOn;
  #nextReset: number = RESET.powerOn;
  #main: (() => Firmware | void | Promise<Firmware | void>) | undefined;
  /** Resolves when a restart under way has ended. */
  restarted: Promise<void> = Promise.resolve();

  constructor(options: BoardOptions = {}) {
    this.options = options;
    this.clock = options.clock ?? new Clock();
    this.config = this.#ownConfig = Object.freeze({ ...defaultConfig(), ...options.config });
    this.storage = new StorageFile(options.storage);
    this.network = {
      mac: "02:00:5E:10:00:01",
      ip: options.bind && options.bind !== "0.0.0.0" ? options.bind : "127.0.0.1",
      dns: ["127.0.0.53"],
      ...options.network,
    };
    const address = (): string | undefined => this.network.ip;
    const servers = (): readonly string[] => this.nameServers;
    this.names = new Names(this.clock, { host: options.hostNames ?? false, servers });
    this.ethernet = new EthernetModel(this.clock, options.cable ?? true, address);
    this.radio = new RadioModel(this.clock, this.air, address);
  }

  /** Throws an Error when no board is powered. */
  static get current(): SimulatedBoard {
    if (!SimulatedBoard.#current) throw new Error("no board is powered: call powerOn() or boot() of a SimulatedBoard");
    return SimulatedBoard.#current;
  }

  static get powered(): boolean {
    return SimulatedBoard.#current !== undefined;
  }

  /** The one script thread since the last power-on. */
  get script(): Script {
    return this.#powered.script;
  }

  get timers(): Timers {
    return this.#powered.timers;
  }

  get tcp(): TcpStack {
    return this.#powered.tcp;
  }

  /** Virtual milliseconds since power-on. */
  get uptime(): number {
    return this.clock.now - this.#powered.poweredAt;
  }

  /** Those that are asked for names: what DHCP tells, or the firmware where it has set the address. */
  get nameServers(): readonly string[] {
    const link = [this.ethernet, this.radio].find(({ address }) => address !== undefined);
    if (!link) return [];
    return link.staticAddress ? this.#nameServers.filter((server) => server) : this.network.dns;
  }

  setNameServer(over: "ethernet" | "station", index: 0 | 1, address: string): void {
    const link = over === "ethernet" ? this.ethernet : this.radio;
    if (link.address !== undefined) this.#nameServers[index] = address;
  }

  /** An interface gets another address, or none. */
  forgetNameServers(): void {
    this.#nameServers = [];
  }

  /** Where a UDP port of the device is on the host. */
  hostPort(port: number): number {
    return { ...DEFAULT_UDP_PORTS, ...this.options.udpPorts }[port] ?? port;
  }

  /** The other way: what a UDP port of the host is to the device. */
  devicePort(port: number): number {
    const known = [...this.udpBound, ...Object.entries(this.options.udpPorts ?? {})];
    return Number(known.find(([, host]) => host === port)?.[0] ?? port);
  }

  /** The wire of the BMS: `board.wire.bms` is where the BMS attaches. */
  get wire(): Wire {
    return this.wireOf(this.config.pins.bms.port);
  }

  wireOf(port: number): Wire {
    let wire = this.#wires.get(port);
    if (!wire) {
      const { baud = DEFAULT_BAUD, echo = false } = this.options;
      this.#wires.set(port, (wire = new Wire(this.clock, { baud, echo })));
    }
    return wire;
  }

  /** Watches an output or drives an input. */
  pin(number: number): Pin {
    return this.pins.pin(number);
  }

  /** Volts at an analogue pin. */
  setAnalog(pin: number, volts: number): void {
    this.pins.setVolts(pin, volts);
  }

  /** Why the chip has started: of RESET. */
  get resetReason(): number {
    return this.#resetReason;
  }

  /** Makes this board the current one, with a fresh script; the stored settings are read again. */
  powerOn(): void {
    if (this.#power) throw new Error("the board is powered already");
    this.#resetReason = this.#nextReset;
    this.#nextReset = RESET.powerOn;
    if (this.#resetReason === RESET.powerOn) this.kept.fill(NOISE);
    this.slots.boot();
    const { version } = this.slots;
    if (version !== undefined) this.config = Object.freeze({ ...this.config, version });
    else this.config = this.#ownConfig;
    const { options, clock } = this;
    const script = new Script(clock);
    const tcp = new TcpStack(clock, {
      sendWindow: options.sendWindow ?? DEFAULT_WINDOW,
      receiveWindow: options.receiveWindow ?? DEFAULT_WINDOW,
      connections: options.connections ?? DEFAULT_CONNECTIONS,
      bind: options.bind ?? "127.0.0.1",
    });
    this.#power = { script, timers: new Timers(this), tcp, poweredAt: clock.now, cuts: new Set(), binding: [] };
    this.ethernet.powerOn();
    this.#makeCurrent();
    globalThis.trace = (...text) => SimulatedBoard.current.trace(text.join(""));
    const problem = this.storage.load();
    this.storeAside = problem !== undefined;
    if (problem) this.trace(`${problem}\n`);
  }

  /** Powers on and runs the firmware's `main`; resolves when its sockets listen, rejects when one cannot. */
  async boot<Main extends Firmware | void>(main: () => Main | Promise<Main>): Promise<Main> {
    this.#main = main;
    this.powerOn();
    try {
      const firmware = await main();
      if (firmware) this.firmware = firmware;
      await this.ready();
      return firmware;
    } catch (error) {
      this.powerOff();
      throw error;
    }
  }

  /** The firmware has asked for it: the chip starts anew, once the callback that runs has ended. */
  restart(): void {
    this.reset(RESET.software);
  }

  /** The firmware crashes. */
  panic(where = CRASH): void {
    this.script.stop();
    this.crash = where;
    this.reset(RESET.panic);
  }

  /** The script stands still, until the task watchdog bites. */
  hang(): void {
    this.script.stop();
    const bite = this.clock.after(TASK_WATCHDOG, () => {
      this.crash = CRASH;
      this.reset(RESET.taskWatchdog);
    });
    this.attach(() => this.clock.cancel(bite));
  }

  /** Somebody presses the button, for `ms`. */
  press(ms: number): void {
    const { button } = this.config.pins;
    if (button === undefined) throw new Error("the board has no button");
    const pin = this.pin(button);
    pin.drive(0);
    this.clock.after(ms, () => pin.drive(undefined));
  }

  /** The supply breaks down for a moment. */
  brownOut(): void {
    this.script.stop();
    this.reset(RESET.brownOut);
  }

  /** The plug is pulled and put in again. */
  powerCut(): void {
    this.script.stop();
    this.reset(RESET.powerOn);
  }

  /** The chip starts anew, for the `reason` of RESET. `restarted` tells when it has. */
  reset(reason: number): void {
    const main = this.#main;
    this.restarted = new Promise((resolve) => setImmediate(resolve)).then(async () => {
      if (!this.#power || !main) return;
      this.powerOff();
      this.#nextReset = reason;
      await this.boot(main);
    });
    // The caller that awaits it gets the error.
    this.restarted.catch(() => undefined);
  }

  /** Resolves when every socket that listens is bound; rejects with Node's error when one cannot be. */
  async ready(): Promise<void> {
    const power = this.#powered;
    const { binding } = power;
    power.binding = [];
    await Promise.all(binding);
  }

  /** For the platform's classes: `ready` waits for `bound`. */
  bind(bound: Promise<void>): void {
    // The error is for whoever awaits `ready`; until then it must not count as unhandled.
    bound.catch(() => undefined);
    this.#powered.binding.push(bound);
  }

  /** The plug is pulled: nothing of the firmware runs any more, and nothing of it keeps the process alive. The wires stay. */
  powerOff(): void {
    const power = this.#power;
    if (!power) return;
    this.#power = undefined;
    this.firmware = undefined;
    power.script.stop();
    power.timers.stop();
    for (const cut of [...power.cuts]) cut();
    power.tcp.destroy();
    for (const { board } of this.#wires.values()) board.abort();
    this.ethernet.powerOff();
    this.radio.powerOff();
    this.forgetNameServers();
    this.udpBound.clear();
    this.utcSet = undefined;
    this.pins.reset();
    if (SimulatedBoard.#current === this) SimulatedBoard.#current = undefined;
  }

  /** For the platform's classes: `cut` is called at power-off. Returns what takes it back. */
  attach(cut: () => void): () => void {
    const { cuts } = this.#powered;
    cuts.add(cut);
    return () => void cuts.delete(cut);
  }

  /** For the platform's classes: delivers a callback to the script, with this board as the current one. */
  post(callback: () => void): void {
    this.#power?.script.post(() => {
      this.#makeCurrent();
      callback();
    });
  }

  /** Random bytes: the host's, or a repeatable stream with a seed. */
  random(length: number): Uint8Array {
    const { seed } = this.options;
    if (seed === undefined) return randomBytes(length);
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length;) {
      const block = createHash("sha256").update(`${seed}/${this.#randomBlocks++}`).digest();
      const part = block.subarray(0, length - at);
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }

  /** A file of the build, for the platform's `Resource`; undefined when there is none. */
  resource(path: string): Uint8Array | undefined {
    const file = join(this.options.resources ?? join(root, "build/web"), path);
    return existsSync(file) ? readFileSync(file) : undefined;
  }

  trace(text: string): void {
    if (this.options.console) this.options.console(text);
    else process.stdout.write(text);
  }

  get #powered(): Power {
    if (!this.#power) throw new Error("the board has no power");
    return this.#power;
  }

  #makeCurrent(): void {
    SimulatedBoard.#current = this;
  }
}
