import { faultBits } from "../catalogue/alarms";
import type { Pack } from "../catalogue/pack";
import type { BoardRelay } from "./relay";
import type { RelayTelemetry } from "./rule";
import { bankTelemetry, relayTelemetry } from "./telemetry";
import type { RelaySource } from "./types";

/** What follows what, and who tries again what the platform refused the relay. */
export interface FollowingDevice {
  readonly monitor: Pack & { readonly packs?: readonly Pack[] };
  readonly relay: BoardRelay;
  readonly parts: { begin(part: "relay"): void };
}

/** Lets the relay follow the pack, or the bank of several. Observes the monitor. */
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

  /** Once a round, by the first that is online, and at each reply that has a fault. */
  packUpdated(pack: Pack): void {
    if (faultBits(pack) || this.device.monitor.packs?.find(({ online }) => online) === pack) this.bmsUpdated();
  }

  /** Called by the relay. */
  relayTelemetry(): RelayTelemetry {
    const { monitor } = this.device;
    const { packs } = monitor;
    return packs && packs.length > 1 ? bankTelemetry(packs) : relayTelemetry(monitor);
  }
}
