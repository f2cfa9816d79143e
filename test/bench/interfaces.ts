/** The interfaces that are off at first, switched on. */
import type { ConfiguredSettings } from "../../src/settings/settings";
import { startBroker, type TestBroker } from "../support/mqtt/broker";

export const mqttOn = ({ port }: Pick<TestBroker, "port">): ConfiguredSettings => ({
  mqtt: { enabled: true, host: "127.0.0.1", port, discovery: true },
});

/** Nobody listens there: what a notification takes is the same. */
export const SNMP_ON: ConfiguredSettings = { snmp: { enabled: true, community: "public", receiver1: "127.0.0.1" } };

/** As for SNMP: nobody listens. */
const SYSLOG_ON: ConfiguredSettings = { syslog: { host: "127.0.0.1", port: 9 } };

/** Does `work` with the settings of MQTT, SNMP and syslog, and a broker for as long as that takes. */
export async function withInterfaces<Result>(work: (settings: ConfiguredSettings) => Promise<Result>): Promise<Result> {
  const broker = await startBroker();
  try {
    return await work({ ...mqttOn(broker), ...SNMP_ON, ...SYSLOG_ON });
  } finally {
    await broker.stop();
  }
}
