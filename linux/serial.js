import { environment, serialRead, serialWritten } from "native";
import PlatformSerial from "sdk/serial";
import { isTroubled } from "troubles";

/** Adapts the SDK's Linux class, which opens a path and accepts only ArrayBuffers. The device comes from the environment, not from `port`. */
export default class Serial extends PlatformSerial {
  constructor(options) {
    if (isTroubled("no-serial")) throw new Error("uart failed");
    super({ ...options, device: environment("BMS_SERIAL") ?? "" });
  }

  read(view) {
    const bytes = super.read(view.byteLength);
    if (!bytes?.byteLength) return undefined;
    new Uint8Array(view.buffer, view.byteOffset).set(new Uint8Array(bytes));
    serialRead(bytes.byteLength);
    return bytes.byteLength;
  }

  write(view) {
    super.write(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
    serialWritten(view.byteLength);
  }
}
