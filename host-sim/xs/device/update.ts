import type { Updating } from "embedded:update";
import { invoke, Port } from "./link";

class Update extends Port implements Updating {
  constructor() {
    super("update", {});
  }

  write(bytes: ByteBuffer): void {
    this.writeBytes(bytes);
  }

  complete(): void {
    invoke(this.id, "complete");
  }
}

export default Object.freeze({ open: (): Updating => new Update() });
