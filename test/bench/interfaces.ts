/** The interfaces that are off at first, switched on. */
import type { ConfiguredSettings } from "../../src/settings/settings";
import { startBroker, type TestBroker } from "../support/mqtt/broker";

export const mqttOn = ({ port }: Pick<TestBroker, "port">): ConfiguredSettings => ({
  mqtt: { enabled: true, host: "127.0.0.1", port, discovery: true },
});

/** Nobody listens there: what a notification takes is the same. */
export const SNMP_ON: ConfiguredSettings = { snmp: { enabled: true, community: "public", receiver1: "127.0.0.1" } };

/** As for SNMP: nobody listens. */
export const SYSLOG_ON: ConfiguredSettings = { syslog: { host: "127.0.0.1", port: 9 } };

/** Likewise: every message waits and is tried again. */
export const NOTIFY_ON: ConfiguredSettings = {
  notify: {
    kind1: "ntfy",
    url1: "http://127.0.0.1:9",
    channel1: "bench",
    kind2: "webhook",
    url2: "http://127.0.0.1:9/",
  },
};

/** Does `work` with the settings of MQTT, SNMP, syslog and notifications, and a broker for as long as that takes. */
export async function withInterfaces<Result>(work: (settings: ConfiguredSettings) => Promise<Result>): Promise<Result> {
  const broker = await startBroker();
  try {
    return await work({ ...mqttOn(broker), ...SNMP_ON, ...SYSLOG_ON, ...NOTIFY_ON });
  } finally {
    await broker.stop();
  }
}
