import type { OutsidePort } from "./bridge";

/**
 * Opens a serial port of this machine (a USB-RS485 adapter, a pseudo-terminal), 8N1. Rejects with a sentence that names the path.
 */
export async function openSerialPort(path: string, baud: number): Promise<OutsidePort> {
  const { SerialPort } = await import("serialport");
  const serial = new SerialPort({ path, baudRate: baud, dataBits: 8, parity: "none", stopBits: 1, autoOpen: false });
  await new Promise<void>((resolve, reject) =>
    serial.open((error) => (error ? reject(new Error(`cannot open ${path}: ${error.message}`)) : resolve())),
  );
  let closing = false;
  const port: OutsidePort = {
    onBytes: undefined,
    onFailure: undefined,
    write: (bytes) => void serial.write(bytes),
    close: () => {
      closing = true;
      return new Promise((resolve) => (serial.isOpen ? serial.close(() => resolve()) : resolve()));
    },
  };
  serial.on("data", (bytes: Uint8Array) => port.onBytes?.(bytes));
  serial.on("error", (error) => port.onFailure?.(error));
  serial.on("close", () => {
    if (!closing) port.onFailure?.(new Error(`${path} is gone`));
  });
  return port;
}
