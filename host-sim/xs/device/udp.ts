import type Ambient from "embedded:io/socket/udp";
import type { UDPOptions } from "../../io/options";
import { invoke, Port, transfer } from "./link";

type Packet = ArrayBuffer & { address: string; port: number };

export default class UDP extends Port implements Ambient {
  constructor(options: UDPOptions) {
    super("udp", options);
  }

  get port(): number {
    return invoke(this.id, "port") as number;
  }

  /** The SDK's type omits undefined. */
  read(): Packet {
    const bytes = transfer(this.id, ["read"]);
    if (!bytes) return undefined as unknown as Packet;
    return Object.assign(bytes.slice().buffer, invoke(this.id, "sender") as { address: string; port: number });
  }

  write(buffer: ByteBuffer, address: string, port: number): void {
    const bytes = ArrayBuffer.isView(buffer)
      ? new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
      : new Uint8Array(buffer);
    transfer(this.id, ["write", address, port], bytes);
  }

  add(group: string): void {
    invoke(this.id, "add", group);
  }

  remove(group: string): void {
    invoke(this.id, "remove", group);
  }
}
