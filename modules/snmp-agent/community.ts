import { MAX_COMMUNITY } from "./limits";

/** The community that lets in. */
export class Community {
  readonly #bytes = new Uint8Array(MAX_COMMUNITY);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Its bytes; those behind `length` are 0. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Takes ASCII. Throws a RangeError beyond MAX_COMMUNITY characters. */
  set(text: string): void {
    if (text.length > MAX_COMMUNITY) throw new RangeError("the community is too long");
    this.#bytes.fill(0);
    for (let index = 0; index < text.length; index++) this.#bytes[index] = text.charCodeAt(index);
    this.#length = text.length;
  }

  /** Whether the `length` bytes at `start` are it, in a time that depends on neither. The empty community is nobody's. */
  matches(bytes: Uint8Array, start: number, length: number): boolean {
    let difference = length ^ this.#length;
    for (let index = 0; index < MAX_COMMUNITY; index++)
      difference |= (this.#bytes[index] as number) ^ (index < length ? (bytes[start + index] as number) : 0);
    return difference === 0 && length > 0;
  }
}
