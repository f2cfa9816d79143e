import type { ModbusMaster } from "modbus-rtu/master";
import { encodeRead, READ_REPLY_DATA, SHORT_ADU_BYTES } from "modbus-rtu/pdu";
import { Transaction } from "modbus-rtu/transaction";
import type { Reply, Result } from "modbus-rtu/types";
import { BLOCK_BASE } from "./fields";
import { FRAME_PAYLOAD } from "./frame";
import type { Images } from "./image";
import { BLOCK_BYTES, READ_RETRIES } from "./limits";
import { READ_PLANS, type PlannedRead } from "./plans";
import type { TriggerTransaction } from "./trigger";
import { SETTINGS, TELEMETRY, type BlockType, type LinkStatistics, type ReadingWay, type ReadOutcome } from "./types";

export interface Link {
  readonly master: ModbusMaster;
  readonly address: number;
  readonly images: Images;
  readonly trigger: TriggerTransaction;
  readonly statistics: LinkStatistics;
}

/** Reads a block, and shows it once it is whole. */
export class BlockReader {
  readonly #link: Link;
  readonly #transaction = new Transaction(SHORT_ADU_BYTES);
  #block: BlockType = TELEMETRY;
  #step = 0;
  #mayWake = false;
  #done: ((outcome: ReadOutcome) => void) | undefined;

  constructor(link: Link) {
    this.#link = link;
  }

  get busy(): boolean {
    return this.#done !== undefined;
  }

  /** @param mayWake a trigger may be sent when the BMS does not answer reads by registers */
  read(block: BlockType, way: ReadingWay, mayWake: boolean, done: (outcome: ReadOutcome) => void): void {
    const { master, address, images, trigger } = this.#link;
    this.#block = block;
    this.#step = 0;
    this.#mayWake = mayWake;
    images.spare.clear();
    if (way === "frames")
      master.start(trigger.ask(address, block), READ_RETRIES, (result, reply) => this.onFrame(result, reply));
    else this.readWords(READ_RETRIES);
    this.#done = done;
  }

  /** Forgets the read under way: `done` is not called. */
  cancel(): void {
    this.#done = undefined;
  }

  private get planned(): PlannedRead | undefined {
    return READ_PLANS[this.#block][this.#step];
  }

  private readWords(retries: number): void {
    const { master, address } = this.#link;
    const { register, quantity } = this.planned as PlannedRead;
    const transaction = this.#transaction;
    master.start(
      transaction.prepare(encodeRead(transaction.adu, address, register, quantity)),
      retries,
      (result, reply) => this.onWords(result, reply),
    );
  }

  private onWords(result: Result, { bytes, start }: Reply): void {
    const { images } = this.#link;
    const block = this.#block;
    if (result === "exception") this.finish("exception");
    else if (result !== "reply") this.wakeOrGiveUp();
    else {
      const { register, quantity } = this.planned as PlannedRead;
      images.spare.copy(block, register - BLOCK_BASE[block], bytes, start + READ_REPLY_DATA, 2 * quantity);
      this.#step++;
      if (this.planned) this.readWords(READ_RETRIES);
      else {
        images.commit(block, false);
        this.finish("ok");
      }
    }
  }

  /** Some packs stop answering reads when nothing has been written to them for a while (jk-modbus: 1.7): once a read they are woken. */
  private wakeOrGiveUp(): void {
    if (!this.#mayWake) {
      this.finish("no-reply");
      return;
    }
    this.#mayWake = false;
    const { master, address, trigger, statistics } = this.#link;
    statistics.wakeTriggers = (statistics.wakeTriggers + 1) & 0x7fffffff;
    master.start(trigger.ask(address, SETTINGS), 0, () => this.onWoken());
  }

  /** Whether its long answer came through does not matter: the read shows whether the BMS is awake. */
  private onWoken(): void {
    this.readWords(0);
  }

  private onFrame(result: Result, { bytes, start }: Reply): void {
    const { images } = this.#link;
    const block = this.#block;
    if (result === "reply") {
      images.spare.copy(block, 0, bytes, start + FRAME_PAYLOAD, BLOCK_BYTES);
      images.commit(block, true);
      this.finish("ok");
    } else this.finish(result === "exception" ? "exception" : "no-reply");
  }

  private finish(outcome: ReadOutcome): void {
    const done = this.#done as (outcome: ReadOutcome) => void;
    this.#done = undefined;
    done(outcome);
  }
}
