/** Replaces the bus with several packs: scripted answers, one transaction at a time. As the monitor's opener. */
import type { Effort, PackListener, Readable, ReadOutcome, WriteResult } from "jk-bms/types";
import type { WriteName } from "jk-bms/writes";
import { SoloMonitor } from "./solo-monitor.ts";
import type { BusOpener } from "../../../src/packs/link.ts";
import type { PackIdentity } from "../../../src/packs/types.ts";
import type { BmsSettings } from "../../../src/settings/types.ts";
import { BANK_SETTINGS } from "./bank-writes.ts";
import { TestBus, TestLink } from "./bms-link.ts";

export class TestPack extends TestLink {
  listener: PackListener | undefined;
  /** What each read was allowed to cost. */
  readonly efforts: { readonly what: Readable; readonly effort: Effort | undefined }[] = [];

  /** @param bank only one of its packs is asked at a time */
  constructor(
    readonly address: number,
    private readonly bank: { readonly bus: TestBus | undefined },
  ) {
    super();
  }

  override read(block: Readable, done: (outcome: ReadOutcome) => void, effort?: Effort): void {
    this.turnTo();
    this.efforts.push({ what: block, effort });
    super.read(block, done);
  }

  override write(what: WriteName, value: number | string, timeout: number, done: (result: WriteResult) => void): void {
    this.turnTo();
    super.write(what, value, timeout, done);
  }

  /** As JkBus does. */
  private turnTo(): void {
    if (this.bank.bus?.busy) throw new Error("the BMS link is busy with another read or write");
  }
}

export class TestBank implements BusOpener {
  /** Of each time that the bus was opened: its packs. */
  readonly opened: TestPack[][] = [];
  bus: TestBus | undefined;

  /** @param prepare told of each pack when it is opened */
  constructor(private readonly prepare: (pack: TestPack) => void = () => undefined) {}

  /** The packs of the bus that was opened last. */
  get packs(): TestPack[] {
    return this.opened.at(-1) ?? [];
  }

  open(_settings: BmsSettings, addresses: readonly number[]): TestBus {
    const packs = addresses.map((address) => this.pack(address));
    this.opened.push(packs);
    return (this.bus = new TestBus(packs, (address) => this.probe(address)));
  }

  /** What a search opens. */
  protected probe(address: number): TestPack {
    return new TestPack(address, this);
  }

  private pack(address: number): TestPack {
    const pack = new TestPack(address, this);
    this.prepare(pack);
    return pack;
  }
}

export const identities = (count: number, serial: (address: number) => string = () => ""): PackIdentity[] =>
  Array.from({ length: count }, (_, index) => ({ address: index + 1, name: "", serial: serial(index + 1) }));

/** A monitor of such a bank, and what its observers are told. It has not been started. */
export function monitorOf(bank: TestBank, packs: readonly PackIdentity[]): { monitor: SoloMonitor; told: string[] } {
  const told: string[] = [];
  const tell = (text: string) => void told.push(text);
  const monitor = new SoloMonitor({
    settings: BANK_SETTINGS,
    opener: bank,
    packs,
  });
  monitor.observe({
    packOnlineChanged: ({ identity, online }) => tell(`${identity.address} ${online ? "online" : "offline"}`),
    packIdentified: ({ identity, identifier }) => tell(`${identity.address} is ${identifier}`),
    packSwapped: ({ identity, serialNumber }) => tell(`${identity.address} swapped for ${serialNumber}`),
    writeEnded: ({ outcome, pack }) => tell(`${pack ?? "the pack"} written: ${outcome}`),
  });
  return { monitor, told };
}
