import type { Pack } from "../catalogue/pack";
import type { BoardRelay } from "./relay";
import type { RelayTelemetry } from "./rule";
import { relayTelemetry } from "./telemetry";
import type { RelaySource } from "./types";

/** What follows what, and who tries again what the platform refused the relay. */
export interface FollowingDevice {
  readonly monitor: Pack;
  readonly relay: BoardRelay;
  readonly parts: { begin(part: "relay"): void };
}

/** Lets the relay follow the pack. Observes the monitor. */
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

  /** Called by the relay. */
  relayTelemetry(): RelayTelemetry {
    return relayTelemetry(this.device.monitor);
  }
}
