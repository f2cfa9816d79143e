import type { TemperatureChannel } from "../settings/types";
import { MAX_TEMPERATURE, MIN_TEMPERATURE, SUPPLY } from "./limits";

/** 0 and 25 degrees Celsius, kelvin. */
const ZERO = 273.15;
const REFERENCE = ZERO + 25;

/**
 * The temperature for a voltage at the pin (mV), in tenths of a degree Celsius; undefined if no working sensor gives that voltage.
 *
 * An NTC is the lower half of a divider: R = Rs · U / (Us − U), and 1/T = 1/T25 + ln(R/R25)/B (the B parameter equation).
 */
export function temperatureOf(channel: TemperatureChannel, millivolts: number): number | undefined {
  let degrees: number;
  if (channel.kind === "ntc") {
    if (millivolts <= 0 || millivolts >= SUPPLY) return undefined;
    const resistance = (channel.seriesResistance * millivolts) / (SUPPLY - millivolts);
    degrees = 1 / (1 / REFERENCE + Math.log(resistance / channel.resistance25) / channel.beta) - ZERO;
  } else degrees = (channel.slope * millivolts) / 1000;
  const tenths = Math.round((degrees + channel.offset) * 10) | 0;
  return tenths >= MIN_TEMPERATURE && tenths <= MAX_TEMPERATURE ? tenths : undefined;
}
