/** What XS's memory leaves of the system's heap, by what the emulator has shown. */
import { describe, expect, it } from "vitest";
import { ROOTS_NEED } from "../../src/network/limits";
import { DEVICE } from "../bench/budget";

const SLOT = 16;
/** An open connection of MQTT by TLS, with mbedTLS 4.0.0 on a 64-bit PC, bytes. */
const MQTT_BY_TLS = 12_240;

/** The least that was free of the system's heap, bytes, and XS's memory then. */
const MEASURED = {
  esp32c3: { free: 70_660, slots: 3_712, chunks: 61_440, tls: true },
  esp32: { free: 83_092, slots: 3_200, chunks: 57_344, tls: false },
};

describe.each(Object.entries(MEASURED))("%s", (_, { free, slots, chunks, tls }) => {
  it("has room for a handshake of notifications beside MQTT by TLS", () => {
    const more = (DEVICE.slots - slots) * SLOT + DEVICE.chunks - chunks;
    expect(free - more).toBeGreaterThanOrEqual(ROOTS_NEED.free + (tls ? 0 : MQTT_BY_TLS));
  });
});
