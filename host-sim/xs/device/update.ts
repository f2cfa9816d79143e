import type { Updater } from "embedded:update";
import { invoke, Port } from "./link";

class Update extends Port implements Updater {
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

export default Object.freeze({ open: (): Updater => new Update() });
