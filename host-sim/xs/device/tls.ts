import type Ambient from "embedded:io/socket/tcp/tls";
import type { TLSOptions } from "../../../modules/tls-socket/types";
import { EVENT } from "../protocol";
import { hexOf } from "../../../src/runtime/hex";
import { invoke, Port } from "./link";

/** TLS itself runs on the other side of the pipe. The platform's MQTT client does, too: to it this class is only passed. */
export default class TLSSocket extends Port implements Ambient {
  constructor({ TCP: _tcp, secure, ...options }: TLSOptions) {
    super("tls", { ...options, secure: hexOf(new Uint8Array(secure.certificate)) } as object);
  }

  override deliver(event: number, value: number): void {
    super.deliver(event, event === EVENT.onError ? invoke(this.id, "reason") : value);
  }

  read(buffer: ByteBuffer): number | undefined {
    return this.readBytes(buffer) as number | undefined;
  }

  write(buffer: ByteBuffer): number {
    return this.writeBytes(buffer) ?? 0;
  }
}
