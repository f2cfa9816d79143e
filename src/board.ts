import type { Network } from "./network/types";
import type { ConfiguredSettings } from "./settings/settings";

/** Facts of the build and the board: the `config` object of the manifest, on the device `mc/config`. */

export interface Pins {
  /** The UART of the RS485 transceiver. */
  readonly bms: { readonly port: number; readonly receive: number; readonly transmit: number };
  readonly relay: number;
  readonly temperature: number;
  readonly voltages: readonly [number, number, number];
  readonly inputs: readonly [number, number];
  /** A button to ground. */
  readonly button?: number;
  /** A status LED, on at a high level. */
  readonly led?: number;
}

export interface Board {
  readonly softwareName: string;
  readonly version: string;
  /** The commit the firmware was built from, or "unknown". */
  readonly build: string;
  readonly boardVersion: string;
  /** What an image for this product and board holds, a colon, and the version; the first character is nowhere else in it. */
  readonly image: string;
  /** The key that images of an update must be signed with: a point of P-256 without compression, 130 hexadecimal digits; empty: they need not be. */
  readonly updateKey: string;
  /** `esp_chip_id_t` of ESP-IDF's images. */
  readonly chip: number;
  readonly network: Network["type"];
  readonly pins: Pins;
  /** TCP port of the HTTP server. */
  readonly httpPort: number;
  /** UDP port of the SNMP agent. */
  readonly snmpPort: number;
  /** UDP port of those who receive its notifications. */
  readonly snmpTrapPort: number;
  /** Password of the access point at the first start, 8 to 63 printable ASCII characters; without one the device makes its own. */
  readonly accessPointPassword?: string;
  /** What the web interface answers to beside the device's own names and addresses, in lower case: of the simulator, the machine's. */
  readonly hosts?: readonly string[];
  /** Settings that win over the stored ones without being stored; the simulator's command line uses them. */
  readonly settings?: ConfiguredSettings;
}
