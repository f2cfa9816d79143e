/** Safe mode is said to other systems, too: at once in the metrics, over MQTT and SNMP once a run has lasted. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { afterEach, expect, it } from "vitest";
import { WT32_PINS } from "../../host-sim/config";
import { SAFE_RESTARTS, STABLE_AFTER } from "../../src/health/limits";
import { startBroker, type TestBroker } from "../support/mqtt/broker";
import { freePort, freeUdpPort } from "../support/free-port";
import { parse, request } from "../support/peers/snmp";
import { System } from "../support/system/system";

const SAFE_MODE = "1.3.6.1.4.1.8072.9999.9999.485.1.7.1.0";
const SWITCHED = "1.3.6.1.4.1.8072.9999.9999.485.1.5.2.0";
const TRUE = 1;
const FALSE = 2;
const BASE = "jk-bms/02005e100001";

let broker: TestBroker | undefined;
let system: System | undefined;
afterEach(async () => {
  await system?.board.restarted;
  system?.stop();
  await broker?.stop();
});

it("in metrics, MQTT and SNMP; nobody switches the relay over them", async () => {
  broker = await startBroker();
  const listener = await broker.client();
  const mqtt = { enabled: true, host: "127.0.0.1", port: broker.port };
  const snmp = { enabled: true, community: "public" };
  const relay = { start: "on" } as const;
  const config = { httpPort: await freePort(), snmpPort: await freeUdpPort(), settings: { mqtt, snmp, relay } };
  const running = (system = await System.start({ board: { config } }));
  const { board } = running;
  const manager = createSocket("udp4");
  const get = async (name: string): Promise<unknown> => {
    const answered = once(manager, "message") as Promise<[Uint8Array]>;
    manager.send(request([name]), config.snmpPort, "127.0.0.1");
    return parse((await answered)[0]).bindings[0]?.value;
  };
  const metric = async (): Promise<string | undefined> =>
    /^bms_monitor_safe_mode (.*)$/m.exec((await running.get("/metrics")).text)?.[1];
  const told = (): unknown => JSON.parse(listener.topics.get(`${BASE}/diagnostics`) ?? "{}").safeMode as unknown;

  await running.untilLoaded();
  expect(await metric()).toBe("0");
  await running.until("MQTT says it", () => told() === false);
  expect(await get(SAFE_MODE)).toBe(FALSE);
  await running.until("Home Assistant has an entity for it", () =>
    listener.messages.some(({ text }) => text.includes('"safe_mode"')),
  );

  for (let count = 0; count < SAFE_RESTARTS; count++) {
    board.panic();
    await board.restarted;
  }
  expect(await metric()).toBe("1");
  const { sent } = board.uart;
  running.skip(STABLE_AFTER / 2);
  expect(told()).toBe(false);
  running.skip(STABLE_AFTER);
  await running.until("MQTT says it", () => told() === true);
  expect([await get(SAFE_MODE), await metric()]).toEqual([TRUE, "1"]);
  await listener.client.publishAsync(`${BASE}/relay/set`, "on", { qos: 1 });
  await listener.catchUp();
  expect([await get(SWITCHED), board.pin(WT32_PINS.relay).level, board.uart.sent]).toEqual([FALSE, 0, sent]);
  manager.close();
});
