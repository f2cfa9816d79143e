import { hasValidCrc } from "./crc";
import { MAX_REQUEST_BYTES } from "./limits";
import { encodeRead, EXCEPTION_BIT, READ_HOLDING_REGISTERS } from "./pdu";
import { frameAt, isReply, PDU, READ_REPLY_OVERHEAD, seal, SHORT_ADU_BYTES, UNFINISHED } from "./rtu";

/** Result of `judge`: possibly the reply, more bytes are needed. */
export const WAIT = 0;

/**
 * A request of one station and how to recognize its reply. Create once and reuse.
 *
 * This class recognizes Modbus replies; for a slave with another reply format, subclass it with its own `longestReply` and `judge`.
 */
export class Transaction {
  /** Buffer for the request: address, function code, data, CRC. */
  readonly adu: Uint8Array;
  private pduLength = 0;
  /** Length of the request in it, bytes. */
  length = 0;
  /** View of exactly that length. */
  request: Uint8Array;
  functionCode = 0;
  /** Length of the longest reply, bytes; determines the reply timeout. */
  longest = 0;
  /** The request is in `adu`, with address and CRC. */
  private isSealed = false;
  /** `judge` need not be called again before so many bytes are there, unless the line falls silent. */
  enough = 0;
  /** Whole frames from the addressed slave that answer another request, since `begin`. */
  mismatches = 0;
  /** Well-formed replies with a wrong checksum, since `begin`. */
  checkErrors = 0;
  /** Of a reply whose last byte does not depend on all of it: a byte that does on the rest. */
  mark = 0;

  /** @param adu may be shared by transactions that do not overlap */
  constructor(adu = new Uint8Array(MAX_REQUEST_BYTES)) {
    this.adu = this.request = adu;
  }

  /** Makes the PDU of `length` bytes in `adu` the request: `transaction.prepare(encodeWriteInPlace(transaction.adu, PDU, …))`. */
  prepare(length: number): this {
    this.pduLength = length;
    this.isSealed = false;
    return this;
  }

  /** Makes a read of registers the request. */
  read(register: number, quantity: number): this {
    const { adu } = this;
    // Nearly always the same as the last one: it need not be sealed again. Writes, which share `adu`, have another function.
    this.isSealed =
      adu[1] === READ_HOLDING_REGISTERS &&
      this.length === SHORT_ADU_BYTES &&
      adu[5] === quantity &&
      ((adu[2] as number) << 8) + (adu[3] as number) === register;
    return this.isSealed ? this : this.prepare(encodeRead(adu, PDU, register, quantity));
  }

  /** Called by the station that is asked. */
  seal(address: number): void {
    const { adu } = this;
    if (this.isSealed && adu[0] === address) return;
    this.length = seal(adu, address, this.pduLength);
    this.request = adu.subarray(0, this.length);
    this.functionCode = adu[1] as number;
    this.longest = this.longestReply;
  }

  get address(): number {
    return this.adu[0] as number;
  }

  protected get longestReply(): number {
    if (this.functionCode !== READ_HOLDING_REGISTERS) return SHORT_ADU_BYTES;
    return READ_REPLY_OVERHEAD + 2 * (this.adu[5] as number);
  }

  /**
   * Judges the bytes[start, end) received so far, at least one.
   * @param idle the line has gone silent: an incomplete frame stays incomplete
   * @returns n > 0: they begin with the reply (or exception), n bytes long; WAIT; n < 0: the first -n bytes are not part of it.
   */
  judge(bytes: Uint8Array, start: number, end: number, idle: boolean): number {
    const { longest } = this;
    const begins = this.beginsLikeReply(bytes, start);
    const whole = end - start >= longest;
    this.enough = 0;
    // The expected reply takes precedence over any shorter frame: the first 8 bytes of one in 65,536 read replies look like a valid request.
    if (begins && whole && hasValidCrc(bytes, start, start + longest)) return longest;
    if (begins && !whole && !idle) {
      // The address and the function alone do not make it one.
      if (end - start >= SHORT_ADU_BYTES) this.enough = longest;
      return WAIT;
    }
    const length = frameAt(bytes, start, end);
    if (length > 0) {
      if (this.isException(bytes, start)) return length;
      if (bytes[start] === this.address && isReply(bytes, start, length)) this.mismatches++;
      return -length;
    }
    if (length === UNFINISHED && !idle) return WAIT;
    if (begins && whole) this.checkErrors++;
    return -1;
  }

  /** Whether the frame at `start` refuses this request. */
  isException(bytes: Uint8Array, start: number): boolean {
    return bytes[start] === this.address && bytes[start + 1] === (this.functionCode | EXCEPTION_BIT);
  }

  /**
   * A read reply contains the byte count, a write reply the register and quantity (sections 6.3 and 6.12). May look at bytes
   * not received yet: whatever they hold, the caller waits for the rest.
   */
  private beginsLikeReply(bytes: Uint8Array, start: number): boolean {
    const { adu, functionCode } = this;
    if (bytes[start] !== adu[0] || bytes[start + 1] !== functionCode) return false;
    if (functionCode === READ_HOLDING_REGISTERS) return bytes[start + 2] === 2 * (adu[5] as number);
    for (let at = 2; at < SHORT_ADU_BYTES - 2; at++) if (bytes[start + at] !== adu[at]) return false;
    return true;
  }
}
