/**
 * The whole product as a suite sees it, wherever the firmware runs: in the test's process, on XS beside it, or as the Linux
 * build. What may take a way to another process is awaited.
 */
import type { SimulatedBms, SimulatedBmsOptions } from "../../host-sim/bms/simulated-bms";
import type { Clock } from "../../host-sim/clock";
import type { GroupName, SettingsGroups } from "../../src/settings/types";
import type { Probes } from "../support/probes";

/** The function, perhaps in another process. */
type Far<Function> = Function extends (...parameters: infer Parameters) => infer Answer
  ? (...parameters: Parameters) => Answer | Promise<Answer>
  : never;

export interface WholeOptions {
  readonly bms?: Partial<Omit<SimulatedBmsOptions, "clock" | "wire">>;
  /** Settings that win over stored ones. */
  readonly settings?: { readonly [Name in GroupName]?: Partial<SettingsGroups[Name]> };
  /** The RS485 transceiver echoes. */
  readonly echo?: boolean;
  /** The folder, which there is, where settings are kept over a restart. Default: they are not. */
  readonly storage?: string;
  /** The time goes by itself, as fast as real time. Else only `run` moves it where that is possible. */
  readonly paced?: boolean;
}

export interface Whole {
  readonly bms: SimulatedBms;
  /** The BMS's time. */
  readonly clock: Clock;
  readonly url: string;
  readonly probes: { readonly [Name in keyof Probes]: Far<Probes[Name]> };
  /** What the firmware has said on its console. */
  readonly console: readonly string[];
  /** Lets so many ms pass. */
  readonly run: (ms: number) => void | Promise<void>;
  /** The level at the relay's pin. */
  relayPin(): number | Promise<number>;
  /** Bytes lost in the UART's FIFO; 0 where there is none. */
  overflows(): number;
  stop(): void | Promise<void>;
}

export type StartWhole = (options?: WholeOptions) => Promise<Whole>;

/** Where a suite runs. */
export interface Stage {
  readonly name: string;
  readonly start: StartWhole;
}
