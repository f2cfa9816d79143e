import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startBroker, type Listener, type TestBroker } from "../support/mqtt/broker";
import { LinuxSystem } from "../support/system/linux-system";
import { parsed } from "../support/mqtt/mqtt-documents";
import type { Meters } from "../support/xs/xs-program";

const SETTLE = 4_000;
/** What the interface may take, with the SDK's client and its socket; a chunk's header is larger here than on the device. */
const MAX_SLOTS = 320;
const MAX_CHUNKS = 3_600;
/** Of 640. */
const MAX_STACK = 450;
/** Switched off again: nothing but what moves by itself. */
const OFF_SLOTS = 30;
/** Lines of the event log. */
const OFF_CHUNKS = 700;

describe("MQTT with the Moddable SDK's own client", () => {
  let broker: TestBroker;
  let system: LinuxSystem;
  let client: Listener;
  let before: Meters;

  const topic = (end: string): string | undefined => [...client.topics.keys()].find((name) => name.endsWith(end));
  const until = async (what: string, condition: () => boolean, seconds = 20): Promise<void> => {
    for (const end = Date.now() + seconds * 1000; !condition(); await wait(50))
      if (Date.now() > end) throw new Error(`waited in vain until ${what}: ${system.console.join("; ")}`);
  };
  const results = (): { status: string; ok: boolean; message: string }[] =>
    client.messages
      .filter(({ topic: name }) => name.endsWith("/result"))
      .map(({ text }) => JSON.parse(text) as { status: string; ok: boolean; message: string });

  beforeEach(async () => {
    broker = await startBroker();
    client = await broker.client();
    system = await LinuxSystem.start();
    await wait(SETTLE);
    before = await system.meters();
    await system.configure("mqtt", { enabled: true, host: "127.0.0.1", port: broker.port });
    await until("everything is published", () => !!topic("/config") && !!topic("/telemetry") && !!topic("/relay"));
    await until("the discovery is", () => [...client.topics.keys()].some((name) => name.startsWith("homeassistant/")));
    await wait(SETTLE);
  });
  afterEach(async () => {
    await system.stop();
    await broker.stop();
  });

  it("publishes, accepts commands, and refuses anything else, an empty message included", async () => {
    const base = topic("/telemetry")!.slice(0, -"/telemetry".length);
    const discovery = [...client.topics].find(([name]) => name.startsWith("homeassistant/"))![1];
    expect(Object.keys(parsed("discovery", discovery).cmps).length).toBeGreaterThan(90);
    await client.publish(`${base}/command/charge_mos/set`, "off");
    await until("the command is confirmed", () => results().length === 2);
    expect(results().map(({ status }) => status)).toEqual(["accepted", "confirmed"]);
    expect(system.bms.registers.read("BatChargeEN")).toBe(0);
    await client.publish(`${base}/request`, "x".repeat(20_000));
    for (let n = 0; n < 100; n++) void client.publish(`${base}/request`, `garbage ${n}`);
    await until("all are answered", () => results().length === 103, 60);
    const rest = await system.meters();
    expect(rest.slots - before.slots).toBeLessThan(MAX_SLOTS);
    expect(rest.chunks - before.chunks).toBeLessThan(MAX_CHUNKS);
    expect(rest.stack).toBeLessThan(MAX_STACK);
    await client.publish(`${base}/relay/set`, "");
    await until("the empty message is refused", () => results().length === 104);
    expect(results()[103]).toMatchObject({ ok: false, status: "refused" });
    await system.configure("mqtt", { enabled: false });
    await until("it says goodbye", () => client.topics.get(`${base}/availability`) === "offline");
    const off = await system.meters();
    expect(off.slots - before.slots).toBeLessThan(OFF_SLOTS);
    expect(off.chunks - before.chunks).toBeLessThan(OFF_CHUNKS);
  }, 200_000);
});
