import { READ_REPLY_DATA } from "modbus/rtu";
import type { MovingStation } from "modbus/moving-station";
import type { Transaction } from "modbus/transaction";
import type { ReplyListener, Reply, Result } from "modbus/types";
import { sumOf } from "./agreement";
import { judge, type Doubt } from "./doubt";
import * as FIELDS from "./field-table";
import { BLOCK_BASE, offsetOf } from "./fields";
import { FRAME_PAYLOAD } from "./frame";
import type { Image, Images } from "./image";
import {
  AGREEING_BLOCKS,
  AGREEING_RARE,
  BLOCK_BYTES,
  BLOCK_LOOKS,
  DISCHARGE_UTP_SINCE,
  READ_TRIES,
  UNREPORTED,
} from "./limits";
import type { LongRead } from "./long-read";
import {
  DISCHARGE_UTP,
  FURTHER_PLAN,
  LONG_PLAN,
  PROTOCOLS,
  READ_PLANS,
  SERIAL_PLANS,
  TAIL,
  type PlannedRead,
} from "./plans";
import { LOG_BYTES, logHolds } from "./system-log";
import type { Tails } from "./tails";
import type { TriggerTransaction } from "./trigger";
import {
  DEVICE_INFO,
  FURTHER,
  LOG,
  SERIAL,
  SETUP,
  TELEMETRY,
  type BlockType,
  type Effort,
  type LinkStatistics,
  type PackListener,
  type Readable,
  type ReadOutcome,
} from "./types";
import type { ReadModeChoice } from "./read-mode";

/** Shared by reading and writing, which never overlap. */
export interface Link {
  readonly station: MovingStation;
  /** Of the pack that is asked. */
  images: Images;
  readonly choice: ReadModeChoice;
  readonly long: LongRead;
  /** Of functions 03 and 16. */
  readonly transaction: Transaction;
  readonly trigger: TriggerTransaction;
  readonly statistics: LinkStatistics;
  /** Shared with other packs on the bus; and the place of the pack that is asked. */
  readonly tails: Tails;
  place: number;
  /** Extra words of the last read-back: see READ_BACK_LENGTHS. */
  extra: number;
}

const bytesOf = ({ view }: Image): Uint8Array => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

/** Requests for each part of a block. */
const TRIES = Object.freeze({ all: READ_TRIES, wake: 1, once: 1, twice: 2, thrice: 3 } as const, true);

/** Reads a block and publishes it once complete. */
export class BlockReader implements ReplyListener {
  private readonly link: Link;
  private block: BlockType = TELEMETRY;
  /** The current step: a read of the plan, a trigger for the frame of the block or the log, or a wake trigger. */
  private asked: "words" | "frame" | "log" | "wake" = "words";
  private plan: readonly PlannedRead[] = LONG_PLAN;
  private step = 0;
  /** The long read went unanswered in this poll, and nothing else has happened since. */
  private inDoubt = false;
  /** Tries of a request. */
  private tries = READ_TRIES;
  /** The same in the poll before, which was to send no second request: the shorter read's turn has come. */
  shortIsNext = false;
  /** The tail is part of this poll. */
  private hasTail = false;
  private mayWake = false;
  /** Of the pack that is asked. */
  doubt: Doubt | undefined;
  /** Of the pack that is asked: sumOf a block that has come once and differs from what is known; 0: none. */
  pending = 0;
  /** How often that has come in a row; since the beginning of the read, and once before. */
  private agreeing = 1;
  /** Its telemetry is asked again. */
  private isRepeat = false;
  /** Times that the block may still contradict the one before. */
  private looksLeft = 0;
  /** The first device information of one of several packs, all of which come online at once: without the protocols, which the next one has. */
  private isBrief = false;
  /** Where the log of the pack that is asked is to be put. */
  log: Uint8Array | undefined;
  /** Of the pack that is asked. */
  listener: PackListener | undefined;
  /** Of SERIAL_PLANS. */
  private serialTurn = 0;
  /** Of the read in progress. */
  done: ((outcome: ReadOutcome) => void) | undefined;

  constructor(link: Link) {
    this.link = link;
  }

  /** See JkPack.read. If the BMS does not answer reads by registers, a trigger may be sent. */
  read(what: Readable, done: (outcome: ReadOutcome) => void, effort: Effort = "all"): void {
    const { choice, long } = this.link;
    const block = what > DEVICE_INFO ? DEVICE_INFO : (what as BlockType);
    this.block = block;
    const isTelemetry = block === TELEMETRY;
    this.inDoubt = isTelemetry && this.shortIsNext;
    this.plan = isTelemetry && long.tried && !this.inDoubt ? LONG_PLAN : READ_PLANS[block];
    if (what === SERIAL) this.planSerial();
    else if (what === FURTHER && this.isInfoKnown) this.plan = FURTHER_PLAN;
    if (isTelemetry) this.shortIsNext = false;
    this.step = 0;
    this.isRepeat = false;
    this.looksLeft = BLOCK_LOOKS;
    this.agreeing = 1;
    this.tries = TRIES[effort];
    this.isBrief = effort !== "all" && !this.link.images[DEVICE_INFO].valid;
    this.mayWake = effort === "wake" || (effort === "all" && choice.mayWake);
    if (what === LOG) this.trigger("log", LOG, this.tries);
    else if (choice.active === "frames") this.trigger("frame", block, this.tries);
    else this.readWords(this.tries);
    this.done = done;
  }

  /** Alone a part of the device information can only be put into what was read by registers, too. */
  private get isInfoKnown(): boolean {
    const { valid, littleEndian } = this.link.images[DEVICE_INFO];
    return valid && !littleEndian;
  }

  private planSerial(): void {
    if (!this.isInfoKnown) return;
    this.serialTurn = (this.serialTurn + 1) % SERIAL_PLANS.length;
    this.plan = SERIAL_PLANS[this.serialTurn] as readonly PlannedRead[];
  }

  /** Drops the current read without calling `done`. */
  cancel(): void {
    this.done = undefined;
  }

  answered(result: Result, reply: Reply): void {
    if (this.asked === "words") this.onWords(result, reply);
    else if (this.asked !== "wake") this.onFrame(result, reply);
    // The result of the trigger does not matter: the read shows whether the BMS is awake.
    else this.readWords(1);
  }

  private get planned(): PlannedRead | undefined {
    return this.plan[this.step];
  }

  /** The tail that is known may stay. A frame has it, too, but its bytes are in another order. */
  private get isTailKnown(): boolean {
    const { valid, littleEndian } = this.link.images[TELEMETRY];
    return valid && !littleEndian;
  }

  /** Not asked of a pack that is known to refuse it, nor of one whose firmware is unknown: it is not judged. */
  private get hasDischargeUtp(): boolean {
    const { valid, view } = this.link.images[DEVICE_INFO];
    return valid && view.getUint16(offsetOf(FIELDS.softwareVersion)) >= DISCHARGE_UTP_SINCE;
  }

  private readWords(tries: number): void {
    const { station, transaction } = this.link;
    const { register, quantity } = this.planned as PlannedRead;
    this.asked = "words";
    station.start(transaction.read(register, quantity), tries, this);
  }

  private trigger(asked: "frame" | "log" | "wake", block: BlockType | typeof LOG, tries: number): void {
    const { station, trigger } = this.link;
    this.asked = asked;
    station.start(trigger.prepareFor(block), tries, this);
  }

  private onWords(result: Result, reply: Reply): void {
    const { long } = this.link;
    const isLong = this.plan === LONG_PLAN && this.planned !== TAIL;
    if (result === "reply") {
      if (isLong) long.answered();
      else if (this.inDoubt) long.doubt();
      this.inDoubt = false;
      this.onRead(reply);
    } else if (result === "withheld") this.finish(result);
    else if (this.block === DEVICE_INFO && (this.step > 1 || (this.plan === FURTHER_PLAN && result === "exception")))
      this.leaveOut();
    // Zeros: not in use. All else has been read, and not every pack has it.
    else if (this.planned === DISCHARGE_UTP) this.settle(false);
    else if (this.planned === TAIL && this.isTailKnown) {
      this.hasTail = false;
      this.judge(false);
    } else if (result === "exception") {
      if (isLong && long.refusedWith(reply.exception)) this.readShorter(this.tries);
      else this.finish(result);
    } else if (isLong && long.unanswered()) {
      if (this.tries > 1) {
        this.inDoubt = true;
        return this.readShorter(1);
      }
      this.shortIsNext = true;
      this.wakeOrGiveUp();
    } else this.wakeOrGiveUp();
  }

  /** Reads what the long read would have had. */
  private readShorter(tries: number): void {
    this.plan = READ_PLANS[TELEMETRY];
    this.readWords(tries);
  }

  private onRead({ bytes, start }: Reply): void {
    const { images } = this.link;
    const block = this.block;
    const { step, plan } = this;
    const read = plan[step] as PlannedRead;
    const next = plan[step + 1];
    const offset = read.register - BLOCK_BASE[block];
    const length = 2 * read.quantity;
    const isBrief = next === PROTOCOLS && this.isBrief;
    const isTelemetry = block === TELEMETRY;
    if (isTelemetry && !step && !this.isRepeat) {
      const { place, tails } = this.link;
      this.hasTail = tails.isDue(place, !this.isTailKnown);
    }
    const goesOn =
      next && !isBrief && (next !== TAIL || this.hasTail) && (next !== DISCHARGE_UTP || this.hasDischargeUtp);
    // What is not read now stays: the tail, or all but the serial number.
    if (!step)
      images.begin(
        (isTelemetry ? this.isTailKnown : !goesOn) ? images[block] : undefined,
        isTelemetry ? TAIL.register - BLOCK_BASE[TELEMETRY] : 0,
      );
    images.take(block, offset, bytes, start + READ_REPLY_DATA, length);
    this.step++;
    if (goesOn) return this.readWords(this.tries);
    if (isTelemetry) return this.judge(false);
    if (isBrief) this.unreport(PROTOCOLS);
    this.settle(false);
  }

  /** Not every pack has to report the protocols of its ports, nor what switches its contacts. */
  private leaveOut(): void {
    const { images } = this.link;
    if (!this.step) images.begin(images[DEVICE_INFO]);
    this.unreport(this.planned as PlannedRead);
    this.step++;
    if (this.planned) this.readWords(this.tries);
    else this.settle(false);
  }

  /** It and all behind it. */
  private unreport({ register }: PlannedRead): void {
    bytesOf(this.link.images.spare).fill(UNREPORTED, register - BLOCK_BASE[DEVICE_INFO]);
  }

  /** The telemetry is complete. */
  private judge(isFrame: boolean): void {
    const { images, place, statistics, tails } = this.link;
    const { spare } = images;
    spare.renewed(isFrame);
    const verdict = judge(spare, images[TELEMETRY], isFrame, this);
    if (verdict === "take") {
      if (this.hasTail) tails.read(place);
      images.publish(TELEMETRY);
      return this.finish("ok");
    }
    // A first frame is asked for twice in any case.
    if (images[TELEMETRY].valid) statistics.doubted = (statistics.doubted + 1) & 0x7fffffff;
    if (verdict === "hold" || this.isRepeat) return this.finish("doubtful");
    this.isRepeat = true;
    this.askAgain(isFrame);
  }

  private askAgain(isFrame: boolean): void {
    this.step = 0;
    if (isFrame) return this.trigger("frame", this.block, this.tries);
    // The serial number, with another length.
    if (this.plan.length === 1 && this.plan !== FURTHER_PLAN) this.planSerial();
    this.readWords(this.tries);
  }

  /** The settings or the device information are complete: what is not known yet has to come twice. */
  private settle(isFrame: boolean): void {
    const { block } = this;
    const { images } = this.link;
    const { spare } = images;
    spare.renewed(isFrame);
    const sum = sumOf(block, bytesOf(spare));
    const image = images[block];
    const isKnown = image.valid && image.littleEndian === isFrame && sum === sumOf(block, bytesOf(image));
    if (!isKnown) {
      this.agreeing = sum === this.pending ? this.agreeing + 1 : 1;
      this.pending = sum;
      const isRare = (isFrame && image.valid) || this.listener?.isImpossible(block, spare);
      const enough = isRare ? AGREEING_RARE : AGREEING_BLOCKS;
      if (this.agreeing < enough) return --this.looksLeft > 0 ? this.askAgain(isFrame) : this.finish("doubtful");
    }
    this.pending = 0;
    if (image.valid && !isKnown) this.listener?.onNewSettings(image, spare, block);
    images.publish(block);
    this.finish("ok");
  }

  /** Some packs stop answering reads if nothing writes to them (docs/jk-modbus.md, "Registers or frames"): sends one wake trigger per read. */
  private wakeOrGiveUp(): void {
    if (!this.mayWake) {
      this.finish("no-reply");
      return;
    }
    this.mayWake = this.inDoubt = false;
    const { statistics } = this.link;
    statistics.wakeTriggers = (statistics.wakeTriggers + 1) & 0x7fffffff;
    this.trigger("wake", SETUP, 1);
  }

  private onFrame(result: Result, { bytes, start }: Reply): void {
    const { images } = this.link;
    const block = this.block;
    if (result === "reply" && this.asked === "log") {
      const log = bytes.subarray(start + FRAME_PAYLOAD, start + FRAME_PAYLOAD + LOG_BYTES);
      const holds = logHolds(log);
      if (holds) this.log?.set(log);
      this.finish(holds ? "ok" : "doubtful");
    } else if (result === "reply") {
      images.take(block, 0, bytes, start + FRAME_PAYLOAD, BLOCK_BYTES);
      if (block === TELEMETRY) this.judge(true);
      else this.settle(true);
    } else this.finish(result === "exception" || result === "withheld" ? result : "no-reply");
  }

  private finish(outcome: ReadOutcome): void {
    const done = this.done as (outcome: ReadOutcome) => void;
    this.done = undefined;
    // It has answered, though not twice.
    if (this.isRepeat && outcome !== "ok" && outcome !== "withheld") outcome = "doubtful";
    if (this.block === TELEMETRY && outcome !== "withheld")
      this.link.choice.polled(outcome === "ok" || outcome === "doubtful");
    done(outcome);
  }
}
