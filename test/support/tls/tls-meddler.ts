/** A man in the middle that forwards the device's data unchanged and may alter or drop the server's records. */
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

const HEADER = 5;

/** Returns what to forward for a record. `end` closes the connection right after it. */
export type Meddling = (record: Buffer, end: () => void) => Buffer;

export interface Meddler {
  readonly port: number;
  stop(): void;
}

export async function meddle(serverPort: number, meddling: Meddling): Promise<Meddler> {
  const server = createServer((device: Socket) => {
    const other = connect(serverPort, "127.0.0.1");
    device.on("error", () => undefined);
    device.on("data", (bytes) => other.write(bytes));
    device.on("close", () => other.destroy());
    other.on("error", () => undefined);
    other.on("close", () => device.end());
    let bytes = Buffer.alloc(0);
    let isEnded = false;
    other.on("data", (more: Buffer) => {
      bytes = Buffer.concat([bytes, more]);
      const passed: Buffer[] = [];
      while (!isEnded && bytes.length >= HEADER) {
        const end = HEADER + bytes.readUInt16BE(3);
        if (bytes.length < end) break;
        const record = Buffer.from(bytes.subarray(0, end));
        bytes = bytes.subarray(end);
        passed.push(meddling(record, () => (isEnded = true)));
      }
      device.write(Buffer.concat(passed));
      if (isEnded) device.end();
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { port: (server.address() as AddressInfo).port, stop: () => server.close() };
}
