import type { DrivenPin } from "./health/driven-pins";
import type { Network } from "./network/types";
import type { Build } from "./runtime/build";
import type { SensorPins } from "./sensors/types";
import type { ConfiguredSettings } from "./settings/settings";

/** Facts of the build and the board: `config` of the manifest, `mc/config` on the device. */

interface Wiring {
  /** Driven before the BMS's port is opened, in this order. */
  readonly driven?: readonly DrivenPin[];
  /** UART of the RS485 transceiver; `direction`: its driver enable, unless it has automatic direction. */
  readonly bms: {
    readonly port: number;
    readonly receive: number;
    readonly transmit: number;
    readonly direction?: number;
  };
  /** Absent on a board without one. */
  readonly relay?: number;
  /** Push-button to ground. */
  readonly button?: number;
  /** Status LED, active high. */
  readonly led?: number;
}

/** A board has all sensors or none. */
export type Pins = Wiring & (SensorPins | { readonly [Use in keyof SensorPins]?: undefined });

export interface Board extends Build {
  /** `<mark>:<version>`. Every image for this product and board contains it; its first character occurs nowhere else in it. */
  readonly image: string;
  /** Public key that verifies update images: an uncompressed P-256 point, 130 hexadecimal digits; empty: images need no signature. */
  readonly updateKey: string;
  /** `esp_chip_id_t` of ESP-IDF images. */
  readonly chip: number;
  readonly network: Network["type"];
  /** Packs on the bus that may be set up, the first included: docs/boards.md, "How many packs". */
  readonly maxPacks: number;
  readonly pins: Pins;
  /** TCP port of the HTTP server. */
  readonly httpPort: number;
  /** UDP port of the SNMP agent. */
  readonly snmpPort: number;
  /** UDP port to which notifications are sent. */
  readonly snmpTrapPort: number;
  /** Password of the access point at the first start, 8 to 63 printable ASCII characters; if absent, the device generates one. */
  readonly accessPointPassword?: string;
  /**
   * Host names that the web interface accepts besides the device's own names and addresses, lower case; in the simulator those of the
   * machine.
   */
  readonly hosts?: readonly string[];
  /** Settings that override the stored ones without being stored; used by the simulator's command line. */
  readonly settings?: ConfiguredSettings;
}
