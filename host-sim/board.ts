import { host } from "#host";
import type { Faults } from "../modules/door/enter";
import { keepAbort, KEPT_BYTES } from "./abort";
import { Clock, Script } from "./clock";
import { defaultConfig, type BoardConfig } from "./config";
import { ApplicationSlots } from "./flash";
import { FlashFile } from "./flash-file";
import { Air } from "./network/air";
import { EthernetModel } from "./network/ethernet";
import { RadioModel } from "./network/radio";
import { Names } from "./network/names";
import { Pins, type Pin } from "./pins";
import { Refusals } from "./refusals";
import { StorageFile } from "./storage";
import { TcpStack } from "./tcp-stack";
import { Timers } from "./timers";
import { Wire } from "./wire";

/** Return value of the firmware's main. */
export interface Firmware {
  close(): void;
}

/** Reset reasons: the values of ESP-IDF's `esp_reset_reason_t` that the simulator uses. */
export const RESET = Object.freeze({ powerOn: 1, software: 3, panic: 4, taskWatchdog: 6, brownOut: 9 });

/** Task watchdog timeout, ms: CONFIG_ESP_TASK_WDT_TIMEOUT_S. */
export const TASK_WATCHDOG = 30_000;

/** Crash location in the format the firmware reports after a panic. */
const CRASH = "task main, pc 0x400d1a2b, backtrace 0x400d1a28 0x400d2c40 0x400d3f11";
/** Content of the retained memory at power-on. */
const NOISE = 0xa5;

export interface NetworkFacts {
  /** Upper case with colons, as in the SDK's `net`. */
  mac: string;
  /**
   * DHCP address on Ethernet and Wi-Fi; undefined: no lease. Also the address of the access point, because the sockets
   * are bound there.
   */
  ip: string | undefined;
  dns: string[];
  /** Time server that DHCP tells. */
  ntp?: string;
  /** Network mask that DHCP tells. */
  mask?: string;
}

export interface BoardOptions {
  /** The clock, if shared; default: a clock of its own, not started. */
  clock?: Clock;
  /** Makes the board's random generator repeatable; default: the host's. */
  seed?: number;
  /** File for the stored settings; without it they live as long as this object. */
  storage?: string;
  /** File for the partition "history"; without it it lives as long as this object. */
  history?: string;
  /** Host address to which listening sockets are bound: 127.0.0.1 (default), or 0.0.0.0 for the whole network. */
  bind?: string;
  /** Bytes. Default 5,744: four segments of 1,436 bytes. */
  sendWindow?: number;
  /** Bytes. Default 2,872. */
  receiveWindow?: number;
  /** Active TCP connections, listening sockets not counted. Default 16. */
  connections?: number;
  /**
   * Simulates a slower processor, ms: each read from a TCP socket (about one per request) keeps the script busy for
   * this long; what the firmware sends meanwhile leaves at the end of that time. Default 0.
   */
  busyPerRequest?: number;
  /** The same for each connection that the firmware accepts, ms. Default 0. */
  busyPerConnection?: number;
  /** Initial `Time.ticks`. Default 0; 2 ** 31 - 1000 makes it wrap after a second. */
  ticks?: number;
  /** Baud rate of the far end of the wire. Default 115200. */
  baud?: number;
  /** Whether the RS485 transceiver echoes what the board sends. */
  echo?: boolean;
  /** Folder with the files embedded by a build. Default: build/web of the repository. */
  resources?: string;
  /** Values of the SDK's Instrumentation by name ("System Free Memory"). Default: none, as in a release build. */
  instrumentation?: Readonly<Record<string, number>>;
  config?: Partial<BoardConfig>;
  network?: Partial<NetworkFacts>;
  /**
   * Host UDP ports that replace the device's, for binding and sending. 0: any free port. Default: 0 for 53 (DNS) and
   * 5353 (mDNS).
   */
  udpPorts?: Readonly<Record<number, number>>;
  /**
   * Time (ms since 1970) served by a time server in the simulated network. Without it, no time server exists except
   * through `udpPorts`.
   */
  utc?: () => number;
  /** Whether names unknown to the simulated network are resolved by the host. */
  hostNames?: boolean;
  /** Whether the Ethernet cable is initially plugged in. Default true. */
  cable?: boolean;
  /** For tests of parts without the firmware's network: TCP/IP runs from power-on, with an address. */
  online?: boolean;
  /** `startTime` of the Ethernet model: what the driver takes to start, ms. Default 0. */
  ethernetStart?: number;
  /** Output of `trace` and of the board's own reports. Default: standard output. */
  console?: (text: string) => void;
}

/** ESP32: 128 bytes of FIFO each way. */
export interface UartStatistics {
  received: number;
  sent: number;
  /** Bytes lost because the receive FIFO was full. */
  overflows: number;
}

/** State that lives from power-on to power-off. */
interface Power {
  readonly script: Script;
  readonly timers: Timers;
  readonly tcp: TcpStack;
  readonly poweredAt: number;
  readonly cuts: Set<() => void>;
  /** Sockets that are still being bound. */
  binding: Promise<void>[];
  /** The TCP/IP stack runs. */
  hasStack: boolean;
  faults?: Faults | undefined;
}

/** As in the boards' partition table. */
const HISTORY_SECTORS = 32;
const DEFAULT_WINDOW = 5744;
const DEFAULT_RECEIVE_WINDOW = 2872;
const DEFAULT_CONNECTIONS = 16;
const DEFAULT_UDP_PORTS: Readonly<Record<number, number>> = { 53: 0, 5353: 0 };
const DEFAULT_BAUD = 115_200;

/**
 * A simulated device. Instances of the platform's classes (`embedded:io/…`, `timer` …) belong to the board that is
 * current when they are created. A board is current while its callbacks run, so several boards can run in one process.
 */
export class SimulatedBoard {
  static #current: SimulatedBoard | undefined;

  readonly clock: Clock;
  /** What the platform refuses at the moment. */
  readonly refusals = new Refusals();
  readonly pins: Pins;
  config: BoardConfig;
  readonly network: NetworkFacts;
  readonly storage: StorageFile;
  readonly slots = new ApplicationSlots();
  /** The partition "history", with what it has worn, and a switch that cuts its power within a write. */
  readonly history: FlashFile;
  /** `board.ethernet.cable = false` unplugs the cable. */
  readonly ethernet: EthernetModel;
  /** Wi-Fi networks in range of the board. */
  readonly air = new Air();
  /** The board's own Wi-Fi; `board.radio.accessPoint` is the network it provides. */
  readonly radio: RadioModel;
  readonly names: Names;
  /** Host ports of bound UDP sockets, by device port. */
  readonly udpBound = new Map<number, number>();
  /** Name servers set by the firmware; the platform drops them whenever an address changes. */
  #nameServers: string[] = [];
  /** Time set by the firmware: seconds since 1970. */
  utcSet: number | undefined;
  /** Of the chip's clock, s: what it has, beyond virtual time. */
  #rtc = 0;
  readonly uart: UartStatistics = { received: 0, sent: 0, overflows: 0 };
  readonly options: BoardOptions;
  /** Return value of the firmware's main. */
  firmware: Firmware | undefined;
  /** RTC memory: survives a restart but not a power cut. */
  readonly kept = new Uint8Array(KEPT_BYTES);
  /** System heap, bytes: free, minimum ever free, largest free block. Undefined: not measured. */
  heap: readonly [free: number, least: number, block: number] | undefined;
  /** XS's memory is short: nothing more is admitted. For V8; XS looks itself. */
  isFull = false;
  /** Summary of the core dump; empty: none. */
  crash = "";
  /** The stored settings were unreadable at power-on: they have been set aside, and the store is empty. */
  storeAside = false;
  /** Pins that the firmware has detached from their reset function. */
  readonly released = new Set<number>();

  /** Configuration of the simulator's built-in firmware. */
  readonly #ownConfig: BoardConfig;
  /** What DHCP servers lease to the board. */
  #lease: string | undefined;
  readonly #wires = new Map<number, Wire>();
  #power: Power | undefined;
  #randomBlocks = 0;
  #resetReason: number = RESET.powerOn;
  #nextReset: number = RESET.powerOn;
  #main: (() => Firmware | void | Promise<Firmware | void>) | undefined;
  /** Resolves when a restart in progress has finished. */
  restarted: Promise<void> = Promise.resolve();

  constructor(options: BoardOptions = {}) {
    this.options = options;
    this.clock = options.clock ?? new Clock();
    this.config = this.#ownConfig = Object.freeze({ ...defaultConfig(), ...options.config });
    this.pins = new Pins(this.refusals.pins, this.config.chip);
    this.storage = new StorageFile(options.storage);
    this.history = new FlashFile(HISTORY_SECTORS, options.history);
    this.network = {
      mac: "02:00:5E:10:00:01",
      ip: options.bind && options.bind !== "0.0.0.0" ? options.bind : "127.0.0.1",
      dns: ["127.0.0.53"],
      ...options.network,
    };
    this.#lease = this.network.ip;
    const address = (): string | undefined => this.#lease;
    const servers = (): readonly string[] => this.nameServers;
    this.names = new Names(this.clock, { host: options.hostNames ?? false, servers });
    this.ethernet = new EthernetModel(this.clock, options.cable ?? true, address);
    this.ethernet.startTime = options.ethernetStart ?? 0;
    this.radio = new RadioModel(this.clock, this.air, address);
  }

  /** Throws an Error if no board is powered. */
  static get current(): SimulatedBoard {
    if (!SimulatedBoard.#current) throw new Error("no board is powered: call powerOn() or boot() of a SimulatedBoard");
    return SimulatedBoard.#current;
  }

  static get powered(): boolean {
    return SimulatedBoard.#current !== undefined;
  }

  get isPowered(): boolean {
    return this.#power !== undefined;
  }

  /** The single script thread since the last power-on. */
  get script(): Script {
    return this.#powered.script;
  }

  get timers(): Timers {
    return this.#powered.timers;
  }

  get tcp(): TcpStack {
    return this.#powered.tcp;
  }

  /** The firmware's, once it has one. */
  get faults(): Faults | undefined {
    return this.#power?.faults;
  }

  set faults(faults: Faults | undefined) {
    this.#powered.faults = faults;
  }

  /** Seconds since 1970 by the chip's clock, which goes on over a restart. */
  get rtc(): number {
    return this.#rtc + this.clock.now / 1_000;
  }

  /** For the platform's Time. */
  setTime(seconds: number): void {
    this.utcSet = seconds;
    this.#rtc = seconds - this.clock.now / 1_000;
  }

  /** Virtual milliseconds since power-on. */
  get uptime(): number {
    return this.clock.now - this.#powered.poweredAt;
  }

  /** What DHCP servers lease to the board from now on, on Ethernet and Wi-Fi; undefined: none answers, and a lease expires. */
  set lease(address: string | undefined) {
    this.#lease = address;
    if (!this.#power) return;
    this.ethernet.leaseChanged();
    this.radio.leaseChanged();
  }

  /** Name servers in use: from DHCP, or set by the firmware if it has set the address. */
  get nameServers(): readonly string[] {
    const link = [this.ethernet, this.radio].find(({ address }) => address !== undefined);
    if (!link) return [];
    return link.staticAddress ? this.#nameServers.filter((server) => server) : this.network.dns;
  }

  setNameServer(over: "ethernet" | "station", index: 0 | 1, address: string): void {
    const link = over === "ethernet" ? this.ethernet : this.radio;
    if (link.address !== undefined) this.#nameServers[index] = address;
  }

  /** Called when an interface gains, changes or loses its address. */
  forgetNameServers(): void {
    this.#nameServers = [];
  }

  /** An interface has an address, and with it a route: lwIP's ip4_route skips those without. */
  get hasAddress(): boolean {
    const { options, ethernet, radio } = this;
    return (
      options.online === true || [ethernet.address, radio.address, radio.accessPoint].some((one) => one !== undefined)
    );
  }

  /** For the platform's network interfaces: esp_netif_init has started the TCP/IP stack, which runs until power-off. */
  startStack(): void {
    this.#powered.hasStack = true;
  }

  /** For the platform's sockets, before one is opened: throws as boards/esp32/sockets does. */
  requireSocket(): void {
    // Without the stack ESP-IDF aborts: its C classes look first.
    if (!this.#powered.hasStack) throw new Error("no network");
    if (this.refusals.sockets || this.refusals.refusesAllocation()) throw new Error("no memory");
  }

  /** Host port for a UDP port of the device. */
  hostPort(port: number): number {
    return { ...DEFAULT_UDP_PORTS, ...this.options.udpPorts }[port] ?? port;
  }

  /** The inverse: device port for a UDP port of the host. */
  devicePort(port: number): number {
    const known = [...this.udpBound, ...Object.entries(this.options.udpPorts ?? {})];
    return Number(known.find(([, host]) => host === port)?.[0] ?? port);
  }

  /** The BMS's wire: attach the BMS to `board.wire.bms`. */
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

  /** A pin, to observe an output or drive an input. */
  pin(number: number): Pin {
    return this.pins.pin(number);
  }

  /** Sets the voltage at an analogue pin. */
  setAnalog(pin: number, volts: number): void {
    this.pins.setVolts(pin, volts);
  }

  /** Reason of the last reset: a value of RESET. */
  get resetReason(): number {
    return this.#resetReason;
  }

  /** Makes this board current with a fresh script, and reloads the stored settings. */
  powerOn(): void {
    if (this.#power) throw new Error("the board is powered already");
    this.#resetReason = this.#nextReset;
    this.#nextReset = RESET.powerOn;
    if (this.#resetReason === RESET.powerOn) {
      this.kept.fill(NOISE);
      this.#rtc = -this.clock.now / 1_000;
    }
    this.slots.boot();
    const { version } = this.slots;
    if (version !== undefined) this.config = Object.freeze({ ...this.config, version });
    else this.config = this.#ownConfig;
    const { options, clock } = this;
    const script = new Script(clock);
    const tcp = new TcpStack(clock, {
      sendWindow: options.sendWindow ?? DEFAULT_WINDOW,
      receiveWindow: options.receiveWindow ?? DEFAULT_RECEIVE_WINDOW,
      connections: options.connections ?? DEFAULT_CONNECTIONS,
      bind: options.bind ?? "127.0.0.1",
    });
    this.#power = {
      script,
      timers: new Timers(this),
      tcp,
      poweredAt: clock.now,
      cuts: new Set(),
      binding: [],
      hasStack: options.online ?? false,
    };
    this.ethernet.powerOff();
    if (options.online) this.ethernet.plugIn();
    this.#makeCurrent();
    // As each device has its own: of the board that is current.
    Object.defineProperty(globalThis, "faults", {
      configurable: true,
      get: () => SimulatedBoard.#current?.faults,
      set: (faults: Faults) => (SimulatedBoard.current.faults = faults),
    });
    globalThis.trace = (...text) => SimulatedBoard.current.trace(text.join(""));
    const problem = this.storage.load();
    this.storeAside = problem !== undefined || this.storage.aside();
    if (problem) this.trace(`${problem}\n`);
  }

  /** Powers on and runs the firmware's `main`; resolves when its sockets are listening, rejects if one cannot. */
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

  /** Restarts the chip at the firmware's request, after the current callback. */
  restart(): void {
    this.reset(RESET.software);
  }

  /** Simulates a crash of the firmware. */
  panic(where = CRASH): void {
    this.script.stop();
    this.crash = where;
    this.reset(RESET.panic);
  }

  /** XS ends the script; `why` as boards/esp32/abort.c has it. The chip restarts by software. */
  abort(why = "unhandled exception: Error: simulated"): void {
    this.script.stop();
    keepAbort(this.kept, why);
    this.trace(`script aborted: ${why}\n`);
    this.reset(RESET.software);
  }

  /** Stalls the script until the task watchdog resets the chip. */
  hang(): void {
    this.script.stop();
    const bite = this.clock.after(TASK_WATCHDOG, () => {
      this.crash = CRASH;
      this.reset(RESET.taskWatchdog);
    });
    this.attach(() => this.clock.cancel(bite));
  }

  /** Presses the button for `ms`. */
  press(ms: number): void {
    const { button } = this.config.pins;
    if (button === undefined) throw new Error("the board has no button");
    const pin = this.pin(button);
    pin.drive(0);
    this.clock.after(ms, () => pin.drive(undefined));
  }

  /** Simulates a brown-out. */
  brownOut(): void {
    this.script.stop();
    this.reset(RESET.brownOut);
  }

  /** Cuts the power and restores it. */
  powerCut(): void {
    this.script.stop();
    this.reset(RESET.powerOn);
  }

  /** Resets the chip with a `reason` of RESET; `restarted` resolves when it is back. */
  reset(reason: number): void {
    const main = this.#main;
    this.restarted = new Promise<void>((resolve) => host.soon(resolve)).then(async () => {
      if (!this.#power || !main) return;
      this.powerOff();
      this.#nextReset = reason;
      await this.boot(main);
    });
    // The error reaches the caller that awaits `restarted`.
    this.restarted.catch(() => undefined);
  }

  /** Resolves when every listening socket is bound; rejects with Node's error if one cannot be. */
  async ready(): Promise<void> {
    const power = this.#powered;
    const { binding } = power;
    power.binding = [];
    await Promise.all(binding);
  }

  /** For the platform's classes: makes `ready` wait for `bound`. */
  bind(bound: Promise<void>): void {
    // The error is reported through `ready`; until then it must not count as unhandled.
    bound.catch(() => undefined);
    this.#powered.binding.push(bound);
  }

  /** Cuts the power: the firmware stops, and nothing of it keeps the process alive. The wires stay connected. */
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

  /** For the platform's classes: `cut` is called at power-off. Returns a function that unregisters it. */
  attach(cut: () => void): () => void {
    const { cuts } = this.#powered;
    cuts.add(cut);
    return () => void cuts.delete(cut);
  }

  /** For the platform's classes: delivers a callback to the script with this board as the current one. */
  post(callback: () => void): void {
    this.#power?.script.post(() => {
      this.#makeCurrent();
      callback();
    });
  }

  /** As `post`, from an interrupt service routine: lost if the queue is full. */
  postFromInterrupt(callback: () => void): void {
    if (!this.refusals.interrupts) this.post(callback);
  }

  /** Random bytes: the host's, or a repeatable sequence if a seed was given. */
  random(length: number): Uint8Array {
    const { seed } = this.options;
    if (seed === undefined) return crypto.getRandomValues(new Uint8Array(length));
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length;) {
      const block = host.sha256(`${seed}/${this.#randomBlocks++}`);
      const part = block.subarray(0, length - at);
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }

  /** A file of the build, for the platform's `Resource`; undefined if absent. */
  resource(path: string): Uint8Array | undefined {
    return host.resource(path, this.options.resources);
  }

  trace(text: string): void {
    if (this.options.console) this.options.console(text);
    else host.print(text);
  }

  get #powered(): Power {
    if (!this.#power) throw new Error("the board has no power");
    return this.#power;
  }

  #makeCurrent(): void {
    SimulatedBoard.#current = this;
  }
}
