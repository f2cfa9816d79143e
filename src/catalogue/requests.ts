/** Requests to write a setting of the BMS, as every interface takes them. */
import { findSetting, type SettingRow } from "./settings";
import { isGiven, type Given } from "./validate";

export interface SettingRequest {
  /** The row, or the name given if there is no such setting. */
  readonly setting: SettingRow | string;
  readonly value: Given;
}

/** Undefined if malformed. A JSON boolean is a value of switches alone. Whether the value is valid: `toRaw`. */
export function settingRequest(name: unknown, value: unknown): SettingRequest | undefined {
  if (typeof name !== "string" || !isGiven(value)) return undefined;
  const row = findSetting(name);
  if (typeof value === "boolean" && row?.quantity.kind !== "boolean") return undefined;
  return { setting: row ?? name, value };
}
