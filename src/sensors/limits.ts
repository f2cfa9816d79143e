/** How the inputs are sampled, and what the converter can tell. */

/** Each analogue channel is read once, and each digital input looked at, every so often, ms. */
export const SAMPLE_INTERVAL = 250;
/** Readings of a channel that are averaged, the highest and the lowest left out: two seconds of them. */
export const SAMPLES = 8;
/** So many faulty readings in a row, and the channel counts as not measured. */
export const MAX_FAULTS = 3;

/**
 * Millivolts at the pin that the converter's highest count stands for: the SDK reads the ESP32's converter with 12 dB attenuation,
 * calibrated, and maps 2,450 mV to the full count (modules/io/analog/esp32). What is higher reads the same.
 */
export const FULL_SCALE = 2_450;
/**
 * Below it the converter cannot tell voltages apart, mV: the calibration of the ESP32 answers 142 mV for 0 V, and its data sheet starts
 * the range of 12 dB at 150 mV.
 */
export const FLOOR = 150;
/** What the divider of the temperature sensor hangs on, mV. */
export const SUPPLY = 3_300;

/** What a temperature may be, tenths of a degree Celsius; beyond it the sensor is open, shorted or none. */
export const MIN_TEMPERATURE = -550;
export const MAX_TEMPERATURE = 1_500;
