import type { RelayMode } from "../settings/types";
import type { RelayTelemetry } from "./rule";

export interface Relay {
  readonly name: string;
  /** Logical state, 1 on. */
  readonly value: 0 | 1;
  readonly mode: RelayMode;
  /** Switches in manual mode. Returns false and changes nothing in another mode, in safe mode, or without a relay. */
  switch(on: boolean): boolean;
}

export interface RelayObserver {
  /** The relay has switched. */
  relaySwitched(on: boolean): void;
}

/** Source of the telemetry for the rule. */
export interface RelaySource {
  relayTelemetry(): RelayTelemetry;
}
