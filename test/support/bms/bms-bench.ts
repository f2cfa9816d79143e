import { hex } from "../hex";
import { Clock } from "../../../host-sim/clock";
import { Wire } from "../../../host-sim/wire";
import { concat, crcHolds, withCrc } from "../../../host-sim/bms/codec";
import { SimulatedBms, type SimulatedBmsOptions } from "../../../host-sim/bms/simulated-bms";

/** Long enough for any reply and the turnaround after it. */
const PATIENCE = 120;

export { hex, unhex as bytes } from "../hex";

const words = (...values: number[]): number[] => values.flatMap((value) => [(value >> 8) & 0xff, value & 0xff]);

export const readRequest = (register: number, quantity: number, address = 1): Uint8Array =>
  withCrc([address, 3, ...words(register, quantity)]);

export const writeRequest = (register: number, values: readonly number[], address = 1): Uint8Array =>
  withCrc([address, 0x10, ...words(register, values.length), values.length * 2, ...words(...values)]);

export const triggerRequest = (register: number, address = 1): Uint8Array => writeRequest(register, [0], address);

/** A 32-bit value as two registers. */
export const long = (value: number): [number, number] => [(value >>> 16) & 0xffff, value & 0xffff];

export interface Heard {
  readonly at: number;
  readonly byte: number;
}

/** A simulated BMS on a line in virtual time, with the test at the other end. */
export class BmsBench {
  readonly clock = new Clock();
  readonly wire: Wire;
  readonly bms: SimulatedBms;
  /** Everything received from the BMS, with the time of its last bit. */
  readonly heard: Heard[] = [];

  constructor(options: Partial<SimulatedBmsOptions> = {}) {
    this.wire = new Wire(this.clock, { baud: options.baud ?? 115_200 });
    this.wire.board.onByte = (byte) => this.heard.push({ at: this.clock.now, byte });
    this.bms = new SimulatedBms({ clock: this.clock, wire: this.wire.bms, ...options });
  }

  /** Sends a request, advances virtual time by `patience` ms and returns the bytes received meanwhile. */
  ask(request: Uint8Array, patience = PATIENCE): Uint8Array {
    const from = this.heard.length;
    this.wire.board.send(request);
    this.clock.runFor(patience);
    return this.since(from);
  }

  since(from: number): Uint8Array {
    return Uint8Array.from(this.heard.slice(from), ({ byte }) => byte);
  }

  /** The data of an FC03 reply; throws for any other frame. */
  read(register: number, quantity: number): Uint8Array {
    const reply = this.ask(readRequest(register, quantity));
    const right = reply.length === 5 + quantity * 2 && reply[1] === 3 && crcHolds(reply);
    if (!right) throw new Error(`no reply to a read of ${register.toString(16)}: ${hex(reply)}`);
    return reply.subarray(3, -2);
  }

  /** Writes a 32-bit setting and expects its acknowledgement. */
  set(register: number, value: number): void {
    const reply = this.ask(writeRequest(register, long(value)));
    if (reply.length !== 8 || reply[1] !== 0x10) throw new Error(`not acknowledged: ${hex(reply)}`);
  }
}

/** An exception reply as the BMS sends it. */
export const exception = (code: number, exceptionCode: number, address = 1): string =>
  hex(withCrc([address, code | 0x80, exceptionCode]));

export const join = concat;
