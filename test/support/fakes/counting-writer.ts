import { JsonWriter } from "json/writer";

/** Tells of each document that is rendered. */
export class CountingWriter extends JsonWriter {
  readonly #begun: () => void;

  constructor(begun: () => void) {
    super();
    this.#begun = begun;
  }

  override begin(into: Uint8Array): this {
    this.#begun();
    return super.begin(into);
  }
}
