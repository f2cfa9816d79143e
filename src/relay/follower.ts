import { enter } from "door/enter";
import { faultBits } from "../catalogue/alarms";
import type { ConditionSource } from "../conditions/types";
import { Rounds } from "../packs/rounds";
import type { BusPack } from "../packs/types";
import type { RelaySettings } from "../settings/types";
import { ALL_PACKS } from "../settings/limits";
import type { BoardRelay } from "./relay";
import type { RelayTelemetry } from "./rule";
import { bankTelemetry, faultsOf, relayTelemetry } from "./telemetry";
import type { RelaySource } from "./types";

/** What the relay follows, and who retries what the platform refused it. */
export interface FollowingDevice {
  readonly monitor: { readonly packs: readonly BusPack[] };
  readonly conditions: Pick<ConditionSource, "presentOf">;
  readonly settings: { readonly relay: RelaySettings };
  readonly relay: BoardRelay;
  readonly parts: { begin(part: "relay"): void };
}

/** One that is no longer among the packs: as one that is offline. */
const NONE: RelayTelemetry = Object.freeze({ online: false, alarmCode: 0, soc: NaN, voltage: NaN }, true);

/** Lets the relay follow the bank, or one of its packs. Observes the monitor. */
export class RelayFollower implements RelaySource {
  readonly part = "relay";
  private readonly device: FollowingDevice;
  private readonly rounds = new Rounds();

  constructor(device: FollowingDevice) {
    this.device = device;
  }

  packUpdated(pack: BusPack): void {
    enter<RelayFollower, "replied">(this, "replied", pack);
  }

  packOnlineChanged(): void {
    enter<RelayFollower, "evaluate">(this, "evaluate");
  }

  /** Of the bank once a round, and at each reply that has a fault. */
  replied(pack: BusPack): void {
    const chosen = this.device.settings.relay.pack;
    const begins = this.rounds.beginsWith(pack);
    const isFollowed = chosen === ALL_PACKS ? begins || faultBits(pack) : pack.identity.address === chosen;
    if (isFollowed) this.evaluate();
  }

  evaluate(): void {
    const { parts, relay } = this.device;
    relay.evaluate(this);
    // Timers that it lacks are tried again: its fail-safe state depends on one.
    if (relay.lacks) parts.begin("relay");
  }

  /** Called by the relay. */
  relayTelemetry(): RelayTelemetry {
    const { conditions, monitor, settings } = this.device;
    const { pack: chosen, source } = settings.relay;
    const all: readonly BusPack[] = monitor.packs;
    const packs = chosen === ALL_PACKS ? all : all.filter(({ identity }) => identity.address === chosen);
    const [pack] = packs;
    if (!pack) return NONE;
    // A pack alone needs no capacity to be weighed by.
    const telemetry = packs.length > 1 ? bankTelemetry(packs) : relayTelemetry(pack);
    return source === "fault" ? { ...telemetry, alarmCode: faultsOf(packs, conditions) } : telemetry;
  }
}
