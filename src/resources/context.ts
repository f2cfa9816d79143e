import type { Monitor } from "../bms/types";
import type { Device } from "../parts/device";
import type { Rendered } from "./rendered";
import type { HeaderLine } from "http-server/types";
import type { JsonWriter } from "json/writer";

/** Writes members of the open object in `json`. */
export type WriteMembers = (json: JsonWriter, monitor: Monitor) => void;

/** Sources of the documents. */
export interface Sources extends Pick<
  Device,
  "monitor" | "settings" | "relay" | "sensors" | "network" | "build" | "uptime" | "json"
> {
  /** The members of `data` of GET /api/bms/status. */
  readonly writeStatus: WriteMembers;
  /** The members of `data.bms` of GET /api. */
  readonly writeSummary: WriteMembers;
  /** The members of `data` of GET /api/bms/config. */
  readonly writeConfiguration: WriteMembers;
}

/** How an HTTP interface answers: what differs for the resources between interfaces. */
export interface Dialect {
  /** Header lines of every answer. */
  readonly headers: readonly HeaderLine[];
  /** Path where a client finds the outcome of a write. */
  readonly queuePath: string;
  /** Resources that support forms accept them as well as JSON. */
  readonly forms: boolean;
  /** For the page: refusals and outcomes of writes also as codes, the relay's state without inputs, null for what is not measured. */
  readonly codes: boolean;
}

/** Shared by the resources of an interface. */
export interface Context extends Sources {
  readonly dialect: Dialect;
  /** The client of the request being answered may only read. */
  readonly reader?: boolean;
  // The last rendered documents, where they are cached.
  readonly status?: Rendered;
  readonly summary?: Rendered;
}
