import type Ambient from "embedded:io/socket/udp";
import type { UDPOptions } from "../../io/options";
import { invoke, Port } from "./link";

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
    const packet = invoke(this.id, "read") as { bytes: number[]; address: string; port: number } | undefined;
    if (!packet) return undefined as unknown as Packet;
    const { bytes, address, port } = packet;
    return Object.assign(Uint8Array.from(bytes).buffer, { address, port });
  }

  write(buffer: ByteBuffer, address: string, port: number): void {
    const bytes = ArrayBuffer.isView(buffer)
      ? new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
      : new Uint8Array(buffer);
    invoke(this.id, "write", [...bytes], address, port);
  }

  add(group: string): void {
    invoke(this.id, "add", group);
  }

  remove(group: string): void {
    invoke(this.id, "remove", group);
  }
}
