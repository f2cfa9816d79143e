import type { LinkStatistics } from "jk-bms/types";
import type Resolver from "embedded:network/dns/resolver/udp";
import type MQTTClient from "embedded:network/mqtt/client";
import type RNG from "rng";
import type { Monitor, ObservedMonitor } from "../bms/types";
import type { Energy } from "../energy/types";
import type { EventLog } from "../events/types";
import type { Network } from "../network/types";
import type { Relay } from "../relay/types";
import type { Settings } from "../settings/types";

/** The firmware's and the board's own names. */
export interface Build {
  readonly softwareName: string;
  readonly version: string;
  readonly boardVersion: string;
}

/** What is published. */
export interface Sources {
  readonly monitor: Monitor;
  readonly settings: Settings;
  readonly relay: Relay;
  readonly network: Network;
  readonly build: Build;
  /** Whole seconds since the firmware started. */
  uptime(): number;
  /** Of the link to the BMS; undefined while there is none. */
  statistics(): LinkStatistics | undefined;
  readonly energy?: Energy | undefined;
}

export interface MqttOptions extends Sources {
  readonly monitor: ObservedMonitor;
  /** The platform's classes. */
  readonly client: { readonly io: typeof MQTTClient };
  readonly resolver: { readonly io: typeof Resolver; readonly socket: object };
  /** The socket of a connection, as the client takes it: `{ io: TCP }`. */
  readonly socket: object;
  /** The same over TLS; without it `mqtt.tls` is refused. */
  readonly secureSocket?: object;
  readonly random: typeof RNG;
  readonly events?: EventLog | undefined;
}

/** off: disabled or without a host. refused: the settings ask for what this device has not. waiting: until the next try. */
export type MqttState = "off" | "refused" | "connecting" | "connected" | "waiting";

export interface MqttStatus {
  readonly state: MqttState;
  /** What keeps it from being connected, for people; empty: nothing. */
  readonly problem: string;
  /** Connections made since the start. */
  readonly connections: number;
}
