import type { SettingRow } from "../catalogue/settings";
import type { Monitor } from "../bms/types";
import type { Network } from "../network/types";
import type { Relay } from "../relay/types";
import type { Rendered } from "./rendered";
import type { Sensors } from "../sensors/types";
import type { Settings } from "../settings/types";
import type { HeaderLine } from "http-server/types";
import type { JsonWriter } from "json/writer";

/** Names of the firmware and the board, fixed at build time. */
export interface Build {
  readonly softwareName: string;
  readonly version: string;
  /** Commit it was built from. */
  readonly build: string;
  readonly boardVersion: string;
  /** Host names that the web interface accepts beside the device's own names and addresses, lower case. */
  readonly hosts?: readonly string[];
}

/** Writes members of the open object in `json`. */
export type WriteMembers = (json: JsonWriter, monitor: Monitor) => void;

/** Sources of the documents. */
export interface Sources {
  readonly monitor: Monitor;
  readonly settings: Settings;
  readonly relay: Relay;
  readonly sensors: Sensors;
  readonly network: Network;
  readonly build: Build;
  /** Whole seconds since the firmware started. */
  uptime(): number;
  /** The members of `data` of GET /api/bms/status. */
  readonly writeStatus: WriteMembers;
  /** The members of `data.bms` of GET /api. */
  readonly writeSummary: WriteMembers;
  /** The members of `data` of GET /api/bms/config. */
  readonly writeConfiguration: WriteMembers;
  /** Finds a setting by canonical name or alias, ignoring case and surrounding spaces; undefined if there is none. */
  readonly findSetting: (name: string) => SettingRow | undefined;
  /** Shared: a document is written from beginning to end within one callback. */
  readonly json: JsonWriter;
}

/** How an HTTP interface answers: what differs for the resources between interfaces. */
export interface Dialect {
  /** Header lines of every answer. */
  readonly headers: readonly HeaderLine[];
  /** Path where a client finds the outcome of a write. */
  readonly queuePath: string;
  /** Resources that support forms accept them beside JSON. */
  readonly forms: boolean;
  /** Refusals and outcomes of writes are also given as codes. */
  readonly codes: boolean;
}

/** Shared by the resources of an interface. */
export interface Context extends Sources {
  readonly dialect: Dialect;
  // The last rendered documents, where they are cached.
  readonly status?: Rendered;
  readonly summary?: Rendered;
}
