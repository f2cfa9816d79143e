import { host } from "#host";
import { NorFlash, SECTOR_BYTES } from "./nor-flash";

/** NOR flash whose bytes are in a file, or in memory only if no path is given. Each change is in the file when the call returns. */
export class FlashFile extends NorFlash {
  readonly #path: string | undefined;
  #isBatch = false;

  /** Throws an Error that names the file if it cannot be read or written, or has another size. */
  constructor(sectors: number, path?: string) {
    super(sectors);
    this.#path = path;
    if (path === undefined) return;
    const stored = host.files.readBytes(path, this.bytes);
    if (stored.length !== this.bytes.length)
      throw new Error(`flash file ${path} has ${stored.length} bytes instead of ${this.bytes.length}`);
    this.bytes.set(stored);
  }

  /** Does what changes many bytes: they are in the file once all is done. */
  batch(work: () => void): void {
    this.#isBatch = true;
    try {
      work();
    } finally {
      this.#isBatch = false;
      this.#save(0, this.bytes.length);
    }
  }

  override write(bytes: Uint8Array, at: number): void {
    try {
      super.write(bytes, at);
    } finally {
      this.#save(at, bytes.length);
    }
  }

  override eraseBlock(first: number, end = first + 1): void {
    try {
      super.eraseBlock(first, end);
    } finally {
      this.#save(first * SECTOR_BYTES, (end - first) * SECTOR_BYTES);
    }
  }

  #save(at: number, length: number): void {
    if (this.#path === undefined || this.#isBatch || at < 0 || at + length > this.bytes.length) return;
    host.files.patch(this.#path, this.bytes, at, length);
  }
}
