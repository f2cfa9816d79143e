/** Limits of the over-the-air update. */

/** Minimum image size, bytes: anything smaller cannot be firmware. */
export const MIN_IMAGE = 4_096;

/** Segments in an image: the bootloader's own limit (esp_image_format.h, ESP_IMAGE_MAX_SEGMENTS). */
export const MAX_SEGMENTS = 16;

/** Length of the version after the mark, characters. */
export const MAX_VERSION = 16;

/** Follows the image: this mark, then r and s of the signature. */
export const TRAILER_MARK = "BMS-SIG1";
export const SIGNATURE_BYTES = 64;
export const TRAILER_BYTES = TRAILER_MARK.length + SIGNATURE_BYTES;

/** While a write to the BMS holds up the upload, interval of the check whether it has ended, ms. */
export const WAIT_MS = 50;

/** Delay of the restart, so that the browser still gets its response, ms. */
export const RESTART_MS = 1_000;

/** Time in which a new image must pass its trial, ms; after that it is rejected. */
export const TRIAL_LIMIT_MS = 900_000;
