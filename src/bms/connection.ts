import type { BmsBus, BusOpener } from "../packs/link";
import type { LinkQuality } from "../packs/link-quality";
import type { PackRecord } from "../packs/pack-record";
import type { BmsSettings } from "../settings/types";

/** What the connection is for. */
export interface ConnectionOwner {
  readonly packs: readonly PackRecord[];
  readonly quality: LinkQuality;
  otherMasterChanged(present: boolean): void;
}

/** The bus's life: it is opened and closed, and another master comes and goes. */
export class Connection {
  /** Undefined while it is closed, or could not be opened. */
  bus: BmsBus | undefined;
  /** Nothing is sent: the values are those that another master is answered. */
  listening = false;
  masterPresent = false;
  private readonly opener: BusOpener;
  private readonly owner: ConnectionOwner;
  private hasFailed = false;

  constructor(opener: BusOpener, owner: ConnectionOwner) {
    this.opener = opener;
    this.owner = owner;
  }

  /** To be called again at the next beat if it fails. */
  open(settings: BmsSettings): void {
    const { packs } = this.owner;
    for (const pack of packs) pack.changed();
    try {
      const bus = this.opener.open(
        settings,
        packs.map(({ identity }) => identity.address),
      );
      this.bus = bus;
      for (const pack of packs) pack.connect(bus.links[pack.index]);
      this.hasFailed = false;
      this.noticeMaster();
    } catch (error) {
      // Logged once.
      if (!this.hasFailed) trace(`bms: cannot open the link: ${String(error)}\n`);
      this.hasFailed = true;
    }
  }

  /** Every pack becomes offline and unknown. */
  close(): void {
    const { bus, owner } = this;
    const { packs } = owner;
    this.bus = undefined;
    for (const pack of packs) pack.connect(undefined);
    this.noticeMaster();
    owner.quality.reset();
    for (const pack of packs) pack.forget();
    try {
      bus?.close();
    } catch (error) {
      trace(`bms: ${String(error)}\n`);
    }
  }

  /** Whether another master has appeared on the bus or left it. */
  noticeMaster(): void {
    const { bus, owner } = this;
    const listening = bus?.listening ?? false;
    const masterPresent = bus?.masterPresent ?? false;
    if (masterPresent !== this.masterPresent) {
      this.masterPresent = masterPresent;
      for (const pack of owner.packs) pack.changed();
      owner.otherMasterChanged(masterPresent);
    }
    if (listening === this.listening) return;
    this.listening = listening;
    for (const pack of owner.packs) pack.listeningChanged();
    owner.quality.reset();
  }
}
