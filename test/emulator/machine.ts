/** A board in QEMU with a simulated BMS at its UART1. The flash is a file in a folder, which outlives the machine as a real one does. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { bridge } from "../../host-sim/bridge";
import { serialNumberAt, SimulatedBms, type SimulatedBmsOptions } from "../../host-sim/bms/simulated-bms";
import { Clock } from "../../host-sim/clock";
import { openPty } from "../../host-sim/pty";
import { root } from "../../host-sim/specifiers.mjs";
import { Wire } from "../../host-sim/wire";
import { bmsPortOf, chipOf } from "../../scripts/emulator.mjs";
import defaults from "../../src/settings/defaults";
import { textOf } from "../../src/settings/stored-text";
import GROUPS from "../../src/settings/tables";
import type { GroupName, SettingsGroups } from "../../src/settings/types";
import { freePort, freeUdpPort } from "../support/free-port";
import { hasWifi, NETWORK, qemuArguments } from "./command";
import { Control } from "./control";
import { Debugger } from "./debugger";
import { efuseImage } from "./efuse";
import { flashImage, partitionsOf } from "./flash";
import { nvsImage } from "./nvs";
import { addressOf } from "./symbols";
import { type Task, tasksIn } from "./tasks";
import { wholeRequests } from "./whole-requests";

const MAC = "10:00:00:12:34:56";
/** Longest frame, bytes: a gap in it, as on a busy PC, would break it. */
const LONGEST_FRAME = 512;
/** An emulated chip is slower than a real one, and the machine may be busy: only a hang takes this long, ms. */
const PATIENCE = 600_000;
const PAUSE = 100;
/** SRAM of the ESP32-C3 that holds data (Technical Reference Manual, "System and Memory"). */
const C3 = 5;
const MEMORY = { base: 0x3fc8_0000, bytes: 0x6_0000 };
const KEEPER = join(root, "test/emulator/keeper.mjs");

// vitest runs a file in a process of its own, which would go on when vitest itself is killed.
process.once("disconnect", () => process.exit(1));

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: npm run test:emulator -- <board>`);
  return value;
}

export const BOARD = setting("EMULATOR_BOARD");
export const PROGRAM = setting("EMULATOR_PROGRAM");
export const BUILD = setting("EMULATOR_BUILD");
const CHIP = chipOf(root, BOARD);
const MACHINES = spawnSync(PROGRAM, ["-M", "help"], { encoding: "utf8" }).stdout;
/** Espressif's own QEMU has no Wi-Fi. */
export const WIFI = hasWifi(CHIP, MACHINES);

/** Settings that are stored before the first start. */
export type Stored = { readonly [Name in GroupName]?: Partial<SettingsGroups[Name]> };

/** The network that the emulated router offers; it has no password. */
export const JOINED: Stored = { network: { ssid: "PICSimLabWifi" } };

/** A folder with the flash and the fuses of a new board. */
export function newBoard(stored: Stored = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "emulator-"));
  const table = readFileSync(join(root, "boards/esp32/partitions.csv"), "utf8");
  const size = partitionsOf(table).get("nvs")?.size ?? 0;
  const texts = Object.fromEntries(
    Object.entries(stored).map(([name, values]) => [
      name,
      textOf(GROUPS[name as GroupName].version, { ...defaults[name as GroupName], ...values }),
    ]),
  );
  const nvs = Object.keys(texts).length ? nvsImage("settings", texts, size) : undefined;
  writeFileSync(join(folder, "flash.bin"), flashImage({ folder: BUILD, chip: CHIP, table, nvs }));
  writeFileSync(join(folder, "efuse.bin"), efuseImage(CHIP, MAC));
  return folder;
}

function symbolsOf(build: string): string {
  const file = readdirSync(build).find((name) => name.endsWith(".sym"));
  if (file === undefined) throw new Error(`${build} has no list of symbols`);
  return readFileSync(join(build, file), "utf8");
}

let symbolList: string | undefined;
const symbols = (): string => (symbolList ??= symbolsOf(BUILD));

export const scrap = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** Waits until `fact` gives a value. */
export async function until<Value>(
  what: string,
  fact: () => Value | undefined | Promise<Value | undefined>,
): Promise<Value> {
  const end = Date.now() + PATIENCE;
  while (Date.now() < end) {
    const value = await fact();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  throw new Error(`never: ${what}`);
}

export class Machine {
  private constructor(
    /** By address, from 1. */
    readonly packs: readonly SimulatedBms[],
    readonly url: string,
    /** UDP port that leads to the SNMP agent. */
    readonly snmpPort: number,
    readonly control: Control,
    readonly debugSocket: string,
    readonly consoleFile: string,
    readonly child: ChildProcess,
    readonly close: () => Promise<void>,
  ) {}

  /** Powers the board in `folder` on, with as many packs at addresses from 1; `options`: of the first. */
  static async start(
    folder: string,
    options: Partial<Omit<SimulatedBmsOptions, "clock" | "wire">> = {},
    packs = 1,
  ): Promise<Machine> {
    const clock = new Clock();
    const wire = new Wire(clock, { baud: options.baud ?? 115_200 });
    const bms = [new SimulatedBms({ clock, wire: wire.bms, ...options })];
    for (let address = 2; address <= packs; address++)
      bms.push(new SimulatedBms({ clock, wire: wire.join(), address, serialNumber: serialNumberAt(address) }));
    const pty = await openPty();
    const line = wholeRequests(pty);
    bridge(clock, wire.board, line, LONGEST_FRAME);
    clock.start();
    const [port, snmpPort] = [await freePort(), await freeUdpPort()];
    const output = join(folder, "console");
    writeFileSync(output, "");
    const control = join(folder, "control");
    const debug = join(folder, "debug");
    for (const path of [control, debug]) rmSync(path, { force: true });
    const parameters = qemuArguments({
      chip: CHIP,
      machines: MACHINES,
      flash: join(folder, "flash.bin"),
      efuse: join(folder, "efuse.bin"),
      console: output,
      bms: pty.path,
      uart: bmsPortOf(root, BOARD),
      control,
      debug,
      port,
      snmpPort,
    });
    const child = spawn(process.execPath, [KEEPER, PROGRAM, ...parameters], { stdio: ["pipe", "ignore", "pipe"] });
    const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
    const close = async (): Promise<void> => {
      child.stdin.end();
      await ended;
      for (const pack of bms) pack.close();
      clock.stop();
      await line.close();
    };
    try {
      const qmp = await until("QEMU's control socket", async () => {
        if (child.exitCode !== null) throw new Error(`QEMU ended: ${errors}`);
        return existsSync(control) ? Control.open(control).catch(() => undefined) : undefined;
      });
      return new Machine(bms, `http://127.0.0.1:${port}`, snmpPort, qmp, debug, output, child, close);
    } catch (error) {
      await close();
      throw error;
    }
  }

  /** The first pack. */
  get bms(): SimulatedBms {
    return this.packs[0]!;
  }

  /** What the ROM, the boot loader and the firmware wrote on UART0. */
  get console(): string {
    return readFileSync(this.consoleFile, "latin1");
  }

  /** Starts of the chip since power-on, this one included. */
  get starts(): number {
    return this.console.match(/^rst:/gm)?.length ?? 0;
  }

  /** Waits until the console has shown `pattern`, after the first `from` characters. */
  says(pattern: RegExp, from = 0): Promise<RegExpExecArray> {
    return until(
      `${String(pattern)} on the console:\n${this.console.slice(-2000)}`,
      () => pattern.exec(this.console.slice(from)) ?? undefined,
    );
  }

  /** Lets the processor go on at `address` with `bytes` as the code there; `inside`: when it enters this function. */
  async run(address: number, bytes: Uint8Array = new Uint8Array(), inside?: string): Promise<void> {
    const debug = await Debugger.open(this.debugSocket);
    if (inside !== undefined) await debug.reach(addressOf(inside, symbols()));
    await debug.run(address, bytes);
  }

  /** Resolves when the processor enters a function for the `times`th time from now on, where it stands still. */
  async halt(inside: string, times: number): Promise<void> {
    const debug = await Debugger.open(this.debugSocket);
    await debug.reach(addressOf(inside, symbols()), times);
  }

  /** The board's time since its reset, ms: FreeRTOS's ticks, of which a second has a thousand. On a busy PC it goes slower than the PC's. */
  now(): Promise<number> {
    return this.control.word(addressOf("xTickCount", symbols()));
  }

  /** The tasks of an ESP32-C3, and the deepest that their stacks were used. */
  async tasks(): Promise<Task[]> {
    if (CHIP !== C3) throw new Error(`the memory of the chip ${CHIP} is not known`);
    const file = `${this.consoleFile}.memory`;
    await this.control.order("pmemsave", { val: MEMORY.base, size: MEMORY.bytes, filename: file });
    return tasksIn(readFileSync(file), MEMORY.base, symbols());
  }

  /** Cuts or restores the network between the access point and its router. */
  async link(up: boolean): Promise<void> {
    await this.control.order("set_link", { name: NETWORK, up });
  }

  /** Cuts the power: the process is killed. */
  async cut(): Promise<void> {
    this.control.close();
    await this.close();
  }
}

/** What the tests of a block have one each of. */
export interface Board {
  /** With its flash and fuses. */
  readonly folder: string;
  readonly machine: Machine;
  /** Powers it on again. */
  start(): Promise<void>;
}

/** Before each test of this block a new board is powered on, and after it cut and scrapped. */
export function newBoardEach(stored: Stored): Board {
  let folder = "";
  let machine: Machine;
  const start = async (): Promise<void> => void (machine = await Machine.start(folder));
  beforeEach(async () => {
    folder = newBoard(stored);
    await start();
  });
  afterEach(async () => {
    await machine.cut();
    scrap(folder);
  });
  return {
    get folder() {
      return folder;
    },
    get machine() {
      return machine;
    },
    start,
  };
}
