import { execFileSync } from "node:child_process";
import product from "../package.json";

/** GPIO numbers of the board; on the device they come from its manifest. */
export interface BoardPins {
  /** The UART of the RS485 transceiver. */
  readonly bms: { readonly port: number; readonly receive: number; readonly transmit: number };
  readonly relay: number;
  readonly temperature: number;
  readonly voltages: readonly [number, number, number];
  readonly inputs: readonly [number, number];
}

/**
 * What `mc/config` holds: facts of the build and the board. On the device it is the `config` object of the manifest.
 */
export interface BoardConfig {
  readonly softwareName: string;
  readonly version: string;
  /** The git commit the firmware was built from, or "unknown". */
  readonly build: string;
  readonly boardVersion: string;
  readonly pins: BoardPins;
  /** TCP port of the HTTP server. */
  readonly httpPort: number;
  readonly settings: ConfiguredSettings;
}

/** Settings that the board comes with, by group. They win over the stored ones and are never stored. On the device there are none. */
export interface ConfiguredSettings {
  readonly api?: { readonly token?: string };
  readonly bms?: {
    /** Modbus slave address, 1 to 15. */
    readonly address?: number;
    readonly baud?: 115200 | 9600;
    readonly way?: "auto" | "registers" | "frames";
  };
}

let build: string | undefined;

function gitCommit(): string {
  try {
    const git = (...parameters: string[]): string =>
      execFileSync("git", parameters, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    return git("rev-parse", "--short=12", "HEAD") || "unknown";
  } catch {
    return "unknown";
  }
}

/** The simulated board is laid out like a WT32-ETH01: what its Ethernet and its boot pins leave free. */
export function defaultConfig(): BoardConfig {
  build ??= gitCommit();
  return {
    softwareName: product.name,
    version: product.version,
    build,
    boardVersion: "host-sim",
    pins: {
      bms: { port: 2, receive: 5, transmit: 17 },
      relay: 33,
      temperature: 36,
      voltages: [39, 35, 32],
      inputs: [4, 14],
    },
    httpPort: 80,
    settings: {},
  };
}
