/** What is wrong with the device itself, made so on the board: every condition by every interface, as it begins and as it ends. */
import { createSocket, type Socket } from "node:dgram";
import { afterEach, beforeEach, expect, it } from "vitest";
import { WT32_PINS } from "../../host-sim/config";
import type { SimulatedBoard } from "../../host-sim/board";
import { hashPassword } from "../../host-sim/password";
import { WEAK_SIGNAL } from "../../src/conditions/limits";
import { hasAny } from "../../src/conditions/set";
import {
  DEVICE_CONDITIONS,
  DEVICE_MESSAGES,
  DEVICE_ROW,
  deviceBit,
  severityOf,
  unitOf,
} from "../../src/conditions/table";
import { en } from "../../web/texts/en";
import { freeUdpPort } from "../support/free-port";
import { startBroker, type Listener, type TestBroker } from "../support/mqtt/broker";
import { parseExposition, sampleOf } from "../support/peers/exposition";
import { GET, parse, request } from "../support/peers/snmp";
import { System, turn } from "../support/system/system";
import { Webhook } from "../support/peers/webhook";
import { WebClient } from "../support/web/web-client";

const SECOND = 1_000;
const START = Date.UTC(2027, 0, 15, 16);
const PASSWORD = "Lítio 280 Ah";
const COMMUNITY = "public";
const OURS = "1.3.6.1.4.1.8072.9999.9999.485";
const HOME = { ssid: "Home", password: "correct horse" };
/** Virtual seconds: the time server is asked again after 1,024 s at most. */
const PATIENCE = 3_000;
/** Virtual ms between two looks: nothing here comes and goes within it. */
const STRIDE = 2_000;
const LED_PIN = 2;

let system: System;
let broker: TestBroker;
let listener: Listener;
let service: Webhook;
let snmp: Socket;
let traps: Socket;
let heard: Buffer[];
/** How far the time server is from the right time, ms. */
let wrong: number;

beforeEach(async () => {
  [heard, wrong] = [[], 0];
  broker = await startBroker();
  listener = await broker.client();
  service = new Webhook();
  await service.open();
  snmp = createSocket("udp4");
  traps = createSocket("udp4").on("message", (bytes) => heard.push(bytes));
  const snmpTrapPort = await freeUdpPort();
  await new Promise<void>((resolve) => traps.bind(snmpTrapPort, "127.0.0.1", resolve));
  system = await System.start({
    bms: { evolving: false, timeFactor: 0 },
    board: {
      cable: false,
      utc: () => START + system.board.clock.now + wrong,
      config: {
        snmpTrapPort,
        pins: { ...WT32_PINS, led: LED_PIN },
        settings: {
          network: HOME,
          time: { server: "127.0.0.1" },
          mqtt: { enabled: true, host: "127.0.0.1", port: broker.port },
          snmp: { enabled: true, community: COMMUNITY, receiver1: "127.0.0.1" },
          web: { password: hashPassword(PASSWORD, 100) },
          notify: { kind1: "webhook", url1: service.url },
        },
      },
    },
    prepare: begin,
  });
  system.keepUp = () => broker.beat().then(turn);
});

afterEach(async () => {
  for (const socket of [snmp, traps]) socket.close();
  service.close();
  system.stop();
  await broker.stop();
});

async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const { clock } = system.board;
  const end = clock.now + PATIENCE * SECOND;
  while (!(await condition())) {
    if (clock.now > end) throw new Error(`${PATIENCE} s went by in vain until ${what}`);
    system.skip(STRIDE);
    await system.keepUp();
  }
}

const conditions = async (): Promise<object[]> =>
  ((await system.get("/api/conditions")).json as { data: object[] }).data;

async function bySnmp(): Promise<string> {
  let value: unknown;
  snmp.once("message", (bytes) => (value = parse(bytes).bindings[0]?.value));
  snmp.send(
    request([`${OURS}.1.7.3.0`], { pdu: GET, version: 1, community: COMMUNITY }),
    system.probes.snmpPort(),
    "127.0.0.1",
  );
  await until("SNMP answers", () => value !== undefined);
  return String(value);
}

/** What is wrong from the start on; the rest is done once it runs. */
function begin(board: SimulatedBoard): void {
  wrong = Date.UTC(2099, 0, 1) - START;
  board.air.add({ ...HOME, rssi: WEAK_SIGNAL - 1 });
  board.refusals.pins.add(LED_PIN);
}

function mend(): void {
  const { air, refusals } = system.board;
  wrong = 0;
  refusals.pins.delete(LED_PIN);
  refusals.storage = undefined;
  system.probes.configure("relay", { name: "Fan" });
  // As with any network, the signal is that of the moment of joining.
  air.remove(HOME.ssid);
  air.add({ ...HOME, rssi: WEAK_SIGNAL });
}

it("is told by every interface, and so is its end", async () => {
  await until("the network is there", () => system.probes.network().online);
  system.board.refusals.storage = "full";
  system.probes.configure("relay", { name: "Pump" });
  const browser = new WebClient(system);
  await browser.signIn(PASSWORD);
  const page = async (): Promise<{ device: object; bms: { well: boolean; concerns: string[] } }> =>
    (await browser.send("GET", "/web/status")).json as never;
  const log = async (): Promise<string[]> =>
    ((await browser.send("GET", "/web/log")).json as { data: { text: string }[] }).data.map(({ text }) => text);
  const metrics = async (): Promise<unknown[]> => {
    const samples = parseExposition((await system.get("/metrics")).text);
    return DEVICE_CONDITIONS.map((concern) => sampleOf(samples, "bms_monitor_concern", { concern }));
  };
  const byMqtt = (codes: readonly string[]): boolean =>
    [...listener.topics].some(
      ([topic, text]) => topic.endsWith("/diagnostics") && text.includes(`"concerns":${JSON.stringify(codes)}`),
    );
  const events = (how: string): string[] => DEVICE_CONDITIONS.map((code) => `condition-${how}\t${code}`);

  await until("all is found", async () => (await conditions()).length === DEVICE_CONDITIONS.length);
  const signal = [WEAK_SIGNAL - 1, WEAK_SIGNAL];
  expect(await conditions()).toEqual(
    DEVICE_CONDITIONS.map((code, row) => {
      const [value, limit] = unitOf(DEVICE_ROW + row) ? signal : [null, null];
      return { code, severity: severityOf(code), since: null, value, limit, today: 1 };
    }),
  );
  expect((await log()).filter((text) => text.startsWith("condition-")).sort()).toEqual(events("raised").sort());
  const { bms, device } = await page();
  expect(bms).toMatchObject({ well: true, concerns: [] });
  expect(device).toEqual({ well: false, concerns: DEVICE_CONDITIONS });
  expect(await metrics()).toEqual(DEVICE_CONDITIONS.map(() => 1));
  expect(await bySnmp()).toBe(DEVICE_CONDITIONS.join(" "));
  await until("a receiver of traps is told", () => heard.some((bytes) => bytes.includes(DEVICE_CONDITIONS.join(" "))));
  await until("MQTT says so", () => byMqtt(DEVICE_CONDITIONS));
  const told = DEVICE_CONDITIONS.filter((code) => hasAny(DEVICE_MESSAGES, deviceBit(code)));
  await until("the owner is told", () =>
    told.every((code) =>
      service.texts.some((text) => text.includes(en.messages["condition-raised"](en.concerns[code]))),
    ),
  );
  expect(DEVICE_CONDITIONS.filter((code) => service.texts.some((text) => text.includes(en.concerns[code])))).toEqual(
    told,
  );
  expect(system.probes.ledPattern()).toBe("attention");

  mend();
  await until("all is over", async () => !(await conditions()).length);
  expect((await log()).filter((text) => text.startsWith("condition-cleared")).sort()).toEqual(events("cleared").sort());
  expect((await page()).device).toEqual({ well: true, concerns: [] });
  expect(await metrics()).toEqual(DEVICE_CONDITIONS.map(() => 0));
  expect(await bySnmp()).toBe("");
  await until("MQTT says so", () => byMqtt([]));
  await until("the owner is told", () =>
    told.every((code) =>
      service.texts.some((text) => text.includes(en.messages["condition-cleared"](en.concerns[code]))),
    ),
  );
  expect(system.probes.ledPattern()).toBe("well");
});
