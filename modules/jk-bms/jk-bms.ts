import { ModbusMaster } from "modbus-rtu/master";
import { Transaction } from "modbus-rtu/transaction";
import { zeroCounters, type SerialPort } from "modbus-rtu/types";
import { Images } from "./image";
import { MAX_BMS_ADDRESS } from "./limits";
import { QuietWindow, type Quiet } from "./quiet-window";
import { BlockReader, type Link } from "./reader";
import { TriggerTransaction } from "./trigger";
import {
  DEVICE_INFO,
  SETTINGS,
  TELEMETRY,
  type BlockImage,
  type BlockType,
  type LinkStatistics,
  type ReadMode,
  type ReadOutcome,
  type WriteResult,
} from "./types";
import { ReadModeChoice } from "./read-mode";
import { BmsWriter, WRITE_ADU_BYTES } from "./writer";
import type { WriteName } from "./writes";

export interface JkBmsOptions {
  readonly serial: SerialPort;
  /** 115,200, or 9,600 with UART protocol 013. */
  readonly baud: number;
  /** Slave address, 0 to 15: the DIP switch. */
  readonly address: number;
  readonly readMode: "auto" | ReadMode;
  /** Quiet time on the bus before a request, ms, 30 to 1,000; default 75. */
  readonly gap?: number;
  /**
   * Paused when a 300-byte frame is about to arrive, of which the UART holds only 128 bytes: until then the script must not be busy for
   * longer than those take (11 ms at 115,200 baud). Resumed when it has arrived, or after QUIET_TIME.
   */
  readonly quiet?: Quiet;
}

/**
 * A JK PB-series BMS on RS485 (docs/jk-modbus.md). One transaction at a time, on request; polling is up to the caller.
 *
 * @throws RangeError from the constructor if an option is out of range
 */
export class JkBms {
  private readonly link: Link;
  private readonly reader: BlockReader;
  /** Exists only during a write. */
  private writer: BmsWriter | undefined;

  constructor({ serial, baud, address, readMode, gap, quiet }: JkBmsOptions) {
    if (!Number.isInteger(address) || address < 0 || address > MAX_BMS_ADDRESS)
      throw new RangeError(`BMS address ${address} is not an integer from 0 to ${MAX_BMS_ADDRESS}`);
    const statistics: LinkStatistics = { ...zeroCounters(), wakeTriggers: 0 };
    const adu = new Uint8Array(WRITE_ADU_BYTES);
    this.link = {
      master: new ModbusMaster({ serial, baud, counters: statistics, ...(gap !== undefined && { gap }) }),
      address,
      images: new Images(),
      choice: new ReadModeChoice(readMode),
      transaction: new Transaction(adu),
      trigger: new TriggerTransaction(adu, quiet && new QuietWindow(quiet)),
      statistics,
      extra: 0,
    };
    this.reader = new BlockReader(this.link);
  }

  get telemetry(): BlockImage {
    return this.link.images[TELEMETRY];
  }

  get settings(): BlockImage {
    return this.link.images[SETTINGS];
  }

  get deviceInfo(): BlockImage {
    return this.link.images[DEVICE_INFO];
  }

  get statistics(): LinkStatistics {
    return this.link.statistics;
  }

  /** The read mode in use. */
  get activeReadMode(): ReadMode {
    return this.link.choice.active;
  }

  /** A read or write is in progress; another one throws. */
  get busy(): boolean {
    return this.reader.busy || this.writer !== undefined;
  }

  /** A 300-byte frame may be on the wire: see `JkBmsOptions.quiet`. */
  get quiet(): boolean {
    return this.link.master.awaited === this.link.trigger;
  }

  /**
   * Reads a block. Its image changes only when all of it has been read, and before `done` is called.
   * @param done called exactly once, never from inside `read`
   * @throws Error when busy or closed
   */
  read(block: BlockType, done: (outcome: ReadOutcome) => void): void {
    this.beFree();
    this.reader.read(block, done);
  }

  /**
   * Writes a setting or command and reads it back. A confirmed value is in its image when `done` is called.
   * @param value raw, in the resolution of its register (3650 for 3.650 V; a switch: 0 or 1), or a text of 1 to 16 characters
   * @param timeout ms that it may take, including retries and read-back
   * @param done called exactly once within `timeout`, never from inside `write`
   * @throws RangeError for a name, value or timeout that cannot be written; Error when busy or closed
   */
  write(name: WriteName, value: number | string, timeout: number, done: (result: WriteResult) => void): void {
    this.beFree();
    const writer = new BmsWriter(this.link, name, value, (result) => {
      this.writer = undefined;
      done(result);
    });
    writer.start(timeout);
    // Only now: the above throws if the port is closed.
    this.writer = writer;
  }

  /** Cancels a read or write without its callback and closes the serial port. */
  close(): void {
    this.reader.cancel();
    this.writer?.cancel();
    this.writer = undefined;
    this.link.master.close();
  }

  private beFree(): void {
    if (this.busy) throw new Error("the BMS link is busy with another read or write");
  }
}
