import type MQTTClient from "embedded:network/mqtt/client";
import type TCP from "embedded:io/socket/tcp";
import type TLSSocket from "embedded:io/socket/tcp/tls";
import type KeyValueStorage from "embedded:storage/key-value";
import type { LinkStatistics } from "jk-bms/types";
import type { JsonWriter } from "json/writer";
import type RNG from "rng";
import type { Monitor, ObservedMonitor } from "../bms/types";
import type { ConditionSource } from "../conditions/types";
import type { Energy } from "../energy/types";
import type { ReadLog } from "../events/changes";
import type { EventLog } from "../events/types";
import type { MemoryFigures, Start } from "../health/types";
import type { Handshakes } from "../network/handshake";
import type { LookupParts } from "../network/lookup";
import type { Network } from "../network/types";
import type { Relay } from "../relay/types";
import type { Build } from "../runtime/build";
import type { Settings } from "../settings/types";

/** Sources of the published data. */
export interface Sources {
  readonly build: Omit<Build, "build"> & { readonly httpPort?: number };
  readonly settings: Settings;
  readonly monitor: Monitor;
  readonly relay: Relay;
  readonly conditions: Pick<ConditionSource, "alarmsOf" | "presentOf">;
  /** `rssi`: dBm; undefined while no Wi-Fi is joined. */
  readonly network: Network & { readonly rssi?: number | undefined };
  /** Undefined: it could not be started. */
  readonly energy?: Energy | undefined;
  /** The history in flash, for the energy of days: see Recorder. Undefined: there is none. */
  readonly flashHistory?: { readonly recorder: { energyOf(index: number): number } } | undefined;
  readonly start?: Start;
  readonly memory?: MemoryFigures;
  /** Undefined: nothing is told of changed settings. */
  readonly events?: ReadLog;
  /** Whole seconds since the firmware started. */
  uptime(): number;
  /** Statistics of the link to the BMS; undefined while there is none. */
  statistics(): LinkStatistics | undefined;
}

export interface MqttOptions extends Sources, Omit<LookupParts, "network">, Handshakes {
  readonly monitor: ObservedMonitor;
  readonly events?: ReadLog & Pick<EventLog, "add">;
  /** Shared: a document is written from beginning to end within one callback. */
  readonly json: JsonWriter;
  /** Seconds since 1970, UTC; undefined while the time is not set. */
  time(): number | undefined;
  restartFor(cause: "ordered"): void;
  // The platform's classes.
  readonly mqttClient: typeof MQTTClient;
  readonly random: typeof RNG;
  readonly storage: typeof KeyValueStorage;
  readonly tcp: typeof TCP;
  /** Undefined on a board without TLS. */
  readonly tls: typeof TLSSocket | undefined;
}
