import type { Clock, ClockEvent } from "../clock";
import type { WireEnd } from "../wire";
import { BusMaster, type MasterTiming } from "./bus-master";
import { Controller } from "./controller";
import { Faults } from "./faults";
import { Functions, type Behaviour } from "./functions";
import { Image } from "./image";
import { modelOf, type Model } from "./models";
import { Pack } from "./pack";
import type { Profile } from "./profile";
import { random, type Random } from "./random";
import { LATENCY, Slave, type Latency } from "./slave";
import { Traffic } from "./traffic";

/** The pack's passwords in the simulator: texts that must never appear in any output of the monitor. */
export const PIN = "1234";
export const PASSWORD = "secret-sim";
export const SERIAL_NUMBER = "SIM0000001";

/** Serial number of the pack at an address, where several are on one wire. */
export const serialNumberAt = (address: number): string => `SIM${String(address).padStart(7, "0")}`;

/** Measurement period of the BMS, virtual ms. */
const MEASURING_PERIOD = 500;
const RESTART_TIME = 3000;
const DEFAULT_ADDRESS = 1;
const HIGHEST_ADDRESS = 15;
const MOST_CELLS = 32;
const DEFAULT_TURNAROUND = 25;
const DEFAULT_BAUD = 115_200;
const EIGHT_O_CLOCK = 8 * 3600;

export interface SimulatedBmsOptions extends Partial<Behaviour> {
  clock: Clock;
  /** Its end of a wire. */
  wire: WireEnd;
  /** Baud rate of the wire. */
  baud?: number | undefined;
  /** DIP switch, 0 to 15. */
  address?: number | undefined;
  /**
   * With address 0: on "uart2" the BMS is the bus master and answers no requests; on "uart1" it is an ordinary slave.
   */
  port?: "uart1" | "uart2";
  /** How it keeps time as the bus master. */
  master?: Partial<MasterTiming>;
  serialNumber?: string | undefined;
  /** `JK_PB<balance A>A<cells>S<discharge 10 A>P`. */
  model?: string | undefined;
  firmware?: string | undefined;
  /** Connected cells, 1 to those of the model; default 16, or all of a smaller model. */
  cells?: number | undefined;
  seed?: number | undefined;
  /** Pack seconds per virtual second. */
  timeFactor?: number | undefined;
  /** Initial time of day, seconds since midnight. */
  timeOfDay?: number;
  profile?: Profile;
  /** False: the registers keep their captured or loaded values. */
  evolving?: boolean;
  latency?: Partial<Latency>;
  /** A request that starts within this many ms of the end of the last reply is ignored. */
  turnaround?: number;
  /** FC03 stops being answered after this many ms without FC16; undefined: never. */
  sleepFc03?: number | undefined;
}

function inRange(name: string, value: number, lowest: number, highest: number): number {
  if (Number.isInteger(value) && value >= lowest && value <= highest) return value;
  throw new RangeError(`${name} is a whole number from ${lowest} to ${highest}, not ${value}`);
}

/** Of a 51.2 V pack. */
const USUAL_CELLS = 16;

/** A JK PB BMS with its pack: a Modbus slave on one end of a wire, fully accessible to tests. */
export class SimulatedBms {
  /** The battery: set its current, drain a cell, heat it. */
  readonly pack: Pack;
  /** The BMS's memory by field name. Each measurement overwrites telemetry, unless `evolving` is false. */
  readonly registers: Image;
  readonly faults: Faults;
  readonly controller: Controller;
  /** Pack seconds per virtual second. */
  timeFactor: number;
  readonly model: Model;
  /** Requests seen on all ports. */
  readonly traffic = new Traffic();
  /** With address 0 on UART2: what it does as the bus master. */
  readonly master: BusMaster | undefined;
  /** FC03 stops being answered after this many virtual ms without FC16; undefined: never. */
  sleepFc03: number | undefined;
  readonly #clock: Clock;
  readonly #options: SimulatedBmsOptions;
  readonly #random: Random;
  readonly #functions: Functions;
  readonly #ports: Slave[] = [];
  #measuring: ClockEvent | undefined;
  #online = true;
  #silent: "shutdown" | "firmware-upgrade" | "restarting" | undefined;

  constructor(options: SimulatedBmsOptions) {
    const { clock, wire, seed = 1, timeFactor = 1, evolving = true, firmware = "15.41" } = options;
    const address = inRange("address", options.address ?? DEFAULT_ADDRESS, 0, HIGHEST_ADDRESS);
    this.#clock = clock;
    this.#options = options;
    this.timeFactor = timeFactor;
    this.sleepFc03 = options.sleepFc03;
    const name = options.model ?? "JK_PB2A16S20P";
    this.model = modelOf(name, firmware);
    const cells = inRange("cells", options.cells ?? Math.min(this.model.cells, USUAL_CELLS), 1, MOST_CELLS);
    if (cells > this.model.cells)
      throw new Error(`model ${name} takes up to ${this.model.cells} cells, not ${cells}: name another model`);
    this.registers = startingImage(this.model, firmware, address, cells, options.serialNumber);
    this.pack = startingPack(this.registers, cells, seed, options);
    this.controller = new Controller(this.registers, this.pack, evolving);
    this.#random = random(seed);
    this.faults = new Faults(random(seed + 1));
    const behaviour: Behaviour = {
      answerForm: options.answerForm ?? 308,
      emergencyOff: options.emergencyOff ?? "works",
      nameWritable: options.nameWritable ?? true,
      valueException: options.valueException ?? 3,
    };
    this.#functions = new Functions(this.registers, this.controller, this.model, behaviour, {
      shutdown: (reason) => (this.#silent = reason),
      restart: () => this.#restart(),
      factoryRestore: () => this.#factoryRestore(),
    });
    if (address === 0 && (options.port ?? "uart2") === "uart2") {
      this.master = new BusMaster({
        clock,
        wire,
        baud: options.baud ?? DEFAULT_BAUD,
        functions: this.#functions,
        faults: this.faults,
        alive: () => this.answering,
        timing: options.master,
      });
    }
    this.#open(wire, this.master);
    this.controller.refresh();
    if (evolving) this.#measure();
  }

  /** Also answers on another wire: these boards have two RS485 ports. */
  addPort(wire: WireEnd): void {
    this.#open(wire, undefined);
  }

  /** Stops the BMS: no more measurements, no answers on any wire. */
  close(): void {
    this.#online = false;
    this.#clock.cancel(this.#measuring);
    this.master?.stop();
    for (const port of this.#ports) port.close();
  }

  /** Unplugs the cable, or plugs it in again (which also starts a board that was shut down). */
  setOnline(online: boolean): void {
    if (online) this.#silent = undefined;
    this.#online = online;
  }

  /** Whether requests are heard: the cable is plugged in and the board is running. */
  get answering(): boolean {
    return this.#online && !this.#silent && !this.controller.poweredOff;
  }

  /** Why the board is silent although its cable is plugged in. */
  get silent(): "shutdown" | "firmware-upgrade" | "restarting" | "powered-off" | undefined {
    return this.#silent ?? (this.controller.poweredOff ? "powered-off" : undefined);
  }

  /** Loads a captured 300-byte frame. Telemetry persists only if `evolving` is false. */
  load(frame: Uint8Array): void {
    this.registers.load(frame);
    this.controller.refresh();
  }

  #open(wire: WireEnd, master: BusMaster | undefined): void {
    const { clock, baud = DEFAULT_BAUD, address = DEFAULT_ADDRESS, latency, turnaround } = this.#options;
    const port = new Slave({
      clock,
      wire,
      baud,
      address,
      master,
      latency: { ...LATENCY, ...latency },
      turnaround: turnaround ?? DEFAULT_TURNAROUND,
      random: this.#random,
      functions: this.#functions,
      faults: this.faults,
      traffic: this.traffic,
      sleepFc03: () => this.sleepFc03,
      alive: () => this.answering,
    });
    this.#ports.push(port);
  }

  #measure(): void {
    this.#measuring = this.#clock.after(MEASURING_PERIOD, () => {
      this.controller.advance((MEASURING_PERIOD / 1000) * this.timeFactor);
      this.#measure();
    });
  }

  #restart(): void {
    this.#silent = "restarting";
    this.#clock.after(RESTART_TIME, () => {
      if (this.#silent !== "restarting") return;
      this.#silent = undefined;
      this.controller.boot();
    });
  }

  #factoryRestore(): void {
    const address = this.registers.read("DevAddr");
    this.registers.load(this.model.start.settings);
    this.registers.write("DevAddr", address);
    this.#restart();
  }
}

function startingImage(
  model: Model,
  firmware: string,
  address: number,
  cells: number,
  serialNumber = SERIAL_NUMBER,
): Image {
  const image = new Image();
  const { settings, telemetry, deviceInfo } = model.start;
  for (const frame of [settings, telemetry, deviceInfo]) image.load(frame);
  image.write("DevAddr", address);
  image.write("CellCount", cells);
  image.writeText("ManufacturerDeviceID", model.name);
  image.write("MaxCells", model.maxCells);
  image.writeText("HardwareVersion", model.hardware);
  image.writeText("SoftwareVersion", firmware);
  image.write("ProtocolVersion", model.protocolVersion);
  for (const [name, ceiling] of Object.entries(model.ceilings)) image.write(name, Math.min(image.read(name), ceiling));
  image.writeText("BluetoothName", "JK-SIM");
  image.writeText("BluetoothPin", PIN);
  // As in the captures: data may follow the NUL.
  image.writeText("SerialNumber", `${serialNumber}\x00000`);
  image.writeText("SettingPassword", PASSWORD);
  return image;
}

function startingPack(image: Image, cells: number, seed: number, options: SimulatedBmsOptions): Pack {
  const degrees = (name: string): number => image.read(name) / 10;
  const battery = ["TempBat1", "TempBat2", "TempBat3", "TempBat4", "TempBat5"].map(degrees);
  const measured = Array.from({ length: cells }, (_, index) => image.read("CellWireRes", index));
  return new Pack({
    cells,
    seed,
    soc: image.read("SOCCapRemain") / image.read("SOCFullChargeCap"),
    capacity: image.read("CapBatCell") / 1000,
    temperatures: { mos: degrees("TempMos"), battery },
    timeOfDay: options.timeOfDay ?? EIGHT_O_CLOCK,
    wireResistance: measured.filter((resistance) => resistance > 0),
    ...(options.profile && { profile: options.profile }),
  });
}
