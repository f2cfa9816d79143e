import type { RelayMode } from "../settings/types";
import type { RelayTelemetry } from "./rule";

export interface Relay {
  readonly name: string;
  /** Logical state, 1 on. */
  readonly value: 0 | 1;
  readonly mode: RelayMode;
  /** Switches in manual mode. False, and nothing is switched, in another mode or without a relay. */
  switch(on: boolean): boolean;
}

export interface RelayObserver {
  /** The relay has switched. */
  relaySwitched(on: boolean): void;
}

/** Where the relay gets what its rule looks at. */
export interface RelaySource {
  relayTelemetry(): RelayTelemetry;
}
