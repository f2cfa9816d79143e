import { MAX_COMMUNITY } from "./limits";

/** The community that lets in. */
export class Community {
  #text = "";

  get text(): string {
    return this.#text;
  }

  /** Takes ASCII. Throws a RangeError beyond MAX_COMMUNITY characters. */
  set(text: string): void {
    if (text.length > MAX_COMMUNITY) throw new RangeError("the community is too long");
    this.#text = text;
  }

  /** Whether the `length` bytes at `start` are it, in a time that depends on neither. The empty community is nobody's. */
  matches(bytes: Uint8Array, start: number, length: number): boolean {
    const text = this.#text;
    let difference = length ^ text.length;
    for (let index = 0; index < MAX_COMMUNITY; index++) {
      const wanted = index < text.length ? text.charCodeAt(index) : 0;
      difference |= wanted ^ (index < length ? (bytes[start + index] as number) : 0);
    }
    return difference === 0 && length > 0;
  }
}
