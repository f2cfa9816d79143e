import type { Device } from "../runtime/device";
import type { Rendered } from "./rendered";
import type { HeaderLine } from "http-server/types";

/** Sources of the documents. */
export type Sources = Pick<
  Device,
  "monitor" | "settings" | "relay" | "sensors" | "network" | "build" | "uptime" | "json"
>;

/** How an HTTP interface answers: what differs for the resources between interfaces. */
export interface Dialect {
  /** Header lines of every answer. */
  readonly headers: readonly HeaderLine[];
  /** Path where a client finds the outcome of a write. */
  readonly queuePath: string;
  /** Resources that support forms accept them as well as JSON. */
  readonly forms: boolean;
  /** Refusals and outcomes of writes are codes, which the page translates, instead of sentences or beside them. */
  readonly codes: boolean;
  /** What GET /api shows for what is not measured. */
  readonly unmeasured: 0 | null;
  /** GET /api has the SNMP community, a password. */
  readonly community: boolean;
  /** GET /api has the relay's state even without inputs. */
  readonly relay: boolean;
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
