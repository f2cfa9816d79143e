import type { LinkStatistics } from "jk-bms/types";
import type { JsonWriter } from "json/writer";
import type TCP from "embedded:io/socket/tcp";
import type TLSSocket from "embedded:io/socket/tcp/tls";
import type UDP from "embedded:io/socket/udp";
import type Resolver from "embedded:network/dns/resolver/udp";
import type MQTTClient from "embedded:network/mqtt/client";
import type KeyValueStorage from "embedded:storage/key-value";
import type RNG from "rng";
import type { Monitor, ObservedMonitor } from "../bms/types";
import type { Energy } from "../energy/types";
import type { EventLog } from "../events/types";
import type { Network } from "../network/types";
import type { Relay } from "../relay/types";
import type { Settings } from "../settings/types";

/** Names of the firmware and the board. */
export interface Build {
  readonly softwareName: string;
  readonly version: string;
  readonly boardVersion: string;
}

/** Sources of the published data. */
export interface Sources {
  readonly monitor: Monitor;
  readonly settings: Settings;
  readonly relay: Relay;
  readonly network: Network;
  readonly build: Build;
  /** Whole seconds since the firmware started. */
  uptime(): number;
  /** Statistics of the link to the BMS; undefined while there is none. */
  statistics(): LinkStatistics | undefined;
  readonly energy?: Energy | undefined;
  /** Why the device started. */
  readonly start?: { readonly reason: string; readonly restarts: number; readonly where: string } | undefined;
  readonly memory?:
    | {
        readonly free: number | undefined;
        readonly leastFree: number | undefined;
        readonly largestBlock: number | undefined;
      }
    | undefined;
}

export interface MqttOptions extends Sources {
  readonly monitor: ObservedMonitor;
  /** Shared by all interfaces. */
  readonly json: JsonWriter;
  /** The platform's classes. */
  readonly mqttClient: typeof MQTTClient;
  readonly resolver: typeof Resolver;
  readonly tcp: typeof TCP;
  /** Undefined: the board has no TLS. */
  readonly tls: typeof TLSSocket | undefined;
  readonly udp: typeof UDP;
  readonly random: typeof RNG;
  readonly storage: typeof KeyValueStorage;
  /** Seconds since 1970, UTC; undefined while the time is not set. */
  time(): number | undefined;
  readonly events?: EventLog | undefined;
}
