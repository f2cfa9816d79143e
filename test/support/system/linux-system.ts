/**
 * The Linux build of the firmware in its own process, with the SDK's serial, TCP and timer modules, and a simulated BMS in the test's
 * process at the other end of a pseudo-terminal. Both share one clock (lock-step.ts), so a busy machine delays neither.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bridge } from "../../../host-sim/bridge";
import { Clock } from "../../../host-sim/clock";
import { root } from "../../../host-sim/specifiers.mjs";
import { openPty, type Pty } from "../../../host-sim/pty";
import { bankOf, type Bank, type BankOptions } from "../../../host-sim/bms/packs";
import { SimulatedBms, type SimulatedBmsOptions } from "../../../host-sim/bms/simulated-bms";
import { Wire } from "../../../host-sim/wire";
import type { GroupName, SettingsGroups } from "../../../src/settings/types";
import { LockStep } from "./lock-step";
import { TOKEN } from "./system";
import { CLOCK_DESCRIPTORS, XsProgram, type Meters } from "../xs/xs-program";

export interface LinuxSystemOptions {
  /** Default: the one with the tests' probes. */
  readonly program?: string;
  readonly bms?: Partial<Omit<SimulatedBmsOptions, "clock" | "wire">>;
  /** Several packs instead of one: see SystemOptions. */
  readonly bank?: Partial<Omit<BankOptions, "clock" | "wire">>;
  /** Settings that override stored ones. */
  readonly settings?: { readonly [Name in GroupName]?: Partial<SettingsGroups[Name]> };
  /** The RS485 transceiver echoes. */
  readonly echo?: boolean;
  /** Folder for stored settings; default: a temporary one. */
  readonly storage?: string;
  /** File with the state that the chip keeps across a restart (BMS_KEPT); default: none, every start is a power-on. */
  readonly kept?: string;
  /** Folder of the embedded files; default: the page. */
  readonly resources?: string;
  /** Only `run` advances time. Default: real-time pace, or slower on a busy machine. */
  readonly unpaced?: boolean;
  /** Conditions of the platform (BMS_TROUBLES). */
  readonly troubles?: readonly string[];
  /** For measurements: the program uses the system's clock. */
  readonly realTime?: boolean;
  /** Of the SNMP agent. Default: any, which is not known: the SDK's socket does not say. */
  readonly snmpPort?: number;
  /** XS memory sizes in place of the manifest's. */
  readonly memory?: { readonly slots: number; readonly chunks: number; readonly stack: number };
}

/** The page as built by `npm start` and the device builds; absent before the first of these. */
const PAGE = join(root, "build/web");

/** Bytes that the port holds back before it reports them, as boards/esp32/serial has the UART's threshold: 8 at 9,600 baud. */
const heldAt = (baud: number): number => Math.max(1, Math.min(96, Math.floor(baud / 1_200)));

/** A program that `npm run test:xs-linux` has built. */
export function programOf(name: "BMS_PROGRAM" | "PRODUCT_PROGRAM"): string {
  const path = process.env[name];
  if (!path) throw new Error(`${name} names no program: run npm run test:xs-linux`);
  return path;
}

export class LinuxSystem {
  private constructor(
    readonly bms: SimulatedBms,
    readonly clock: Clock,
    readonly pty: Pty,
    readonly program: XsProgram,
    readonly lockStep: LockStep | undefined,
    readonly close: () => Promise<void>,
    /** If it was asked for. */
    readonly bank: Bank | undefined,
  ) {}

  static async start({
    program: path = programOf("BMS_PROGRAM"),
    bms: options = {},
    bank: bankOptions,
    settings,
    echo = false,
    storage,
    kept,
    resources = PAGE,
    unpaced = false,
    realTime = false,
    troubles = [],
    memory,
    snmpPort = 0,
  }: LinuxSystemOptions = {}): Promise<LinuxSystem> {
    const clock = new Clock();
    const { baud = 115_200 } = options;
    const wire = new Wire(clock, { baud });
    const bank = bankOptions && bankOf({ clock, wire, count: 1, ...bankOptions });
    const bms = bank?.packs[0] ?? new SimulatedBms({ clock, wire: wire.bms, ...options });
    const pty = await openPty();
    bridge(clock, wire.board, pty, heldAt(baud));
    const { onBytes } = pty;
    if (echo)
      pty.onBytes = (bytes) => {
        pty.write(bytes);
        onBytes?.(bytes);
      };
    const folder = storage ?? mkdtempSync(join(tmpdir(), "bms-storage-"));
    let lockStep: LockStep | undefined;
    const close = async (): Promise<void> => {
      lockStep?.stop();
      (bank ?? bms).close();
      clock.stop();
      await pty.close();
      if (!storage) rmSync(folder, { recursive: true });
    };
    if (realTime) clock.start();
    // The budget is half of the device's memory; BMS_MEMORY can impose it on a build.
    const sizes = memory ? `${memory.slots},${memory.chunks},${memory.stack}` : process.env["BMS_MEMORY"];
    try {
      const program = await XsProgram.start(path, {
        BMS_SERIAL: pty.path,
        BMS_HTTP_PORT: "0",
        BMS_SNMP_PORT: `${snmpPort}`,
        BMS_RESOURCES: `${resources}:${join(root, "src/notify")}`,
        BMS_STORAGE: folder,
        BMS_TROUBLES: troubles.join(" "),
        ...(kept !== undefined && { BMS_KEPT: kept }),
        BMS_SETTINGS: JSON.stringify({ ...settings, api: { token: TOKEN, ...settings?.api } }),
        ...(!realTime && { BMS_CLOCK: CLOCK_DESCRIPTORS }),
        ...(sizes && { BMS_MEMORY: sizes }),
      });
      const { problems = [] } = program.greeting;
      const { steps, reports } = program.clock;
      if (!realTime) lockStep = new LockStep(clock, pty, steps, reports);
      if (!unpaced) lockStep?.pace();
      const system = new LinuxSystem(bms, clock, pty, program, lockStep, close, bank);
      if (problems.length) throw new Error(problems.join("; "));
      return system;
    } catch (error) {
      await close();
      throw error;
    }
  }

  get baseUrl(): string {
    return this.program.baseUrl;
  }

  /** Output of the program other than replies. */
  get console(): readonly string[] {
    return this.program.console;
  }

  /** Advances time by `ms`. */
  run(ms: number): Promise<void> {
    if (!this.lockStep) throw new Error("the program has the system's time");
    return this.lockStep.run(ms);
  }

  meters(): Promise<Meters> {
    return this.program.meters();
  }

  /** Sets the clock as a time server would: ms since 1970. */
  async setTime(utc = Date.now()): Promise<void> {
    await this.program.order({ order: "time", utc });
  }

  /** Changes stored settings through standard input, which only the Linux build reads. */
  async configure<Name extends GroupName>(group: Name, change: Partial<SettingsGroups[Name]>): Promise<void> {
    const problem = await this.program.order({ order: "configure", group, change });
    if (problem) throw new Error(problem as string);
  }

  /** Waits until the program has exited by itself; resolves to how. */
  async ended(): Promise<string> {
    const how = await this.program.ended();
    await this.close();
    return how;
  }

  /** Ends the program, as a power cut would; rejects if it has already exited. */
  async stop(): Promise<void> {
    try {
      await this.program.stop();
    } finally {
      await this.close();
    }
  }
}
