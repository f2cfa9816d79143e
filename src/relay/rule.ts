import type { RelaySettings } from "../settings/types";

/** What the automatic relay follows. */
export interface RelayTelemetry {
  /** Of several packs: any. */
  readonly online: boolean;
  /** The alarms of the BMS that are faults, or for the rule by fault the conditions that are; 0: none; NaN: unknown. */
  readonly alarmCode: number;
  /** State of charge, %; NaN: unknown, as of a bank that is not complete, or of a pack that contradicts itself or was swapped. */
  readonly soc: number;
  /** Pack voltage, V; NaN: as above. */
  readonly voltage: number;
}

const followed = ({ source }: RelaySettings, { alarmCode, soc, voltage }: RelayTelemetry): number => {
  if (source === "soc") return soc;
  return source === "voltage" ? voltage : alarmCode;
};

/** Whether what the rule follows is known; otherwise it is as if the BMS were offline. */
export const isKnown = (settings: RelaySettings, telemetry: RelayTelemetry): boolean =>
  telemetry.online && !isNaN(followed(settings, telemetry));

/**
 * The automatic rule: the state that the relay, now `on`, should have. It keeps its state while what it follows is unknown (unknown is not zero), until
 * the fail-safe state takes over, and between the two thresholds of soc or voltage.
 */
export function automatic(settings: RelaySettings, on: boolean, telemetry: RelayTelemetry): boolean {
  if (!isKnown(settings, telemetry)) return on;
  const value = followed(settings, telemetry);
  const { onAt, offAt, source } = settings;
  if (source === "alarm" || source === "fault") return value !== 0;
  const onWhenLow = onAt < offAt;
  if (onWhenLow ? value <= onAt : value >= onAt) return true;
  if (onWhenLow ? value >= offAt : value <= offAt) return false;
  return on;
}
