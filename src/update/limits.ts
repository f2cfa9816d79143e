/** Every limit of the update over the air. */

/** Bytes of an image: less than this holds no firmware. */
export const MIN_IMAGE = 4_096;

/** Segments of an image: the bootloader's own limit (esp_image_format.h, ESP_IMAGE_MAX_SEGMENTS). */
export const MAX_SEGMENTS = 16;

/** Characters of the mark that an image of this board carries. */
export const MAX_MARK = 64;

/** Characters of the version that follows the mark. */
export const MAX_VERSION = 16;

/** Behind the image: a mark, then r and s of the signature. */
export const TRAILER_MARK = "BMS-SIG1";
export const SIGNATURE_BYTES = 64;
export const TRAILER_BYTES = TRAILER_MARK.length + SIGNATURE_BYTES;

/** How often it is looked whether a write that the upload waits for has ended, ms. */
export const WAIT_MS = 50;

/** From the answer to the restart, ms: the browser gets its answer. */
export const RESTART_MS = 1_000;

/** A new image that has not become good for so long is given up, ms. */
export const TRIAL_LIMIT_MS = 900_000;
