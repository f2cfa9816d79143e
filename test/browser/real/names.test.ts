/** Texts that others supply are text on every interface: the page, JSON, MQTT, SNMP, metrics, the log, the history and a backup. */
import { createSocket } from "node:dgram";
import { afterEach, expect, it } from "vitest";
import { en } from "../../../web/texts/en";
import { DEVICE_TEXTS } from "../../../web/texts/later/device";
import { startBroker, type TestBroker } from "../../support/mqtt/broker";
import { DEFAULTS } from "../../support/fakes/settings";
import { parse, request } from "../../support/peers/snmp";
import type { System } from "../../support/system/system";
import { WebClient } from "../../support/web/web-client";
import { PASSWORD, serve } from "./served";

const EN = DEVICE_TEXTS.en;

const served = serve();

let broker: TestBroker | undefined;
afterEach(async () => {
  await broker?.stop();
  broker = undefined;
});

const MARKUP = '<img src=x onerror="alert(1)">';
/** The longest names allowed: markup, a spreadsheet's formula, quotes and a backslash, right-to-left mark, 4-byte characters. */
const RELAY = `${MARKUP}\u05d0🔋`;
const INPUT = '=1+1","\\n{x="y"}\u05d0🔋';
const TEMPERATURE = "</script><script>alert(2)";
/** Sent by the BMS: any 16 bytes. */
const BLUETOOTH = "<b onclick=x>'\"&";
/** With line ends, ESC, DEL, and the UTF-8 bytes of the direction override. */
const SERIAL = '<b>\\"=1\r\n\u001b[\u007f\u00e2\u0080\u00ae';
const SERIAL_SHOWN = '<b>\\"=1???[????';
/** Network names are up to 32 arbitrary bytes: the joined one's, and a neighbour's. */
const JOINED = '<i onclick="x">=1+1\\';
const NEIGHBOUR = "<img src=x>\r\n\u001b[2J\u202e\u200f🔋";
const TOPIC = 'a<b>"\\\u05d0🔋';
const USER = '<u>=2+2"\\';
const CONTACT = `${MARKUP}=3+3\\`;
/** A name written to the BMS: 12 printable characters. */
const WRITTEN = "=1<b>\"'\\&|{}";

const SNMP = { community: "public", device: "1.3.6.1.2.1.33.1.1.5.0", contact: "1.3.6.1.2.1.1.4.0" } as const;

const hostile = (port: number): object => ({
  device: { name: RELAY },
  relay: { name: RELAY },
  monitoring: {
    temperature: { ...DEFAULTS.monitoring.temperature, name: TEMPERATURE },
    inputs: [
      { name: INPUT, activeLevel: 0, debounce: 50 },
      { name: "Input 2", activeLevel: 0, debounce: 50 },
    ],
  },
  network: { ssid: JOINED, password: "at home 1234" },
  snmp: { enabled: true, community: SNMP.community, contact: CONTACT },
  mqtt: { enabled: true, host: "127.0.0.1", port, user: USER, password: "x", baseTopic: TOPIC },
});

async function start(): Promise<System> {
  broker = await startBroker();
  const system = await served.startWith(
    ({ registers }) => {
      registers.writeText("BluetoothName", BLUETOOTH);
      registers.writeText("SerialNumber", SERIAL);
    },
    { cable: false, config: { settings: hostile(broker.port) } },
  );
  system.board.air.add({ ssid: JOINED, password: "at home 1234" });
  system.board.air.add({ ssid: NEIGHBOUR });
  await system.untilLoaded();
  return system;
}

/** All texts in a document. */
const textsOf = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : Object.values((value ?? {}) as Record<string, unknown>).flatMap((member) => textsOf(member));

/** The value of one object, queried over UDP. */
async function snmpText(system: System, oid: string): Promise<unknown> {
  const socket = createSocket("udp4");
  const message = new Promise<Buffer>((resolve) => socket.once("message", resolve));
  socket.send(request([oid], { community: SNMP.community }), system.probes.snmpPort(), "127.0.0.1");
  const { bindings } = parse(await message);
  socket.close();
  return bindings[0]?.value;
}

const shownIn7Bits = (text: string): string => text.replace(/[^\0-\x7f]/g, "?");

it("hostile texts arrive unchanged in JSON, MQTT and SNMP, and break no metric, CSV row or log line", async () => {
  const system = await start();
  const client = new WebClient(system);
  await client.signIn(PASSWORD);
  await system.until("it has joined", () => system.probes.network().ssid === JOINED);
  expect((await client.post("/web/parameters", { setting: "bluetooth_name", value: WRITTEN })).status).toBe(202);
  await system.until("the write has ended", () => system.monitor().lastCommandOk);
  await client.send("POST", "/web/scan");
  await system.until("the neighbour is seen", async () => (await client.get("/web/scan")).text.includes("[2J"));

  const written = `bluetooth_name "${WRITTEN}": confirmed by the BMS.`;
  const json: readonly [path: string, ...texts: string[]][] = [
    ["/web/summary", RELAY, INPUT, TEMPERATURE],
    ["/web/status", WRITTEN, SERIAL_SHOWN],
    ["/web/device", JOINED],
    ["/web/scan", JOINED, NEIGHBOUR],
    ["/web/queue", written],
    ["/web/log", `write\tbluetooth_name\t"${WRITTEN}"\tconfirmed\t\t\tpage\t`],
    ["/web/group/mqtt", USER, TOPIC],
    ["/web/group/snmp", CONTACT],
    ["/web/group/network", JOINED],
    ["/web/group/device", RELAY],
  ];
  for (const [path, ...texts] of json)
    expect(textsOf((await client.get(path)).json), path).toEqual(expect.arrayContaining(texts));
  const { text: log } = await client.get("/web/log");
  expect(log).not.toMatch(/[^ -~]/);

  const listener = await broker!.client();
  const base = `${TOPIC}/02005e100001`;
  const mqtt: readonly [topic: string, ...texts: string[]][] = [
    ["homeassistant/device/02005e100001/config", RELAY, `${base}/telemetry`],
    [`${base}/telemetry`, WRITTEN],
    [`${base}/relay`, RELAY],
  ];
  // Those kept by the broker may be from before the write.
  for (const [topic, ...texts] of mqtt)
    await expect
      .poll(() => textsOf(JSON.parse(listener.topics.get(topic) ?? "null")), { message: topic })
      .toEqual(expect.arrayContaining(texts));

  expect(await snmpText(system, SNMP.device)).toBe(shownIn7Bits(RELAY));
  expect(await snmpText(system, SNMP.contact)).toBe(CONTACT);

  const { text: metrics } = await system.get("/metrics");
  for (const line of metrics.split("\n"))
    expect(line).toMatch(/^(#.*|[a-z0-9_]+(\{([a-z_]+="([^"\\]|\\[\\"n])*",?)*\})? \S+|)$/);
  expect(metrics).toContain(`name="${WRITTEN.replace(/["\\]/g, "\\$&")}"`);

  system.skip(200_000);
  const { text: history } = await client.get("/web/history.csv");
  const [head, ...rows] = history.trimEnd().split("\r\n");
  expect(head).toBe("time_s,soc,power_w,min_cell_v,max_cell_v");
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) expect(row).toMatch(/^-?[\d.]+(,(-?[\d.]+)?)*$/);

  for (const line of system.console) expect(line).toMatch(/^[ -~]*\n$/);
});

it("markup in texts is shown on the page, not executed", async () => {
  const system = await start();
  const { page, defects } = await served.enter(system);
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const shown: readonly [screen: string, ...texts: string[]][] = [
    [en.app.relayShort, RELAY, INPUT, TEMPERATURE],
    [en.app.control],
    [en.app.battery, BLUETOOTH, SERIAL_SHOWN],
    [en.app.device, JOINED],
  ];
  const isMarkup = page.locator("main img, main script, main b[onclick], main i[onclick], main u");
  for (const [screen, ...texts] of shown) {
    await page.getByRole("link", { name: screen, exact: true }).click();
    for (const text of texts) await page.getByText(text).first().waitFor();
    expect(await isMarkup.count()).toBe(0);
  }
  await page.getByText(EN.device.identity).click();
  await expect.poll(() => page.getByLabel(en.fields["device.name"], { exact: true }).inputValue()).toBe(RELAY);

  await page.locator("summary").filter({ hasText: EN.device.wifi }).click();
  await page.getByRole("button", { name: EN.device.scan }).click();
  await page.locator("label", { hasText: "[2J" }).waitFor();
  expect(await isMarkup.count()).toBe(0);
  expect([dialogs, defects]).toEqual([[], []]);
});
