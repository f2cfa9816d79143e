/** Replaces the link to the BMS above the protocol: scripted answers after a delay on the virtual clock. */
import { concernsOf, measurementIn } from "../../../src/conditions/judgement";
import type { Measured } from "../../../src/conditions/types";
import type { BlockImage, LinkStatistics, Readable, ReadMode, ReadOutcome, WriteResult } from "jk-bms/types";
import { LOG_BYTES } from "jk-bms/system-log";
import { DEVICE_INFO, FURTHER, LOG, SERIAL, SETUP, TELEMETRY } from "jk-bms/types";
import { lengthOf, offsetOf, type Field } from "jk-bms/fields";
import type { WriteName } from "jk-bms/writes";
import { zeroCounters } from "../../../modules/modbus/types";
import type { BmsBus, BmsLink } from "../../../src/packs/link.ts";
import type { BusPack, NoReply, PackIdentity } from "../../../src/packs/types.ts";
import { NONE, type Conditions } from "../../../src/conditions/set";
import { SimulatedBoard } from "../../../host-sim/board.ts";

const BLOCK_SIZE = 293;

/** A block's bytes, set field by field. */
export class TestImage implements BlockImage {
  readonly view = new DataView(new ArrayBuffer(BLOCK_SIZE));
  littleEndian: boolean;
  valid = false;
  contradicts = false;

  constructor(littleEndian = false) {
    this.littleEndian = littleEndian;
  }

  set(field: Field, value: number | string): this {
    const offset = offsetOf(field);
    this.valid = true;
    if (typeof value === "string") {
      for (let index = 0; index < lengthOf(field); index++)
        this.view.setUint8(offset + index, index < value.length ? value.charCodeAt(index) : 0);
    } else if (lengthOf(field) === 1) this.view.setUint8(offset, value);
    else if (lengthOf(field) === 2) this.view.setInt16(offset, value, this.littleEndian);
    else this.view.setInt32(offset, value, this.littleEndian);
    return this;
  }

  /** Millivolts and milliohms of each cell; a cell with an undefined voltage is absent. */
  setCells(voltages: readonly (number | undefined)[], resistances: readonly number[] = []): this {
    let mask = 0;
    voltages.forEach((voltage, index) => {
      if (voltage === undefined) return;
      mask |= 1 << index;
      this.view.setUint16(2 * index, voltage, this.littleEndian);
      this.view.setUint16(0x4a + 2 * index, resistances[index] ?? 0, this.littleEndian);
    });
    this.view.setInt32(0x40, mask, this.littleEndian);
    this.valid = true;
    return this;
  }
}

/** A pack that is asked nothing, for consumers that only read from it. */
export class TestMonitor implements BusPack {
  identity: PackIdentity = { address: 1, name: "", serial: "" };
  index = 0;
  label: number | undefined;
  online = true;
  listening = false;
  configurationLoaded = true;
  heardOnce = false;
  identityHeardOnce = false;
  telemetry = new TestImage();
  setup = new TestImage();
  deviceInfo = new TestImage();
  telemetryAge: number | undefined;
  age: number | undefined;
  setupAge = 0;
  systemLog: Uint8Array | undefined;
  systemLogAge = 0;
  noReply: NoReply | undefined;
  cycle = 1000;
  polls = 0;
  lostPolls = 0;
  readMode: ReadMode | undefined;
  isSwapped = false;
  isContested = false;
  serialNumber = "";
  identifier = "";
  /** Undefined: a test changes values as it likes. */
  fixedRevision: number | undefined;
  private looks = 0;

  get revision(): number {
    return this.fixedRevision ?? ++this.looks;
  }

  get setupRevision(): number {
    return this.revision;
  }

  get concerns(): Conditions {
    return concernsOf(this);
  }

  kept = NONE;
  /** What was there before the restart. */
  resumed = NONE;
  get found(): Conditions {
    return this.concerns;
  }

  resume(present: Conditions): void {
    this.resumed = present;
  }

  measurementOf(row: Conditions): Measured | undefined {
    return measurementIn(this, row);
  }
}

export interface Transaction {
  readonly at: number;
  readonly what: Readable | WriteName;
  readonly value?: number | string;
  readonly timeout?: number;
}

/** Result of a read: the outcome after a delay in ms; "never" drops the callback; "throw" fails to start. */
export type ReadAnswer = { outcome: ReadOutcome; after: number } | "never" | "throw";
export type WriteAnswer = { result: WriteResult; after: number } | "never" | "throw";

export class TestLink implements BmsLink {
  readonly #clock = SimulatedBoard.current.clock;
  busy = false;
  closed = false;
  readonly telemetry = new TestImage();
  readonly setup = new TestImage();
  readonly deviceInfo = new TestImage();
  readonly systemLog = new Uint8Array(LOG_BYTES);
  readonly activeReadMode = "registers";
  tailAge = 0;
  readonly log: Transaction[] = [];
  answers: Record<Readable, ReadAnswer> = {
    [SETUP]: { outcome: "ok", after: 50 },
    [TELEMETRY]: { outcome: "ok", after: 50 },
    [DEVICE_INFO]: { outcome: "ok", after: 50 },
    [SERIAL]: { outcome: "ok", after: 50 },
    [LOG]: { outcome: "ok", after: 50 },
    [FURTHER]: { outcome: "ok", after: 50 },
  };
  /** Of its bus. */
  statistics: LinkStatistics | undefined;
  writeAnswer: WriteAnswer = { result: { outcome: "confirmed" }, after: 30 };

  read(block: Readable, done: (outcome: ReadOutcome) => void): void {
    const answer = this.answers[block];
    this.#start({ at: this.#clock.now, what: block }, answer === "throw");
    const { statistics } = this;
    if (statistics) statistics.requests++;
    if (typeof answer === "string") return;
    this.#clock.after(answer.after, () => {
      this.busy = false;
      if (statistics && answer.outcome === "no-reply") statistics.timeouts++;
      if (answer.outcome === "ok" && block !== LOG) this.#image(block).valid = true;
      done(answer.outcome);
    });
  }

  write(what: WriteName, value: number | string, timeout: number, done: (result: WriteResult) => void): void {
    const answer = this.writeAnswer;
    this.#start({ at: this.#clock.now, what, value, timeout }, answer === "throw");
    if (typeof answer === "string") return;
    this.#clock.after(answer.after, () => {
      this.busy = false;
      done(answer.result);
    });
  }

  close(): void {
    this.closed = true;
  }

  /** Start time of each transaction of this kind. */
  times(what: Readable | WriteName): number[] {
    return this.log.filter((entry) => entry.what === what).map(({ at }) => at);
  }

  #start(entry: Transaction, fails: boolean): void {
    if (this.busy) throw new Error("busy");
    if (this.closed) throw new Error("closed");
    this.log.push(entry);
    if (fails) throw new Error("ordered by the test");
    this.busy = true;
  }

  #image(block: Readable): TestImage {
    if (block === SETUP) return this.setup;
    return block === TELEMETRY ? this.telemetry : this.deviceInfo;
  }
}

/** What such links share: the monitor's bus. */
export class TestBus implements BmsBus {
  listening = false;
  masterPresent = false;
  heard = 0;
  lastActivity = 0;
  readonly statistics: LinkStatistics = { ...zeroCounters(), wakeTriggers: 0, doubted: 0 };
  readonly probes: TestLink[] = [];
  /** How often a search has ended. */
  searched = 0;

  /** @param probe makes what a search opens */
  constructor(
    readonly links: readonly TestLink[],
    private readonly probe: (address: number) => TestLink = () => new TestLink(),
  ) {
    for (const link of links) link.statistics = this.statistics;
  }

  get busy(): boolean {
    return [...this.links, ...this.probes].some(({ busy }) => busy);
  }

  openProbe(address: number): TestLink {
    const probe = this.probe(address);
    this.probes.push(probe);
    return probe;
  }

  closeProbes(): void {
    this.searched++;
  }

  close(): void {
    for (const link of this.links) link.close();
  }
}
