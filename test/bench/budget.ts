/** XS's memory on the ESP32 (manifest.json, creation); a slot there has 16 bytes. */
export const DEVICE = { slots: 4928, chunks: 78_848, stack: 640 };

/** What the firmware may have alive at its peak: half of it. */
export const BUDGET = { slots: DEVICE.slots / 2, chunks: DEVICE.chunks / 2 };
