import { faultBits } from "../catalogue/alarms";
import type { Pack } from "../catalogue/pack";
import type { PackRecord } from "../packs/pack-record";
import type { RelaySettings } from "../settings/types";
import { ALL_PACKS } from "../settings/limits";
import type { BoardRelay } from "./relay";
import type { RelayTelemetry } from "./rule";
import { bankTelemetry, relayTelemetry } from "./telemetry";
import type { RelaySource } from "./types";

/** What follows what, and who tries again what the platform refused the relay. */
export interface FollowingDevice {
  readonly monitor: Pack & { readonly packs?: readonly PackRecord[] };
  readonly settings: { readonly relay: RelaySettings };
  readonly relay: BoardRelay;
  readonly parts: { begin(part: "relay"): void };
}

/** One that is no longer among the packs: as one that is offline. */
const NONE: RelayTelemetry = Object.freeze({ online: false, alarmCode: 0, soc: NaN, voltage: NaN }, true);

/** Lets the relay follow the pack, or of several the bank or one of them. Observes the monitor. */
export class RelayFollower implements RelaySource {
  private readonly device: FollowingDevice;

  constructor(device: FollowingDevice) {
    this.device = device;
  }

  bmsUpdated(): void {
    const { parts, relay } = this.device;
    relay.evaluate(this);
    // Timers that it lacks are tried again: its fail-safe state depends on one.
    if (relay.lacks) parts.begin("relay");
  }

  bmsOnlineChanged(): void {
    this.bmsUpdated();
  }

  packOnlineChanged(): void {
    this.bmsUpdated();
  }

  /** Of the bank once a round, by the first that is online, and at each reply that has a fault. */
  packUpdated(pack: PackRecord): void {
    const { monitor, settings } = this.device;
    const chosen = settings.relay.pack;
    const isFollowed =
      chosen === ALL_PACKS
        ? faultBits(pack) || monitor.packs?.find(({ online }) => online) === pack
        : pack.identity.address === chosen;
    if (isFollowed) this.bmsUpdated();
  }

  /** Called by the relay. */
  relayTelemetry(): RelayTelemetry {
    const { monitor, settings } = this.device;
    const { packs } = monitor;
    const chosen = settings.relay.pack;
    if (!packs) return relayTelemetry(monitor);
    if (chosen === ALL_PACKS) return packs.length > 1 ? bankTelemetry(packs) : relayTelemetry(monitor);
    const pack = packs.find(({ identity }) => identity.address === chosen);
    return pack ? relayTelemetry(pack) : NONE;
  }
}
