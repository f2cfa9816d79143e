import { invoke, Port, told, unmetered } from "./link";

export default class Analog extends Port {
  readonly resolution: number;
  #reading: number | undefined;
  /** The count of changes when it was read. */
  #since = -1;

  constructor(options: { pin: number; format?: "number" }) {
    super("analog", options);
    this.resolution = invoke(this.id, "resolution") as number;
  }

  get format(): "number" {
    return "number";
  }

  read(): number {
    return unmetered(() => {
      if (this.#since !== told.analogChanges) {
        this.#reading = invoke(this.id, "read") as number;
        this.#since = told.analogChanges;
      }
      return this.#reading as number;
    });
  }

  override close(): void {
    this.#since = -1;
    super.close();
  }
}
