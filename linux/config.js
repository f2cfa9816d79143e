import { environment } from "native";

const settings = environment("BMS_SETTINGS");

/** The board of the Linux build. Not preloaded: it is another one in each run. */
export default {
  softwareName: "jk-bms-monitor",
  version: "0.1.0",
  build: environment("BMS_BUILD") ?? "unknown",
  boardVersion: "linux",
  image: "@jk-bms-monitor/linux",
  chip: 0,
  network: "Ethernet",
  pins: {
    bms: { port: 1, receive: 5, transmit: 17 },
    relay: 33,
    temperature: 36,
    voltages: [39, 35, 32],
    inputs: [4, 14],
  },
  httpPort: Number(environment("BMS_HTTP_PORT") ?? 80),
  snmpPort: Number(environment("BMS_SNMP_PORT") ?? 161),
  snmpTrapPort: Number(environment("BMS_SNMP_TRAP_PORT") ?? 162),
  ...(settings && { settings: JSON.parse(settings) }),
};
