/**
 * The whole product as a suite sees it, wherever the firmware runs: in the test's process, on XS in its own process, or as the Linux
 * build. Whatever may cross a process boundary is awaited.
 */
import type { Bank, BankOptions } from "../../host-sim/bms/packs";
import type { SimulatedBms, SimulatedBmsOptions } from "../../host-sim/bms/simulated-bms";
import type { Clock } from "../../host-sim/clock";
import type { GroupName, SettingsGroups } from "../../src/settings/types";
import type { Probes } from "../support/system/probes";

/** The function, made asynchronous since it may run in another process. */
type Far<Function> = Function extends (...parameters: infer Parameters) => infer Answer
  ? (...parameters: Parameters) => Answer | Promise<Answer>
  : never;

export interface WholeOptions {
  readonly bms?: Partial<Omit<SimulatedBmsOptions, "clock" | "wire">>;
  /** Several packs instead of one: see SystemOptions. */
  readonly bank?: Partial<Omit<BankOptions, "clock" | "wire">>;
  /** Settings that override stored ones. */
  readonly settings?: { readonly [Name in GroupName]?: Partial<SettingsGroups[Name]> };
  /** The RS485 transceiver echoes. */
  readonly echo?: boolean;
  /** Existing folder for settings that survive a restart. Default: none survive. */
  readonly storage?: string;
  /** Time runs at real-time pace. Otherwise only `run` advances it, where possible. */
  readonly paced?: boolean;
}

export interface Whole {
  readonly bms: SimulatedBms;
  /** If it was asked for. */
  readonly bank: Bank | undefined;
  /** The BMS's time. */
  readonly clock: Clock;
  readonly url: string;
  readonly probes: { readonly [Name in keyof Probes]: Far<Probes[Name]> };
  /** The firmware's console output. */
  readonly console: readonly string[];
  /** Advances time by `ms`. */
  readonly run: (ms: number) => void | Promise<void>;
  /** Level of the relay pin. */
  relayPin(): number | Promise<number>;
  /** Bytes lost to FIFO overflow in the UART; 0 without one. */
  overflows(): number;
  stop(): void | Promise<void>;
}

export type StartWhole = (options?: WholeOptions) => Promise<Whole>;

/** Environment in which a suite runs. */
export interface Stage {
  readonly name: string;
  readonly start: StartWhole;
}
