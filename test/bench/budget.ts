/** XS's memory on the ESP32 (manifest.json, creation); a slot there has 16 bytes. */
export const DEVICE = { slots: 3200, chunks: 57_344, stack: 640 };

/** What the firmware may have alive at its peak: all that there is on the board with the least, the ESP32-C3. */
export const BUDGET = { slots: 2464, chunks: 39_424 };
