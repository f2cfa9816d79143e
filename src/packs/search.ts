import * as FIELDS from "jk-bms/field-table";
import { lengthOf, offsetOf, readRaw, textAt, type Field } from "jk-bms/fields";
import { MAX_BMS_ADDRESS } from "jk-bms/limits";
import { DEVICE_INFO, SETUP, type BlockImage, type BlockType, type ReadOutcome } from "jk-bms/types";
import type { BmsLink } from "./link";
import { FOUND_BYTES } from "./limits";
import type { SearchProblem } from "./types";

/** The blocks of a pack that answers, read by the poller or by this search. */
type Answering = Pick<BmsLink, "deviceInfo" | "setup">;

/** What a search needs of the bus. */
export interface SearchOwner {
  /** A pack of the settings that answers at this address: it is not asked again. */
  answeringAt(address: number): Answering | undefined;
  /** Opens what reads at this address, in frames or by registers. @throws Error without memory for it */
  openProbe(address: number, frames: boolean): BmsLink;
  /** The search is over. */
  closeProbes(): void;
}

/** What has been found at an address. Empty, and 0 cells: not reported. */
export interface FoundPack {
  readonly address: number;
  readonly model: string;
  readonly serialNumber: string;
  readonly cells: number;
}

/** Each address is asked by registers, then for frames. */
const MODES = 2;
/** What fits a byte: no pack has as many. */
const MAX_CELLS = 255;
const ASKED = (MAX_BMS_ADDRESS + 1) * MODES;

// Of what has been found: the address, the number of cells, then the texts.
const CELLS = 1;
const MODEL = 2;
const SERIAL = MODEL + lengthOf(FIELDS.model);

/**
 * Looks for packs at all addresses, each asked once in each read mode, between the polls of those that are known. Nothing is sent but reads
 * and the triggers for frames. What has been found is kept until the next search: a serial number is shown to those who may see the pack's.
 */
export class PackSearch {
  private readonly owner: SearchOwner;
  private readonly found = new DataView(new ArrayBuffer((MAX_BMS_ADDRESS + 1) * FOUND_BYTES));
  private count = 0;
  /** Address × MODES + read mode that is next. */
  private at = 0;
  private probe: BmsLink | undefined;
  private block: BlockType = DEVICE_INFO;
  /** Something has answered at this address, but does not tell what it is. */
  private hasRefused = false;
  /** Why it has ended early; empty: it has not. */
  problem: SearchProblem | "" = "";

  constructor(owner: SearchOwner) {
    this.owner = owner;
  }

  get isRunning(): boolean {
    return this.at < ASKED && !this.problem;
  }

  /** Addresses that have been dealt with, 0 to 16. */
  get searched(): number {
    return Math.floor(this.at / MODES);
  }

  /** Each pack that has been found, by address. */
  forEach(show: (pack: FoundPack) => void): void {
    const { found } = this;
    for (let index = 0; index < this.count; index++) {
      const at = index * FOUND_BYTES;
      show({
        address: found.getUint8(at),
        model: textAt(found, at + MODEL, lengthOf(FIELDS.model)),
        serialNumber: textAt(found, at + SERIAL, lengthOf(FIELDS.serialNumber)),
        cells: found.getUint8(at + CELLS),
      });
    }
  }

  /** Asks the next question. False: there was none, and the search is over. `done` is called once, never before returning. */
  next(done: () => void): boolean {
    while (this.isRunning) {
      const address = this.searched;
      const known = this.owner.answeringAt(address);
      if (!known) {
        this.probeNext(address, done);
        return true;
      }
      this.note(address, known);
      this.at = (address + 1) * MODES;
    }
    this.end();
    return false;
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
    this.at = isLast ? (address + 1) * MODES : this.at + 1;
    if (isLast) this.hasRefused = false;
    if (!this.isRunning) this.end();
  }

  private end(): void {
    this.probe = undefined;
    this.owner.closeProbes();
  }

  private note(address: number, { deviceInfo, setup }: Answering): void {
    const { found } = this;
    const at = this.count++ * FOUND_BYTES;
    found.setUint8(at, address);
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
