/** Replaces the links to several packs on one bus: scripted answers, one transaction at a time. As the monitor's opener. */
import type { HeardListener } from "jk-bms/jk-bms";
import type { BlockType, Effort, ReadOutcome, WriteResult } from "jk-bms/types";
import type { WriteName } from "jk-bms/writes";
import { BmsMonitor } from "../../../src/bms/monitor.ts";
import type { BmsLink } from "../../../src/packs/link.ts";
import type { PackIdentity } from "../../../src/packs/pack-record.ts";
import type { BmsSettings } from "../../../src/settings/types.ts";
import { BANK_SETTINGS } from "./bank-writes.ts";
import { TestImage, TestLink } from "./bms-link.ts";

export class TestPack extends TestLink {
  listening = false;
  masterPresent = false;
  listener: HeardListener | undefined;
  /** What each read was allowed to cost. */
  readonly efforts: { readonly what: BlockType; readonly effort: Effort | undefined }[] = [];

  /** @param bus of several packs: only one of them is asked at a time */
  constructor(
    readonly address: number,
    private readonly bus?: { readonly busy: boolean },
  ) {
    super();
  }

  override read(block: BlockType, done: (outcome: ReadOutcome) => void, effort?: Effort): void {
    this.turnTo();
    this.efforts.push({ what: block, effort });
    super.read(block, done);
  }

  override write(what: WriteName, value: number | string, timeout: number, done: (result: WriteResult) => void): void {
    this.turnTo();
    super.write(what, value, timeout, done);
  }

  /** As SharedBms does. */
  private turnTo(): void {
    if (this.bus?.busy) throw new Error("the BMS link is busy with another read or write");
  }
}

/** What the packs of one bus share. */
class TestBus implements BmsLink {
  readonly packs: TestPack[] = [];
  listening = false;
  masterPresent = false;
  readonly telemetry = new TestImage();
  readonly setup = new TestImage();
  readonly deviceInfo = new TestImage();

  get busy(): boolean {
    return this.packs.some(({ busy }) => busy);
  }

  read(): void {
    throw new Error("nothing is asked of all packs");
  }

  write(): void {
    throw new Error("nothing is written to all packs");
  }

  close(): void {
    // Its packs are closed each.
  }
}

export class TestBank {
  /** Of each time that the bus was opened: its packs. */
  readonly opened: TestPack[][] = [];
  bus: TestBus | TestPack | undefined;

  /** @param prepare told of each pack when it is opened */
  constructor(private readonly prepare: (pack: TestPack) => void = () => undefined) {}

  /** The packs of the open bus. */
  get packs(): TestPack[] {
    return this.opened.at(-1) ?? [];
  }

  openBms({ address }: BmsSettings, packs = 1): TestBus | TestPack {
    if (packs === 1) {
      this.opened.push([]);
      this.bus = undefined;
      return (this.bus = this.openPack(address));
    }
    const bus = new TestBus();
    this.opened.push(bus.packs);
    return (this.bus = bus);
  }

  openPack(address: number): TestPack {
    const pack = new TestPack(address, this.bus instanceof TestBus ? this.bus : undefined);
    this.prepare(pack);
    this.packs.push(pack);
    return pack;
  }

  closeBus(): void {
    this.bus = undefined;
  }
}

export const identities = (count: number, serial: (address: number) => string = () => ""): PackIdentity[] =>
  Array.from({ length: count }, (_, index) => ({ address: index + 1, name: "", serial: serial(index + 1) }));

/** A monitor of such a bank, and what its observers are told. It has not been started. */
export function monitorOf(
  bank: TestBank,
  packs: readonly PackIdentity[] | undefined,
): { monitor: BmsMonitor<BmsLink>; told: string[] } {
  const told: string[] = [];
  const tell = (text: string) => void told.push(text);
  const monitor = new BmsMonitor<BmsLink>({
    settings: { ...BANK_SETTINGS, address: packs?.[0]?.address ?? BANK_SETTINGS.address },
    opener: bank,
    ...(packs && { packs }),
  });
  monitor.observe({
    bmsOnlineChanged: (online) => tell(online ? "online" : "offline"),
    packOnlineChanged: ({ identity, online }) => tell(`${identity.address} ${online ? "online" : "offline"}`),
    packIdentified: ({ identity, serialNumber }) => tell(`${identity.address} is ${serialNumber}`),
    packSwapped: ({ identity, serialNumber }) => tell(`${identity.address} swapped for ${serialNumber}`),
    packWriteResolved: (pack) => tell(`${pack.identity.address} written: ${monitor.writes.lastOf?.(pack)?.outcome}`),
    writeResolved: ({ last }) => tell(`written: ${last?.outcome}`),
  });
  return { monitor, told };
}
