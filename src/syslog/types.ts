import type { ObservedEvents } from "../events/types";
import type { LookupParts } from "../network/lookup";
import type { ManagedNetwork } from "../network/types";
import type { Settings } from "../settings/types";

/** What syslog needs of the device. */
export interface SyslogDevice extends LookupParts {
  readonly events: ObservedEvents;
  readonly settings: Pick<Settings, "syslog" | "device" | "bms" | "observe">;
  readonly network: Pick<ManagedNetwork, "online" | "dns1" | "dns2">;
  readonly build: { readonly softwareName: string };
  /** Since power-on: what RFC 5424 calls the process. */
  readonly start: { readonly restarts: number };
  /** Whole seconds since the firmware started. */
  uptime(): number;
  /** Seconds since 1970, UTC; undefined while the time is not set. */
  time(): number | undefined;
}
