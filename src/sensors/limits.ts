/** Sampling of the inputs, and the range of the ADC. */

/** Sampling interval of analogue channels and digital inputs, ms. */
export const SAMPLE_INTERVAL = 250;
/** Readings in the average, without the highest and the lowest: two seconds. */
export const SAMPLES = 8;
/** After this many consecutive faulty readings a channel is unknown. */
export const MAX_FAULTS = 3;

/**
 * Millivolts at the pin at the ADC's full count: the SDK reads the ESP32's converter with 12 dB attenuation,
 * calibrated, and maps 2,450 mV to the full count (modules/io/analog/esp32). Higher voltages read the same.
 */
export const FULL_SCALE = 2_450;
/**
 * Lower end of the ADC's range, mV: the ESP32's calibration reads 142 mV at 0 V, and its data sheet specifies 12 dB
 * from 150 mV.
 */
export const FLOOR = 150;
/** Supply of the temperature sensor's divider, mV. */
export const SUPPLY = 3_300;

/** Plausible temperatures, 0.1 °C; beyond them the sensor is open, shorted or absent. */
export const MIN_TEMPERATURE = -550;
export const MAX_TEMPERATURE = 1_500;
