import BOARD from "linux-board";
import { environment } from "native";

const settings = environment("BMS_SETTINGS");

/** The board of the Linux build, and values that differ per run; not preloaded. */
export default {
  __proto__: BOARD,
  version: environment("BMS_VERSION") ?? "unknown",
  build: environment("BMS_BUILD") ?? "unknown",
  httpPort: Number(environment("BMS_HTTP_PORT") ?? 80),
  snmpPort: Number(environment("BMS_SNMP_PORT") ?? 161),
  snmpTrapPort: Number(environment("BMS_SNMP_TRAP_PORT") ?? 162),
  ...(settings && { settings: JSON.parse(settings) }),
};
