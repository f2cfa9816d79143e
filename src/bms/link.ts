import type { BlockImage, BlockType, ReadOutcome, WriteResult } from "jk-bms/types";

/** What may be written: one name for each register (or bit of one) behind the documented commands and settings. */
export type WriteName =
  | "charge_mos"
  | "discharge_mos"
  | "balance"
  | "emergency"
  | "display_always_on"
  | "temperature_sensors_disabled"
  | "cell_count"
  | "capacity_ah"
  | "bluetooth_name"
  | "balance_enabled"
  | "balance_trigger_voltage"
  | "balance_start_voltage"
  | "max_balance_current"
  | "cell_uvp_voltage"
  | "cell_uvpr_voltage"
  | "cell_ovp_voltage"
  | "cell_ovpr_voltage"
  | "cell_rcv_voltage"
  | "power_off_voltage"
  | "charge_otp"
  | "charge_otpr"
  | "charge_utp"
  | "charge_utpr"
  | "discharge_otp"
  | "discharge_otpr"
  | "mos_otp"
  | "mos_otpr";

/**
 * The BMS as the monitor needs it; `JkBms` of jk-bms is one. One transaction at a time: `read` and `write` throw when `busy`. Each
 * calls `done` exactly once and never before it has returned.
 */
export interface BmsLink {
  readonly busy: boolean;
  readonly telemetry: BlockImage;
  readonly settings: BlockImage;
  readonly deviceInfo: BlockImage;
  read(block: BlockType, done: (outcome: ReadOutcome) => void): void;
  /**
   * Writes a raw value (3650 for 3.650 V, 0 or 1 for a switch, or a text), reads it back, and puts it into the block's image once
   * it is confirmed; all within `timeout` ms.
   */
  write(name: WriteName, value: number | string, timeout: number, done: (result: WriteResult) => void): void;
  /** Lets go of the serial port; a transaction under way is dropped. */
  close(): void;
}
