import type { BlockType, WriteResult } from "jk-bms/types";
import type { WriteName } from "jk-bms/writes";
import type { WriteReport } from "../../../src/bms/outcomes";
import type { Refusal, WriteEnded } from "../../../src/bms/types";
import { WriteQueue, type WritablePack } from "../../../src/bms/write-queue";
import { sentenceOf } from "../../../src/bms/write-report";
import type { ParameterRow } from "../../../src/catalogue/parameters";
import type { TestLink } from "./bms-link";
import { TestMonitor } from "./bms-link";

/** How a pack is written to. */
type Writer = Pick<TestLink, "write">;

/** As much of a pack as the queue looks at. */
export class QueuePack extends TestMonitor implements WritablePack {
  /** The blocks that are to be read again after a write. */
  readonly read: (BlockType | undefined)[] = [];
  /** What is said of a write that is abandoned: it may have been sent. */
  mayHaveBeenSent = true;

  constructor(
    override index: number,
    override label: number | undefined,
    private readonly writer: Writer,
  ) {
    super();
    this.identity = { address: index + 1, name: "", serial: "" };
  }

  write(name: WriteName, value: number | string, timeout: number, done: (result: WriteResult) => void): void {
    this.writer.write(name, value, timeout, done);
  }

  abandonWrite(): boolean {
    return this.mayHaveBeenSent;
  }

  written(block: BlockType | undefined): void {
    this.read.push(block);
  }
}

/** A write queue over `count` packs on one link; the pack with this index is written to. */
export class QueueBench<Link extends Writer = TestLink> {
  packs: readonly QueuePack[];
  readonly pack: QueuePack;
  readonly queue: WriteQueue;
  listening = false;
  /** How often the queue had something to send, or left the bus. */
  proceeded = 0;
  readonly missed: unknown[] = [];
  readonly ended: WriteReport[] = [];

  constructor(
    readonly link: Link,
    { index = 0, count = 1 } = {},
  ) {
    this.packs = Array.from({ length: count }, (_, at) => new QueuePack(at, count > 1 ? at + 1 : undefined, link));
    this.pack = this.packs[index] as QueuePack;
    this.queue = new WriteQueue(this);
  }

  proceed(): void {
    this.proceeded++;
  }

  packMissed(pack: unknown): void {
    this.missed.push(pack);
  }

  writeEnded(report: WriteReport): void {
    this.ended.push(report);
  }

  command(name: string, on: boolean, ended?: WriteEnded): Refusal | undefined {
    return this.queue.command(this.pack, name, on, "API", ended);
  }

  parameter(parameter: ParameterRow | string, value: string | number | boolean): Refusal | undefined {
    return this.queue.parameter(this.pack, parameter, value, "API");
  }

  abandon(): void {
    this.queue.abandon(this.pack);
  }

  /** The sentence about the last write to the pack, without the pack's name. */
  get lastCommand(): string {
    const last = this.queue.lastOf(this.pack);
    return last ? sentenceOf({ ...last, pack: undefined }) : "";
  }

  get lastCommandOk(): boolean {
    return this.queue.lastOf(this.pack)?.outcome === "confirmed";
  }
}
