import { createRequire } from "node:module";
import type { OutsidePort } from "./bridge";

interface OpenOptions {
  path: string;
  baudRate: number;
  dataBits: 8;
  parity: "none";
  stopBits: 1;
  autoOpen: false;
}

/**
 * The part of npm's serialport 13 that is used. Its own declarations do not resolve ("exports" without "types"), so it
 * is required rather than imported.
 */
interface SerialPort {
  readonly isOpen: boolean;
  open(done: (error: Error | null) => void): void;
  close(done: (error: Error | null) => void): void;
  write(bytes: Uint8Array): boolean;
  on(event: "data", listener: (bytes: Uint8Array) => void): this;
  on(event: "error", listener: (error: Error) => void): this;
  on(event: "close", listener: () => void): this;
}

/**
 * Opens a serial port of this machine (a USB-RS485 adapter, a pseudo-terminal), 8N1. Rejects with a message that names
 * the path.
 */
export async function openSerialPort(path: string, baud: number): Promise<OutsidePort> {
  const { SerialPort } = createRequire(import.meta.url)("serialport") as {
    SerialPort: new (options: OpenOptions) => SerialPort;
  };
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
