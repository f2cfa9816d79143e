/** Facts of the build and the board: the `config` object of the manifest, on the device `mc/config`. */

export interface Pins {
  /** The UART of the RS485 transceiver. */
  readonly bms: { readonly port: number; readonly receive: number; readonly transmit: number };
  readonly relay: number;
  readonly temperature: number;
  readonly voltages: readonly [number, number, number];
  readonly inputs: readonly [number, number];
}

/** Settings that the board comes with. They win over the stored ones and are never stored. The simulator's command line uses them. */
export interface ConfiguredSettings {
  /** The API token. */
  readonly token?: string;
  /** Modbus slave address of the BMS, 1 to 15. */
  readonly address?: number;
  readonly baud?: 115200 | 9600;
  readonly way?: "auto" | "registers" | "frames";
}

export interface Board {
  readonly softwareName: string;
  readonly version: string;
  /** The commit the firmware was built from, or "unknown". */
  readonly build: string;
  readonly boardVersion: string;
  readonly pins: Pins;
  /** TCP port of the HTTP server. */
  readonly httpPort: number;
  readonly defaults: ConfiguredSettings;
}
