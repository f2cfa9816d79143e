// Made by web/build.mjs from src/catalogue/setup.ts: not to be edited.
/** Settings of the pack that can be read only. */
export type ReadOnlySetting =
  | "smartSleepVoltage"
  | "soc100Voltage"
  | "soc0Voltage"
  | "cellRfvVoltage"
  | "maxChargeCurrent"
  | "chargeOcpDelay"
  | "chargeOcpRelease"
  | "maxDischargeCurrent"
  | "dischargeOcpDelay"
  | "dischargeOcpRelease"
  | "shortCircuitRelease"
  | "shortCircuitDelay"
  | "deviceAddress"
  | "prechargeTime"
  | "heatingStart"
  | "heatingStop"
  | "smartSleepTime"
  | "dischargeUtp"
  | "dischargeUtpr"
  | "rcvTime"
  | "rfvTime"
  | "rebulkCharge"
  | "emergencyDuration"
  | "storePeriod"
  | "buzzerTrigger"
  | "buzzerOn"
  | "buzzerOff"
  | "dry1Trigger"
  | "dry1On"
  | "dry1Off"
  | "dry2Trigger"
  | "dry2On"
  | "dry2Off";

export const READ_ONLY: readonly {
  readonly name: ReadOnlySetting;
  readonly decimals: number;
  readonly unit: string;
}[] = [
  { name: "smartSleepVoltage", decimals: 3, unit: "V" },
  { name: "soc100Voltage", decimals: 3, unit: "V" },
  { name: "soc0Voltage", decimals: 3, unit: "V" },
  { name: "cellRfvVoltage", decimals: 3, unit: "V" },
  { name: "maxChargeCurrent", decimals: 1, unit: "A" },
  { name: "chargeOcpDelay", decimals: 0, unit: "s" },
  { name: "chargeOcpRelease", decimals: 0, unit: "s" },
  { name: "maxDischargeCurrent", decimals: 1, unit: "A" },
  { name: "dischargeOcpDelay", decimals: 0, unit: "s" },
  { name: "dischargeOcpRelease", decimals: 0, unit: "s" },
  { name: "shortCircuitRelease", decimals: 0, unit: "s" },
  { name: "shortCircuitDelay", decimals: 0, unit: "µs" },
  { name: "deviceAddress", decimals: 0, unit: "" },
  { name: "prechargeTime", decimals: 0, unit: "s" },
  { name: "heatingStart", decimals: 0, unit: "°C" },
  { name: "heatingStop", decimals: 0, unit: "°C" },
  { name: "smartSleepTime", decimals: 0, unit: "h" },
  { name: "dischargeUtp", decimals: 0, unit: "°C" },
  { name: "dischargeUtpr", decimals: 0, unit: "°C" },
  { name: "rcvTime", decimals: 1, unit: "h" },
  { name: "rfvTime", decimals: 1, unit: "h" },
  { name: "rebulkCharge", decimals: 0, unit: "%" },
  { name: "emergencyDuration", decimals: 0, unit: "min" },
  { name: "storePeriod", decimals: 0, unit: "s" },
  { name: "buzzerTrigger", decimals: 0, unit: "" },
  { name: "buzzerOn", decimals: 0, unit: "" },
  { name: "buzzerOff", decimals: 0, unit: "" },
  { name: "dry1Trigger", decimals: 0, unit: "" },
  { name: "dry1On", decimals: 0, unit: "" },
  { name: "dry1Off", decimals: 0, unit: "" },
  { name: "dry2Trigger", decimals: 0, unit: "" },
  { name: "dry2On", decimals: 0, unit: "" },
  { name: "dry2Off", decimals: 0, unit: "" },
];

export type ReadOnlySwitch =
  | "heating"
  | "gpsHeartbeat"
  | "rs485"
  | "specialCharger"
  | "smartSleep"
  | "parallelLimiterOff"
  | "timedStoredData"
  | "floatMode"
  | "buttonEmergency"
  | "dryContactsIntermittent"
  | "dischargeOcp2"
  | "dischargeOcp3"
  | "gpsLocksCharging"
  | "gpsLocksDischarging";

export const READ_ONLY_SWITCHES: readonly ReadOnlySwitch[] = [
  "heating",
  "gpsHeartbeat",
  "rs485",
  "specialCharger",
  "smartSleep",
  "parallelLimiterOff",
  "timedStoredData",
  "floatMode",
  "buttonEmergency",
  "dryContactsIntermittent",
  "dischargeOcp2",
  "dischargeOcp3",
  "gpsLocksCharging",
  "gpsLocksDischarging",
];
