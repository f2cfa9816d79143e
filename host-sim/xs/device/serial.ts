import type Ambient from "embedded:io/serial";
import type { SerialOptions } from "../../io/options";
import { Port } from "./link";

export default class Serial extends Port implements Ambient {
  constructor(options: SerialOptions) {
    super("serial", options);
  }

  read(buffer?: ByteBuffer): number | undefined {
    return this.readBytes(buffer) as number | undefined;
  }

  write(buffer: ByteBuffer): void {
    this.writeBytes(buffer);
  }
}
