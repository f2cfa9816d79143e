import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { Locator } from "playwright-core";
import { afterEach, expect, it } from "vitest";
import { RESET } from "../../../host-sim/board";
import { en } from "../../../web/texts/en";
import { DEVICE_TEXTS } from "../../../web/texts/later/device";
import { startBroker, type TestBroker } from "../../support/mqtt/broker";
import { freePort } from "../../support/free-port";
import { ModbusClient } from "../../support/modbus/modbus-client";
import { parse, request } from "../../support/peers/snmp";
import { PASSWORD, serve } from "./served";

const EN = DEVICE_TEXTS.en;

const served = serve();
/** The page's time may run ahead. */
const STEERED = { steered: true };

/** The state of a service; some of the page's time passes, in which it asks for it again. */
async function factsOf(part: Locator): Promise<string> {
  await part.page().clock.runFor(1_000);
  return part.locator("dl").innerText();
}

let broker: TestBroker | undefined;
afterEach(async () => {
  await broker?.stop();
  broker = undefined;
});

it("MQTT shows its connection, the reason for a failure, and its traffic; saving waits for the result", async () => {
  broker = await startBroker();
  const system = await served.start();
  const visit = await served.enter(system, STEERED, "#/device");
  const { page } = visit;
  const part = page.locator("details", { has: page.getByRole("heading", { name: "MQTT", exact: true }) });
  await part.locator("summary").click();
  await part.getByText("State").waitFor();
  expect(await part.locator("dl").innerText()).toContain("Off");
  await part.getByRole("checkbox", { name: "MQTT" }).check();
  await part.getByLabel("Broker").fill("127.0.0.1");
  await part.getByLabel("Port").fill(String(await freePort()));
  await part.getByRole("button", { name: "Save" }).click();
  await part.getByText("Saved. The broker is not reachable").waitFor();
  expect(await part.locator("dl").innerText()).toContain("not reachable");

  await part.getByLabel("Port").fill(String(broker.port));
  await part.getByRole("button", { name: "Save" }).click();
  await part.getByText("Saved. Connected").waitFor();
  await part.getByRole("button", { name: "Test" }).click();
  await part.locator("[role=status]").last().getByText("Connected").waitFor();
  await expect.poll(() => factsOf(part)).toMatch(/Messages sent\s+[1-9]/);
  await expect.poll(() => factsOf(part)).toMatch(/Connected\s+\d+\s(s|min) ago/);
  const client = await broker.client();
  // More than one, if need be: the device subscribes a moment after it has connected.
  await expect
    .poll(
      async () => {
        await client.publish("jk-bms/02005e100001/relay/set", "on");
        return factsOf(part);
      },
      { interval: 200 },
    )
    .toMatch(/Commands received\s+[1-9]/);
  expect(await visit.accessibility()).toEqual([]);

  await broker.end();
  await part.getByRole("button", { name: "Test" }).click();
  await part.locator("[role=status]").last().getByText("not reachable").waitFor();
});

it("Modbus TCP shows its clients, their last request and refused writes; a list of clients holds at once", async () => {
  const system = await served.start();
  const visit = await served.enter(system, STEERED, "#/device");
  const { page } = visit;
  const part = page.locator("details", { has: page.getByRole("heading", { name: "Modbus TCP", exact: true }) });
  await part.locator("summary").click();
  await part.getByText(EN.device.modbusHint).waitFor();
  expect(await factsOf(part)).toMatch(/State\s+Off/);
  const stored = (): unknown => {
    const value = system.board.storage.read("settings", "modbus");
    return value && "string" in value ? (JSON.parse(value.string) as { values: unknown }).values : undefined;
  };
  const port = await freePort();
  const [name, clients] = [part.getByLabel(en.fields["modbus.port"]), part.getByLabel(en.fields["modbus.clients"])];
  const save = async (): Promise<void> => {
    await part.getByRole("button", { name: "Save" }).click();
    await part.getByText("Saved.").waitFor();
  };
  await part.getByRole("checkbox", { name: "Modbus TCP" }).check();
  await name.fill("0");
  await part.getByRole("button", { name: "Save" }).click();
  await part.locator("input[aria-invalid=true]").waitFor();
  expect(stored()).toBeUndefined();

  await name.fill(`${port}`);
  await clients.fill("192.0.2.9, evcc.local");
  await part.getByRole("button", { name: "Save" }).click();
  await part.locator("input[aria-invalid=true]").waitFor();
  expect(stored()).toBeUndefined();
  await clients.fill("192.0.2.9, 127.0.0.1");
  await save();
  expect(stored()).toEqual({ enabled: true, port, clients: "192.0.2.9, 127.0.0.1" });
  const client = await ModbusClient.open(port);
  expect((await client.read(1, 40_000, 2)).toString()).toBe("SunS");
  await expect
    .poll(() => factsOf(part))
    .toMatch(/Running\s+Connected\s+127\.0\.0\.1\s+Last request\s+\d+\s(s|min) ago$/);
  expect(await client.ask(1, [6, 0x9c, 0x90, 0, 0xc8])).toEqual(Buffer.of(0x86, 1));
  await expect.poll(() => factsOf(part)).toMatch(/Writes refused\s+1$/);
  expect(await visit.accessibility()).toEqual([]);

  await clients.fill("192.0.2.9");
  await save();
  await client.untilClosed();
  const late = await ModbusClient.open(port);
  await late.untilClosed();
  await expect.poll(() => factsOf(part)).not.toContain("127.0.0.1");
  await part.getByRole("checkbox", { name: "Modbus TCP" }).uncheck();
  await save();
  await expect.poll(() => factsOf(part)).toMatch(/State\s+Off/);
  await expect(ModbusClient.open(port)).rejects.toThrow("ECONNREFUSED");
});

it("the time screen shows when the server last answered, or why it did not; a test asks again", async () => {
  const system = await served.start();
  const { page } = await served.enter(system, STEERED, "#/device");
  const part = page.locator("details", { has: page.locator("summary", { hasText: /^Time$/ }) });
  await part.locator("summary").click();
  // RFC 6761: this name never resolves.
  await part.getByLabel("Time server (SNTP)").fill("time.invalid");
  await part.getByRole("button", { name: "Save" }).click();
  await part.getByText("Saved. The time server's name was not found.").waitFor();
  await part.getByLabel("Time server (SNTP)").fill("127.0.0.1");
  await part.getByRole("button", { name: "Save" }).click();
  await part.getByText(/Saved. Synchronized .* ago/).waitFor();
  // Longer than the page's test takes an earlier answer for its own.
  system.skip(60_000);
  await part.getByRole("button", { name: "Test" }).click();
  await part
    .locator("[role=status]")
    .last()
    .getByText(/^Synchronized .* ago/)
    .waitFor();
});

it("a time zone is chosen by name; until then the offset is fixed", async () => {
  const system = await served.start({ board: { config: { settings: { time: { server: "127.0.0.1" } } } } });
  const stored = (): unknown => {
    const value = system.board.storage.read("settings", "time");
    return value && "string" in value && (JSON.parse(value.string) as { values: { zone: string } }).values.zone;
  };
  const visit = await served.enter(system, { timeZone: "Asia/Calcutta" }, "#/device");
  const { page } = visit;
  const clock = page.locator("dt", { hasText: EN.device.now }).locator("xpath=following-sibling::dd[1]");
  /** Hours between what the page shows as the device's time and UTC. */
  const ahead = async (): Promise<number> => (Date.parse(`${await clock.innerText()} UTC`) - Date.now()) / 3_600_000;
  await expect.poll(ahead).toBeCloseTo(0, 1);
  const part = page.locator("details", { has: page.locator("summary", { hasText: /^Time$/ }) });
  await part.locator("summary").click();
  const zone = part.getByLabel(en.fields["time.zone"]);
  const offset = part.getByLabel(en.fields["time.offset"]);
  const save = async (): Promise<void> => {
    await part.getByRole("button", { name: "Save" }).click();
    await part.getByText(/Saved. Synchronized .* ago/).waitFor();
  };
  await zone.waitFor();
  expect(await zone.inputValue()).toBe("");
  await offset.fill("-210");
  await save();
  await expect.poll(ahead).toBeCloseTo(-3.5, 1);

  await part.getByRole("button", { name: `${EN.device.browserZone} (Asia/Calcutta)` }).click();
  expect(await offset.count()).toBe(0);
  expect(await visit.accessibility()).toEqual([]);
  await save();
  expect(stored()).toBe("Asia/Calcutta <+0530>-5:30");
  await expect.poll(ahead).toBeCloseTo(5.5, 1);

  await zone.selectOption("Pacific/Kiritimati");
  await save();
  expect(stored()).toBe("Pacific/Kiritimati <+14>-14");
  await expect.poll(ahead).toBeCloseTo(14, 1);

  await zone.selectOption({ index: 0 });
  await offset.waitFor();
  await save();
  expect(stored()).toBe("");
  await expect.poll(ahead).toBeCloseTo(-3.5, 1);
  expect(visit.defects).toEqual([]);
});

it("a zone that is not in the page's list is shown as it is, and stays", async () => {
  const zone = "XYZ-2:34";
  const system = await served.start({ board: { config: { settings: { time: { zone } } } } });
  const { page } = await served.enter(system, {}, "#/device");
  const part = page.locator("details", { has: page.locator("summary", { hasText: /^Time$/ }) });
  await part.locator("summary").click();
  const field = part.getByLabel(en.fields["time.zone"]);
  await field.waitFor();
  expect(await field.inputValue()).toBe(zone);
  await part.getByLabel("Time server (SNTP)").fill("127.0.0.1");
  await part.getByRole("button", { name: "Save" }).click();
  await part.getByText("Saved.").waitFor();
  const answer = (): Promise<unknown> =>
    page.evaluate<unknown>(`fetch("/web/group/time").then((answer) => answer.json())`);
  expect(await answer()).toMatchObject({ data: { zone, server: "127.0.0.1" } });
  expect(
    await page.evaluate(
      `fetch("/web/group/time", { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"zone":"Europe/Lisbon"}' }).then((answer) => answer.json())`,
    ),
  ).toMatchObject({ error: "not-text\ttime.zone\t0\t104\tzone" });
});

it("SNMP shows whether it is running and what it has received, and sends a test notification to its receivers", async () => {
  const receiver = createSocket("udp4").bind(0, "127.0.0.1");
  await once(receiver, "listening");
  const system = await served.start({ board: { config: { snmpTrapPort: receiver.address().port } } });
  const { page } = await served.enter(system, STEERED, "#/device");
  const part = page.locator("details", { has: page.getByRole("heading", { name: "SNMP", exact: true }) });
  const facts = (): Promise<string> => factsOf(part);
  const test = async (told: string): Promise<void> => {
    await part.getByRole("button", { name: "Test" }).click();
    await part.locator("[role=status]").last().getByText(told).waitFor();
  };
  await part.locator("summary").click();
  await expect.poll(facts).toContain("Off");
  await part.getByRole("checkbox", { name: "SNMP" }).check();
  await part.getByLabel("Community", { exact: true }).fill("public");
  await part.getByRole("button", { name: "Save" }).click();
  await expect.poll(facts).toContain("Running");
  await test("Not sent: SNMP is off, or no receiver is set and found.");

  for (const community of ["public", "wrong"])
    receiver.send(request(["1.3.6.1.2.1.1.1.0"], { community }), system.probes.snmpPort(), "127.0.0.1");
  await expect.poll(facts).toMatch(/Packets received\s+2\s+Wrong community\s+1/);

  await part.getByLabel("Notifications to", { exact: true }).fill("127.0.0.1");
  await part.getByRole("button", { name: "Save" }).click();
  const traps: unknown[] = [];
  receiver.on("message", (bytes: Uint8Array) => traps.push(parse(bytes).bindings[1]?.value));
  await part.getByText("Saved.").waitFor();
  await test("Test notification sent to 1 receiver: check that it arrived.");
  await expect.poll(() => traps).toContain("1.3.6.1.4.1.8072.9999.9999.485.0.6");
  receiver.close();
});

it("syslog shows where it sends to, and sends once a server is saved", async () => {
  const receiver = createSocket("udp4").bind(0, "127.0.0.1");
  await once(receiver, "listening");
  const texts: string[] = [];
  receiver.on("message", (bytes: Buffer) => texts.push(bytes.toString("utf8")));
  const system = await served.start();
  const { page } = await served.enter(system, STEERED, "#/device");
  const part = page.locator("details", { has: page.getByRole("heading", { name: "Syslog", exact: true }) });
  const facts = (): Promise<string> => factsOf(part);
  await part.locator("summary").click();
  await expect.poll(facts).toMatch(/State\s+Off\s+Messages sent\s+0/);
  await part.getByLabel("Server (empty: off)").fill("logs.invalid");
  await part.getByLabel("UDP port").fill(String(receiver.address().port));
  await part.getByLabel("Facility").selectOption("daemon");
  await part.getByRole("button", { name: "Save" }).click();
  await expect.poll(facts).toContain("Server not found yet");
  await part.getByLabel("Server (empty: off)").fill("127.0.0.1");
  await part.getByRole("button", { name: "Save" }).click();
  await expect.poll(facts).toMatch(/Sending to 127\.0\.0\.1\s+Messages sent\s+[1-9]/);
  await expect.poll(() => texts.at(-1)).toMatch(/^<29>1 .* settings-changed .* Settings changed: syslog\.$/);
  receiver.close();
});

it("log lines from before a restart keep their clock time, also those written before the time was known", async () => {
  const system = await served.start({ board: { config: { settings: { time: { server: "127.0.0.1" } } } } });
  const visit = await served.enter(system, {}, "#/device");
  const { page } = visit;
  const part = page.locator("details", { has: page.locator("summary", { hasText: EN.device.log }) });
  await expect.poll(async () => (await page.getByText(EN.device.notSet).count()) === 0).toBe(true);
  await page.getByRole("button", { name: EN.device.restart, exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: EN.device.restart, exact: true }).click();
  await system.until("it has restarted", () => system.board.resetReason === RESET.software);
  await system.board.restarted;
  await page.getByText(en.sign.expired).waitFor();
  await visit.signIn(PASSWORD);
  await part.locator("summary").click();
  const lines = part.locator("ul").first().locator("li");
  await lines.first().waitFor();
  const texts = await lines.allInnerTexts();
  expect(texts.filter((text) => text.includes(en.messages.stopped))).toHaveLength(1);
  const before = texts.slice(texts.findIndex((text) => text.includes(en.messages.stopped)));
  expect(before.length).toBeGreaterThan(2);
  for (const line of before) expect(line).toMatch(/^\d{1,2} \w+ 20\d\d, \d\d:\d\d/);
  // The BMS keeps a log, too, which is read once it is online.
  const started = part.locator("h3 + ul li", { hasText: EN.bmsLog.events["start"] as string });
  await expect
    .poll(async () => {
      await part.getByRole("button", { name: en.common.refresh }).click();
      // Refreshed anew before it has come, it begins anew.
      await part.getByText(en.app.loading).first().waitFor({ state: "detached" });
      return started.count();
    })
    .toBeGreaterThan(0);
});
