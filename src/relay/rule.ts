import type { RelaySettings } from "../settings/types";

/** What the automatic relay follows. */
export interface RelayTelemetry {
  readonly online: boolean;
  /** The alarms of the BMS that are faults; 0: none. */
  readonly alarmCode: number;
  /** State of charge, %. */
  readonly soc: number;
  /** Pack voltage, V. */
  readonly voltage: number;
}

/**
 * The automatic rule: the state that the relay, now `on`, should have. It keeps its state while the BMS is offline (unknown is not zero), until
 * the fail-safe state takes over, and between the two thresholds of soc or voltage.
 */
export function automatic({ source, onAt, offAt }: RelaySettings, on: boolean, telemetry: RelayTelemetry): boolean {
  if (!telemetry.online) return on;
  if (source === "alarm") return telemetry.alarmCode !== 0;
  const value = source === "soc" ? telemetry.soc : telemetry.voltage;
  const onWhenLow = onAt < offAt;
  if (onWhenLow ? value <= onAt : value >= onAt) return true;
  if (onWhenLow ? value >= offAt : value <= offAt) return false;
  return on;
}
