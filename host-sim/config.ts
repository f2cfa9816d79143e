import { host } from "#host";
import product from "../package.json";
import type { Board, Pins } from "../src/board";

/** Content of `mc/config`: on the device the `config` object of the manifest. */
export type BoardConfig = Required<Omit<Board, "accessPointPassword" | "homepage">> &
  Pick<Board, "accessPointPassword" | "homepage">;

/** Of a WT32-ETH01: pins not used by Ethernet or as boot pins. */
export const WT32_PINS = Object.freeze({
  bms: { port: 2, receive: 5, transmit: 17 },
  relay: 33,
  temperature: 36,
  voltages: [39, 35, 32],
  inputs: [4, 14],
} as const) satisfies Pins;

export function defaultConfig(): BoardConfig {
  return {
    softwareName: product.name,
    version: product.version,
    build: host.build(),
    boardVersion: "host-sim",
    image: `@jk-bms-monitor/host-sim:${product.version}`,
    updateKey: "",
    chip: 0,
    network: "Ethernet",
    maxPacks: 16,
    pins: WT32_PINS,
    httpPort: 80,
    snmpPort: 161,
    snmpTrapPort: 162,
    hosts: ["localhost", "127.0.0.1"],
    settings: {},
  };
}
