import { TELEMETRY, type BlockImage, type BlockType } from "jk-bms/types";
import { concernsOf, LINK, OTHER_MASTER } from "../catalogue/concerns";
import type { Pack } from "../catalogue/pack";
import { LinkQuality } from "./link-quality";
import type { BmsLink } from "./link";
import { Presence, type PresenceOwner } from "./presence";
import { SlowBlocks } from "./slow-blocks";

/** Placeholder for a block not read yet. */
const UNREAD: BlockImage = Object.freeze(
  { view: new DataView(new ArrayBuffer(0)), littleEndian: false, valid: false },
  true,
);

/** What asks the packs of a bus. */
export interface PackOwner {
  /** Seconds since boot. */
  readonly uptime: number;
  /** Nothing is sent: the values are those that another master is answered. */
  readonly listening: boolean;
  /** Another master is on the bus, although the bus is to be this device's. */
  readonly isDisturbed: boolean;
  wentOnline(pack: PackRecord): void;
  /** Must not throw. */
  wentOffline(pack: PackRecord): void;
}

/** What is known of one pack on the bus: its blocks, whether it answers, and what needs attention. */
export class PackRecord implements Pack, PresenceOwner {
  private readonly owner: PackOwner;
  readonly presence = new Presence(this);
  readonly slow = new SlowBlocks();
  readonly quality = new LinkQuality();
  /** The way to it; undefined while the bus is closed. */
  link: BmsLink | undefined;

  /** Incremented whenever the pack's documents may have changed; wraps. */
  revision = 0;
  /** The same without changes by telemetry. */
  setupRevision = 0;
  private _concerns = 0;
  /** The revision that they were found at. */
  private judgedAt = -1;

  constructor(owner: PackOwner) {
    this.owner = owner;
  }

  get uptime(): number {
    return this.owner.uptime;
  }

  get online(): boolean {
    return this.presence.online;
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
    return this.telemetry.valid ? this.presence.seconds : undefined;
  }

  /** The same in milliseconds; to the second when older than a day. */
  get age(): number | undefined {
    return this.telemetry.valid ? this.presence.milliseconds : undefined;
  }

  get concerns(): number {
    if (this.judgedAt !== this.revision) {
      this.judgedAt = this.revision;
      this._concerns = concernsOf(this);
      if (this.online && this.quality.isPoor) this._concerns |= LINK;
      if (this.owner.isDisturbed) this._concerns |= OTHER_MASTER;
    }
    return this._concerns;
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

  /** A telemetry poll has ended: `ok` with a valid reply. */
  polled(ok: boolean): void {
    this.quality.ended(!ok);
    this.slow.polled(ok);
    if (ok) this.presence.succeeded();
    else this.presence.failed();
  }

  /** Telemetry or another block has been read by another master; of a pack that is not online only the telemetry is known to be its own. */
  heard(block: BlockType): void {
    if (block === TELEMETRY) {
      this.telemetryChanged();
      this.presence.heard();
    } else if (this.online) {
      this.changed();
      this.slow.ended(block, true);
    }
  }

  /** The polls end, or what another master is answered no longer counts. */
  listen(listening: boolean): void {
    this.changed();
    this.presence.listen(listening);
    this.quality.reset();
  }

  /** The bus has been closed: its blocks are unknown again. */
  forget(): void {
    this.changed();
    this.slow.forget();
    this.quality.reset();
    this.presence.end();
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
