import type Ambient from "embedded:io/socket/tcp";
import type { TCPOptions } from "../../io/options";
import { forget, invoke, Port } from "./link";

/** A socket accepted by the simulator's listener, by number. */
export class Accepted {
  constructor(readonly id: number) {}
}

export default class TCP extends Port implements Ambient {
  constructor(options: TCPOptions | Accepted) {
    if (options instanceof Accepted) super("tcp", {}, options.id);
    else {
      const from = options.from as TCP | undefined;
      super("tcp", { ...options, ...(from && { from: from.id }) });
      if (from) forget(from.id);
    }
  }

  get remoteAddress(): string | undefined {
    return invoke(this.id, "remoteAddress") as string | undefined;
  }

  get remotePort(): number | undefined {
    return invoke(this.id, "remotePort") as number | undefined;
  }

  read(buffer?: ByteBuffer): number | undefined {
    return this.readBytes(buffer) as number | undefined;
  }

  write(buffer: ByteBuffer): number | undefined {
    return this.writeBytes(buffer);
  }
}
