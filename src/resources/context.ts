import type { SettingRow } from "../catalogue/settings";
import type { Monitor } from "../bms/types";
import type { Network } from "../network/types";
import type { Relay } from "../relay/types";
import type { Rendered } from "./rendered";
import type { Sensors } from "../sensors/types";
import type { Settings } from "../settings/types";
import type { HeaderLine } from "http-server/types";
import type { JsonWriter } from "json/writer";

/** The firmware's and the board's own names, fixed when it was built. */
export interface Build {
  readonly softwareName: string;
  readonly version: string;
  /** The commit it was built from. */
  readonly build: string;
  readonly boardVersion: string;
  /** What the web interface answers to beside the device's own names and addresses, in lower case. */
  readonly hosts?: readonly string[];
}

/** Writes members of the object that is open in `json`. */
export type WriteMembers = (json: JsonWriter, monitor: Monitor) => void;

/** What the documents are made of. */
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
  /** By canonical name or alias, case and surrounding blanks ignored; undefined when there is no such setting. */
  readonly findSetting: (name: string) => SettingRow | undefined;
  /** For whoever writes a document, from its beginning to its end within one callback. */
  readonly json: JsonWriter;
}

/** How an HTTP interface speaks: what the resources have to know of the one that they answer for. */
export interface Dialect {
  /** Header lines of every answer. */
  readonly headers: readonly HeaderLine[];
  /** Where the answer to a write sends the client for its outcome. */
  readonly queuePath: string;
  /** Whether forms are taken beside JSON, by the resources that know them. */
  readonly forms: boolean;
  /** Whether refusals and outcomes of writes are told in codes as well. */
  readonly codes: boolean;
}

/** What the resources of an interface share. */
export interface Context extends Sources {
  readonly dialect: Dialect;
  // As they were last rendered, where that is kept.
  readonly status?: Rendered;
  readonly summary?: Rendered;
}
