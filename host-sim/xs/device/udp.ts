import type Ambient from "embedded:io/socket/udp";
import { invoke, Port, viewOf } from "./link";

type Packet = ArrayBuffer & { address: string; port: number };

export default class UDP extends Port implements Ambient {
  constructor(options: ConstructorParameters<typeof Ambient>[0]) {
    super("udp", options);
  }

  get port(): number {
    return invoke(this.id, "port") as number;
  }

  read(): Packet {
    const packet = invoke(this.id, "read") as { bytes: number[]; address: string; port: number } | undefined;
    // The type of the platform does not say that there may be none.
    if (!packet) return undefined as unknown as Packet;
    const { bytes, address, port } = packet;
    return Object.assign(Uint8Array.from(bytes).buffer, { address, port });
  }

  write(buffer: ByteBuffer, address: string, port: number): void {
    invoke(this.id, "write", [...viewOf(buffer)], address, port);
  }
}
