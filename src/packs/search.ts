import * as FIELDS from "jk-bms/field-table";
import { lengthOf, offsetOf, readRaw, textAt, type Field } from "jk-bms/fields";
import { MAX_BMS_ADDRESS } from "jk-bms/limits";
import { DEVICE_INFO, SETUP, type BlockImage, type BlockType, type ReadOutcome } from "jk-bms/types";
import { NOISE, OTHERS } from "modbus/types";
import Timer from "timer";
import { repeat, type Timed } from "../runtime/timers";
import { LineSilence } from "./line-silence";
import type { BmsBus, BmsLink } from "./link";
import { FOUND_BYTES, MAX_FOUND, SEARCH_LOOK } from "./limits";
import type { SearchProblem } from "./types";

/** The blocks of a pack that answers, read by the poller or by this search. */
type Answering = Pick<BmsLink, "deviceInfo" | "setup">;

/** What a search needs of the bus. */
export interface SearchOwner {
  /** Undefined while it is closed. */
  readonly bus: Pick<BmsBus, "lastActivity" | "statistics"> | undefined;
  /** A pack of the settings that answers at this address: it is not asked again. */
  answeringAt(address: number): Answering | undefined;
  /** Opens what reads at this address, in frames or by registers. @throws Error without memory for it */
  openProbe(address: number, frames: boolean): BmsLink;
  /** It may be time for the next question, or for another baud rate. */
  searchDue(): void;
  /** The search is over. */
  closeProbes(): void;
}

/** What has been found at an address. Empty, and 0 cells: not reported. */
export interface FoundPack {
  readonly address: number;
  readonly baud: number;
  readonly model: string;
  readonly serialNumber: string;
  readonly cells: number;
}

/** Each address is asked by registers, then for frames. */
const MODES = 2;
/** What fits a byte: no pack has as many. */
const MAX_CELLS = 255;
const ADDRESSES = MAX_BMS_ADDRESS + 1;
/** Questions at a baud rate. */
const ASKED = ADDRESSES * MODES;

// Of what has been found: the address, the number of cells, the index of the baud rate, then the texts.
const CELLS = 1;
const BAUD = 2;
const MODEL = 3;
const SERIAL = MODEL + lengthOf(FIELDS.model);

/**
 * Looks for packs at all addresses, each asked once in each read mode: between the polls of those that are known, or, while no pack has ever answered,
 * in place of them and at several baud rates, once the line is silent there. Nothing is sent but reads and the triggers for frames. What has been
 * found is kept until the next search: a serial number is shown to those who may see the pack's.
 */
export class PackSearch implements Timed {
  private readonly owner: SearchOwner;
  private readonly rates: readonly number[];
  private readonly found = new DataView(new ArrayBuffer(MAX_FOUND * FOUND_BYTES));
  private count = 0;
  /** Index of the baud rate × ASKED + address × MODES + read mode that is next. */
  private at = 0;
  /** Exists only while there are several baud rates to be searched. */
  private timer: Timer | undefined;
  /** At the baud rate of the bus. */
  private silence = new LineSilence();
  /** A baud rate has been given up because of noise. */
  private isNoisy = false;
  private probe: BmsLink | undefined;
  private block: BlockType = DEVICE_INFO;
  /** Something has answered at this address, but does not identify itself. */
  private hasRefused = false;
  /** Why it has ended early; empty: it has not. */
  problem: SearchProblem | "" = "";

  /** @param rates the baud rate of the bus alone, or all that may be the packs', beginning with that of the bus */
  constructor(owner: SearchOwner, rates: readonly number[]) {
    this.owner = owner;
    this.rates = rates;
    if (rates.length > 1) this.timer = repeat(this, SEARCH_LOOK);
  }

  get isRunning(): boolean {
    return this.at < ASKED * this.rates.length && !this.problem;
  }

  /** Nothing else is sent meanwhile. */
  get isAlone(): boolean {
    return this.timer !== undefined;
  }

  /** It waits until the line is silent. */
  get isWaiting(): boolean {
    return this.isAlone && this.silence.isAwaited;
  }

  /** What is searched at, or was last. */
  get baud(): number {
    return this.rates[this.rate] as number;
  }

  /** Addresses that have been dealt with at this baud rate, 0 to 16. */
  get searched(): number {
    return Math.floor(this.at / MODES) - this.rate * ADDRESSES;
  }

  private get rate(): number {
    return Math.min(Math.floor(this.at / ASKED), this.rates.length - 1);
  }

  tick(): void {
    this.owner.searchDue();
  }

  /** The bus has been opened at `baud`. */
  busOpened(): void {
    this.silence = new LineSilence();
  }

  /** Each pack that has been found, by address. */
  forEach(show: (pack: FoundPack) => void): void {
    const { found } = this;
    for (let index = 0; index < this.count; index++) {
      const at = index * FOUND_BYTES;
      show({
        address: found.getUint8(at),
        baud: this.rates[found.getUint8(at + BAUD)] as number,
        model: textAt(found, at + MODEL, lengthOf(FIELDS.model)),
        serialNumber: textAt(found, at + SERIAL, lengthOf(FIELDS.serialNumber)),
        cells: found.getUint8(at + CELLS),
      });
    }
  }

  /** Asks the next question. False: there was none; the search is over, or waits. `done` is called once, never before returning. */
  next(done: () => void): boolean {
    while (this.isRunning) {
      if (this.isAlone && !this.maySend()) return false;
      const address = this.searched;
      const known = this.owner.answeringAt(address);
      if (!known) {
        this.probeNext(address, done);
        return true;
      }
      this.note(address, known);
      this.at += MODES;
    }
    this.end();
    return false;
  }

  private maySend(): boolean {
    const { owner, silence } = this;
    if (!owner.bus) return false;
    if (silence.isSilent(owner.bus.lastActivity)) return true;
    if (silence.isHopeless) this.giveUp();
    return false;
  }

  /** The line is not silent at this baud rate. */
  private giveUp(): void {
    this.isNoisy = true;
    this.at = (this.rate + 1) * ASKED;
    if (!this.isRunning) this.end();
  }

  /** Ends it early. */
  stop(problem: SearchProblem): void {
    if (!this.isRunning) return;
    this.problem = problem;
    this.end();
  }

  private probeNext(address: number, done: () => void): void {
    const probe = (this.probe ??= this.owner.openProbe(address, this.at % MODES > 0));
    probe.read(
      this.block,
      (outcome) => {
        // It may have been stopped meanwhile.
        if (probe !== this.probe) return;
        this.answered(address, probe, outcome);
        done();
      },
      "once",
    );
  }

  private answered(address: number, probe: BmsLink, outcome: ReadOutcome): void {
    if (outcome === "withheld") return this.stop("listening");
    const isFirst = this.block === DEVICE_INFO;
    if (isFirst && outcome === "ok") {
      this.block = SETUP;
      return;
    }
    if (outcome === "exception") this.hasRefused = true;
    const isLast = !isFirst || this.at % MODES === MODES - 1;
    if (isLast && (!isFirst || this.hasRefused)) this.note(address, probe);
    this.block = DEVICE_INFO;
    this.probe = undefined;
    if (isFirst && outcome === "no-reply") this.listenTo(this.owner.bus?.statistics.instead);
    this.at += isLast ? MODES - (this.at % MODES) : 1;
    if (isLast) this.hasRefused = false;
    if (!this.isRunning) this.end();
  }

  /** What came in place of a reply may be another master at another baud rate. */
  private listenTo(instead: number | undefined): void {
    if (instead === NOISE || instead === OTHERS) this.silence.disturbed();
  }

  private end(): void {
    if (this.isNoisy && !this.count) this.problem ||= "bus-noise";
    Timer.clear(this.timer);
    this.timer = undefined;
    this.probe = undefined;
    this.owner.closeProbes();
  }

  private note(address: number, { deviceInfo, setup }: Answering): void {
    const { found } = this;
    if (this.count >= MAX_FOUND) return;
    const at = this.count++ * FOUND_BYTES;
    found.setUint8(at, address);
    found.setUint8(at + BAUD, this.rate);
    if (setup.valid) found.setUint8(at + CELLS, Math.min(readRaw(setup, FIELDS.cellCount), MAX_CELLS));
    if (!deviceInfo.valid) return;
    this.copy(deviceInfo, FIELDS.model, at + MODEL);
    this.copy(deviceInfo, FIELDS.serialNumber, at + SERIAL);
  }

  private copy({ view }: BlockImage, field: Field, at: number): void {
    const offset = offsetOf(field);
    for (let index = 0; index < lengthOf(field); index++)
      this.found.setUint8(at + index, view.getUint8(offset + index));
  }
}
