import type Listener from "embedded:io/socket/listener";
import type TCP from "embedded:io/socket/tcp";
import type { SendMemory } from "http-server/client-socket";
import type { Monitor } from "../bms/types";
import type { ConditionSource } from "../conditions/types";
import type { Energy } from "../energy/types";
import type { Network } from "../network/types";
import type { Build } from "../runtime/build";
import type { Settings } from "../settings/types";

/** What Modbus TCP needs of the device. */
export interface ModbusDevice {
  readonly build: Pick<Build, "softwareName" | "version">;
  readonly settings: Pick<Settings, "modbus" | "observe">;
  readonly monitor: Pick<Monitor, "packs">;
  readonly conditions: ConditionSource;
  readonly energy: Energy | undefined;
  readonly network: Pick<Network, "ip" | "mac" | "subnetMask">;
  readonly tcp: typeof TCP;
  readonly listener: typeof Listener;
  /** It has the device's budget of connections, and of memory for sending. */
  readonly server: {
    readonly sending: SendMemory;
    /** False: there is no place for a connection of `address`, nor can one be made. */
    makeRoom(address: string): boolean;
  };
  /** Announces the port. */
  readonly mdns: { networkChanged(): void } | undefined;
  /** Whole seconds since the firmware started. */
  uptime(): number;
}
