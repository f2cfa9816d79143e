import type Ambient from "embedded:io/socket/listener";
import type { ListenerOptions } from "../../io/options";
import { NOTHING, OPERATION } from "../protocol";
import { call, invoke, newId, Port, valueOf } from "./link";
import TCP, { Accepted } from "./tcp";

export default class Listener extends Port implements Ambient {
  constructor(options: ListenerOptions) {
    super("listener", options);
  }

  get port(): number {
    return invoke(this.id, "port") as number;
  }

  read(): TCP | undefined {
    const id = newId();
    return valueOf(call(OPERATION.accept, this.id, id)) === NOTHING ? undefined : new TCP(new Accepted(id));
  }
}
