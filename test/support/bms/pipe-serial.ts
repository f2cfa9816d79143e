/** A serial port without a wire: bytes are handed over as they are, so millions of them take seconds. */
export class PipeSerial {
  private static last: PipeSerial;
  private readonly waiting: number[] = [];
  readonly written: Uint8Array[] = [];

  /** The one opened last. */
  static get opened(): PipeSerial {
    return PipeSerial.last;
  }

  constructor() {
    PipeSerial.last = this;
  }

  /** What the port receives next. */
  receive(bytes: Iterable<number>): void {
    for (const byte of bytes) this.waiting.push(byte);
  }

  read(buffer: Uint8Array): number | undefined {
    const count = Math.min(buffer.length, this.waiting.length);
    if (!count) return undefined;
    buffer.set(this.waiting.splice(0, count));
    return count;
  }

  onWrite: ((bytes: Uint8Array) => void) | undefined;

  write(bytes: Uint8Array): void {
    this.written.push(bytes.slice());
    this.onWrite?.(bytes);
  }

  close(): void {
    this.waiting.length = 0;
  }
}
