/** Another master on the bus: every interface says what is done now, `poll` or `listen`, and refuses writes meanwhile. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hashPassword } from "../../host-sim/password";
import { startBroker, type Listener, type TestBroker } from "../support/mqtt/broker";
import { parseExposition, sampleOf } from "../support/peers/exposition";
import { parse, request } from "../support/peers/snmp";
import { System, turn } from "../support/system/system";
import { WebClient } from "../support/web/web-client";

const BASE = "jk-bms/02005e100001";
/** bmsListening of docs/BMS-MONITOR-MIB.txt. */
const LISTENING = "1.3.6.1.4.1.8072.9999.9999.485.1.4.4.0";
const PASSWORD = "Lítio-280-Ah";
const REASON = "Another master is on this bus: the device listens and sends nothing.";
/** Virtual seconds. */
const PATIENCE = 120;
/** The same, far less than what MQTT repeats everything after. */
const AT_ONCE = 3;

let broker: TestBroker;
let system: System;
let client: Listener;
let page: WebClient;

beforeAll(async () => {
  broker = await startBroker();
  client = await broker.client(`${BASE}/#`);
  system = await System.start({
    unpaced: true,
    bank: { count: 1, master: true, evolving: false },
    board: {
      config: {
        settings: {
          mqtt: { enabled: true, host: "127.0.0.1", port: broker.port },
          snmp: { enabled: true, community: "public" },
          web: { password: hashPassword(PASSWORD, 100) },
        },
      },
    },
  });
  system.keepUp = () => broker.beat().then(turn);
  system.bank!.master!.master!.stop();
  await system.untilLoaded();
  await until("MQTT is connected", () => client.topics.has(`${BASE}/diagnostics`));
  page = new WebClient(system);
  expect((await answered(page.signIn(PASSWORD))).status).toBe(200);
});
afterAll(async () => {
  system.stop();
  await broker.stop();
});

const until = (what: string, condition: () => boolean, seconds = PATIENCE): Promise<void> =>
  system.skipUntil(what, condition, seconds);

/** Lets a little time pass until `answer` is there. */
async function answered<Answer>(answer: Promise<Answer>): Promise<Answer> {
  let isDone = false;
  const done = answer.finally(() => (isDone = true));
  while (!isDone) {
    system.skip(1);
    await turn();
  }
  return done;
}

const told = (topic: string): Record<string, unknown> =>
  JSON.parse(client.topics.get(`${BASE}/${topic}`) ?? "{}") as Record<string, unknown>;

async function listeningBySnmp(): Promise<unknown> {
  const socket = createSocket("udp4");
  const message = once(socket, "message") as Promise<[Uint8Array]>;
  socket.send(request([LISTENING]), system.probes.snmpPort(), "127.0.0.1");
  const [answer] = await answered(message);
  socket.close();
  return parse(answer).bindings[0]?.value;
}

interface Said {
  readonly api: string;
  readonly link: string;
  readonly concern: boolean;
  readonly metric: number | undefined;
  readonly snmp: unknown;
  readonly mqtt: unknown;
  readonly events: readonly string[];
}

async function said(): Promise<Said> {
  const api = (await answered(system.get("/api"))).json as { data: { bms: { mode: string } } };
  const device = (await answered(page.get("/web/device"))).json as { data: { link: { mode: string } } };
  const status = (await answered(page.get("/web/status"))).json as { bms: { concerns: string[] } };
  const metrics = parseExposition((await answered(system.get("/metrics"))).text);
  return {
    api: api.data.bms.mode,
    link: device.data.link.mode,
    concern: status.bms.concerns.includes("other-master"),
    metric: sampleOf(metrics, "bms_bus_mode", { mode: "listen" }),
    snmp: await listeningBySnmp(),
    mqtt: told("diagnostics")["bmsMode"],
    events: system.probes.parts().log.filter((line) => line.startsWith("other-master")),
  };
}

const POLLING: Said = {
  ...{ api: "poll", link: "poll", concern: false, metric: 0, snmp: 2, mqtt: "poll" },
  events: [],
};
it("without one nobody speaks of it", async () => {
  expect(await said()).toEqual(POLLING);
});

it("every interface says that the device listens, as soon as it does", async () => {
  system.bank!.master!.master!.start();
  await until("the master is heard", () => system.monitor().statistics!.foreign > 0);
  await until("MQTT tells", () => told("diagnostics")["bmsMode"] === "listen", AT_ONCE);
  expect(await said()).toEqual({
    ...{ api: "listen", link: "listen", concern: true, metric: 1, snmp: 1, mqtt: "listen" },
    events: ["other-master"],
  });
});

it("the pack stays online on what is heard, and no write is sent, whoever asks", async () => {
  const { sent } = system.board.uart;
  const { lost } = system.bank!.master!.master!.statistics;
  await system.pass(30_000);
  expect(system.monitor()).toMatchObject({ online: true, configurationLoaded: true });
  expect(told("telemetry")["concerns"]).toContain("other-master");
  const order = { command: "charge_mos", state: "off" };
  expect(await answered(system.post("/api/bms/commands", order))).toMatchObject({
    status: 409,
    json: { error: REASON },
  });
  expect(await answered(page.post("/web/commands", order))).toMatchObject({
    status: 409,
    json: { data: { reason: "listening" } },
  });
  await client.publish(`${BASE}/command/charge_mos/set`, "off");
  await until("MQTT refuses", () => client.topics.has(`${BASE}/result`));
  expect(told("result")).toMatchObject({ ok: false, code: "listening", message: REASON });
  expect(system.board.uart.sent).toBe(sent);
  expect(system.bank!.master!.master!.statistics.lost).toBe(lost);
});

it("every interface says that the pack is polled again, when it has been", async () => {
  system.bank!.master!.master!.stop();
  await until("it is polled", () => told("diagnostics")["bmsMode"] === "poll");
  await until("it answers", () => system.monitor().online);
  expect(await said()).toEqual({ ...POLLING, events: ["other-master", "other-master-gone"] });
});
