import * as FIELDS from "jk-bms/field-table";
import { readText } from "jk-bms/fields";
import { TELEMETRY, type BlockImage, type BlockType, type ForeignBlockListener } from "jk-bms/types";
import { concernsOf, LINK, OTHER_MASTER } from "../catalogue/concerns";
import type { Pack } from "../catalogue/pack";
import type { LinkQuality } from "./link-quality";
import type { BmsLink } from "./link";
import { Presence } from "./presence";
import { SlowBlocks } from "./slow-blocks";

/** Placeholder for a block not read yet. */
const UNREAD: BlockImage = Object.freeze(
  { view: new DataView(new ArrayBuffer(0)), littleEndian: false, valid: false },
  true,
);

/** Which pack it is. */
export interface PackIdentity {
  /** The DIP switch, 0 to 15. */
  readonly address: number;
  readonly name: string;
  /** The serial number seen there; empty: none yet. */
  readonly serial: string;
}

/** What asks the packs of a bus. */
export interface PackOwner {
  /** ms in which each of several packs is asked once; undefined: there is only one. */
  readonly round: number | undefined;
  /** Of all packs, by `index`. */
  readonly quality: LinkQuality;
  /** Seconds since boot. */
  readonly uptime: number;
  /** Nothing is sent: the values are those that another master is answered. */
  readonly listening: boolean;
  /** Another master is on the bus, although the bus is to be this device's. */
  readonly isDisturbed: boolean;
  /** A block has been filled from what another master was answered. */
  packHeard(pack: PackRecord, block: BlockType): void;
  wentOnline(pack: PackRecord): void;
  /** Must not throw. */
  wentOffline(pack: PackRecord): void;
}

/** What is known of one pack on the bus: its blocks, whether it answers, and what needs attention. */
export class PackRecord extends Presence implements Pack, ForeignBlockListener {
  private readonly owner: PackOwner;
  readonly slow = new SlowBlocks();
  /** Among all packs of the bus; 0 is the first. */
  readonly index: number;
  identity: PackIdentity;
  /** It did not answer the last poll, or has not been asked yet. */
  isSilent = true;
  /** Another pack answers at its address: nothing is written to it. */
  isSwapped = false;
  /** When it was polled last, ticks. */
  askedAt = 0;
  /** The way to it; undefined while the bus is closed. */
  link: BmsLink | undefined;

  /** Incremented whenever the pack's documents may have changed; wraps. */
  revision = 0;
  /** The same without changes by telemetry. */
  setupRevision = 0;
  private _concerns = 0;
  /** The revision that they were found at. */
  private judgedAt = -1;

  constructor(owner: PackOwner, index: number, identity: PackIdentity) {
    super();
    this.owner = owner;
    this.index = index;
    this.identity = identity;
  }

  get uptime(): number {
    return this.owner.uptime;
  }

  get round(): number | undefined {
    return this.owner.round;
  }

  /** Whether it answers, as a part of its own: one object less for each pack. */
  get presence(): Presence {
    return this;
  }

  get listening(): boolean {
    return this.owner.listening;
  }

  get configurationLoaded(): boolean {
    return this.slow.loaded;
  }

  get telemetry(): BlockImage {
    return this.link?.telemetry ?? UNREAD;
  }

  get setup(): BlockImage {
    return this.link && this.slow.setupRead ? this.link.setup : UNREAD;
  }

  get deviceInfo(): BlockImage {
    return this.link && this.slow.deviceInfoRead ? this.link.deviceInfo : UNREAD;
  }

  /** Whole seconds since the last valid telemetry reply; undefined before the first, of a reopened link too: its values are unknown again. */
  get telemetryAge(): number | undefined {
    return this.telemetry.valid ? this.seconds : undefined;
  }

  /** The same in milliseconds; to the second when older than a day. */
  get age(): number | undefined {
    return this.telemetry.valid ? this.milliseconds : undefined;
  }

  get concerns(): number {
    if (this.judgedAt !== this.revision) {
      this.judgedAt = this.revision;
      this._concerns = concernsOf(this);
      if (this.online && this.owner.quality.isPoorOf(this.index)) this._concerns |= LINK;
      if (this.owner.isDisturbed) this._concerns |= OTHER_MASTER;
    }
    return this._concerns;
  }

  /** Its serial number; empty: not read since it came online, or it has none. */
  get serialNumber(): string {
    const { deviceInfo } = this;
    return deviceInfo.valid ? readText(deviceInfo, FIELDS.serialNumber) : "";
  }

  /** Its documents may have changed, by more than telemetry. */
  changed(): void {
    this.revision = (this.revision + 1) | 0;
    this.setupRevision = (this.setupRevision + 1) | 0;
  }

  /** Its telemetry has been read, heard or missed. */
  telemetryChanged(): void {
    this.revision = (this.revision + 1) | 0;
  }

  /** Two packs seem to share its address. */
  get isContested(): boolean {
    return this.owner.quality.isContested(this.index);
  }

  /** A telemetry poll has ended: `ok` with a valid reply. `isGarbled`: something came with a wrong checksum. */
  polled(ok: boolean, isGarbled: boolean): void {
    this.isSilent = !ok;
    this.owner.quality.ended(!ok, this.index, isGarbled);
    this.slow.polled(ok);
    if (ok) this.succeeded();
    else this.failed();
  }

  /** Called by the link. */
  onForeignBlock(block: BlockType): void {
    this.owner.packHeard(this, block);
  }

  /** What another master was answered counts; of a pack that is not online only the telemetry is known to be its own. */
  take(block: BlockType): void {
    if (block === TELEMETRY) {
      this.telemetryChanged();
      this.answeredOther();
    } else if (this.online) {
      this.changed();
      this.slow.ended(block, true);
    }
  }

  /** The polls end, or what another master is answered no longer counts. */
  override listeningChanged(): void {
    this.changed();
    super.listeningChanged();
  }

  /** The bus has been closed: its blocks are unknown again. */
  forget(): void {
    this.changed();
    this.slow.forget();
    this.isSilent = true;
    this.end();
  }

  wentOnline(): void {
    this.changed();
    this.slow.wentOnline();
    this.owner.wentOnline(this);
  }

  wentOffline(): void {
    this.changed();
    this.slow.wentOffline();
    this.owner.wentOffline(this);
  }
}
