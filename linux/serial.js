import { environment, serialRead, serialWritten } from "native";
import PlatformSerial from "sdk/serial";

/** The SDK's class for Linux, which opens a path and knows ArrayBuffers only. The device is the environment's, whatever the port. */
export default class Serial extends PlatformSerial {
  constructor(options) {
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
