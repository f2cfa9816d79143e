import { SETUP } from "jk-bms/types";
import { bankOf, type Bank, type BankOptions } from "../../../host-sim/bms/packs";
import type { SimulatedBms } from "../../../host-sim/bms/simulated-bms";
import type { SimulatedBoard } from "../../../host-sim/board";
import { EventRecorder } from "../../../src/events/record";
import type { EventText } from "../../../src/events/types";
import { References } from "../../../src/packs/references";
import type { PackIdentity } from "../../../src/packs/types";
import type { BmsSettings } from "../../../src/settings/types";
import { FaultyStorage } from "../fakes/storage";
import { BANK_SETTINGS } from "./bank-writes";
import { lineBoard } from "./line";
import { PackOnLine } from "./pack-on-line";
import { SoloMonitor } from "./solo-monitor";

const SECOND = 1_000;

/** Packs on a bus whose settings are read in their usual time, with what is told of them and what is stored. */
export class SettingsBench {
  readonly board: SimulatedBoard = lineBoard({});
  readonly bank: Bank;
  monitor: SoloMonitor;
  readonly events: EventText[] = [];
  readonly storage = new FaultyStorage(this.board);
  references!: References;
  private readonly all: BmsSettings;
  private packs: PackIdentity[];

  constructor(count: number, bank: Partial<BankOptions> = {}, settings: Partial<BmsSettings> = {}) {
    const { clock, wire } = this.board;
    this.bank = bankOf({ clock, wire, count, seed: 7, evolving: false, ...bank });
    this.packs = Array.from({ length: count }, (_, at) => ({ address: at + 1, name: "", serial: "" }));
    this.all = { ...BANK_SETTINGS, ...settings };
    this.monitor = this.begin();
    // Settings of all packs are known, and read again in their usual time.
    this.run(60);
  }

  private begin(): SoloMonitor {
    const monitor = new SoloMonitor({ settings: this.all, opener: new PackOnLine(this.board), packs: this.packs });
    monitor.observe({
      packIdentified: (pack) => {
        this.packs = this.packs.map((known, at) => (at === pack.index ? { ...known, serial: pack.identifier } : known));
        monitor.reconfigure(this.all, this.packs);
      },
    });
    this.references = new References({ monitor, storage: this.storage, uptime: () => monitor.uptime });
    monitor.observe(this.references);
    new EventRecorder(
      { add: (text: EventText) => void this.events.push(text), length: 0, at: () => ({}) as never },
      {
        monitor,
        ...{
          build: { version: "", build: "" },
          start: { reason: "", where: "", safe: false },
          parts: { problems: [] },
        },
        settings: { observe: () => undefined, problems: [] },
        relay: { observe: () => undefined },
      },
    );
    monitor.start();
    return monitor;
  }

  /** The device starts anew; the packs go on. */
  restart(): void {
    this.monitor.close();
    this.monitor = this.begin();
    this.run(60);
  }

  stop(): void {
    this.monitor.close();
    this.bank.close();
  }

  run(seconds: number): void {
    this.board.clock.runFor(seconds * SECOND);
  }

  /** Until the settings have been read anew, and changes been told: at once rather than after minutes. */
  reread(): void {
    for (const { slow } of this.monitor.packs) slow.request(SETUP);
    this.run(12);
  }

  pack(address: number): SimulatedBms {
    return this.bank.packs[address - 1] as SimulatedBms;
  }

  /** As the log has them, without their code. */
  get told(): string[] {
    return this.events
      .filter((text) => text.startsWith("setting-changed"))
      .map((text) => text.slice("setting-changed\t".length));
  }

  get writes(): number {
    return this.events.filter((text) => text.startsWith("write\t")).length;
  }
}
