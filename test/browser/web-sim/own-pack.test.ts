/** A real pack by Web Serial, from the page's button to the firmware's page, in Chromium. The port is the test's own; the chooser is Chromium's. */
import type { BrowserContext, FrameLocator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ready, serveDemo, type ServedDemo, visitDemo } from "./built-demo.ts";

const WORKER = "test/browser/web-sim/adapter-worker.ts";

let demo: ServedDemo;
let context: BrowserContext;
let page: Page;
let device: FrameLocator;
const defects: string[] = [];

/** In the page: the user chooses the port that the worker has. Earlier another of its kind was permitted, and one of another. */
const CHOSEN = `
  window.forgotten = [];
  const port = (name, usbProductId) => ({ getInfo: () => ({ usbVendorId: 0x1a86, usbProductId }), forget: async () => forgotten.push(name) });
  const ports = [port("twin", 0x7523), port("chosen", 0x7523), port("stranger", 1)];
  navigator.serial.requestPort = async () => ports[1];
  navigator.serial.getPorts = async () => ports;`;

const said = (text: string | RegExp): Promise<void> => page.locator("#adapter", { hasText: text }).waitFor();
const connect = (): Promise<void> => page.getByRole("button", { name: "Connect adapter" }).click();

/** In the worker: test/browser/web-sim/adapter-worker.ts. */
function inWorker<Result>(expression: string): Promise<Result> {
  const [worker] = page.workers().filter((one) => one.url().endsWith("/worker.js"));
  if (!worker) throw new Error("no worker");
  return worker.evaluate<Result>(expression);
}

async function go(screen: string): Promise<void> {
  await device.locator(`nav a[href="#/${screen}"]`).click();
  await device.locator(`nav a[href="#/${screen}"][aria-current=page]`).waitFor();
}

async function change(to: string, outcome: string): Promise<void> {
  await device.getByRole("button", { name: "Change: Cell over-voltage protection" }).click();
  await device.getByLabel("New value").fill(to);
  await device.getByRole("button", { name: "Send to the BMS" }).click();
  await device.getByRole("button", { name: "Change it" }).click();
  await device.locator(".last").getByText(outcome).waitFor();
}

beforeAll(async () => {
  demo = await serveDemo("/own/", WORKER);
  ({ context, page, device } = await visitDemo(demo.url, (one) =>
    one.on("pageerror", ({ message }) => defects.push(message)),
  ));
});
afterAll(async () => {
  await context.close();
  await demo.close();
});

it("Chromium's own chooser, dismissed: says that none was chosen, and the demonstration goes on", async () => {
  await connect();
  await said("No adapter was chosen.");
  expect(await page.getByLabel("Situation").inputValue()).toBe("sun");
});

it("says that no hardware was tried; a button for capture and a check box are there when they can be used", async () => {
  expect(await page.locator("header").textContent()).toMatch(/never\s+tried on hardware/);
  expect(await page.getByLabel("Allow changes to this BMS").isVisible()).toBe(false);
  expect(await page.getByRole("button", { name: "Download capture" }).isEnabled()).toBe(true);
});

it("shows a pack's values and settings, and only reads until it is allowed more", async () => {
  await page.evaluate(CHOSEN);
  await connect();
  await said("Connected, 115,200 baud, only reads.");
  expect(await page.getByLabel("Situation").inputValue()).toBe("own");
  // The worker tells ports by their kind alone.
  expect(await page.evaluate("forgotten")).toEqual(["twin"]);
  await inWorker('bench.write("SOC", 61)');
  await device.getByText("61%").first().waitFor();
  await go("control");
  await change("3.6", "The BMS rejected it");
  await said("this connection only reads");
  expect(await inWorker('bench.register("VolCellOV")')).not.toBe(3_600);

  await page.getByLabel("Allow changes to this BMS").check();
  await said("changes allowed");
  await change("3.6", "Confirmed by the BMS.");
  expect(await inWorker('bench.register("VolCellOV")')).toBe(3_600);
});

it("says that it was unplugged, and the next connection only reads", async () => {
  await inWorker("bench.port.unplug()");
  await said("The adapter was unplugged.");
  expect(await page.getByLabel("Allow changes to this BMS").isVisible()).toBe(false);
  await go("battery");
  await inWorker("bench.port.plugIn()");
  await inWorker('bench.write("SOC", 62)');
  await connect();
  await said("Connected, 115,200 baud, only reads.");
  expect(await page.getByLabel("Allow changes to this BMS").isChecked()).toBe(false);
  await device.getByText("62%").first().waitFor();
});

it("gives the adapter back when another situation is chosen", async () => {
  const [worker] = page.workers().filter((one) => one.url().endsWith("/worker.js"));
  await page.evaluate(`new BroadcastChannel("port").onmessage = ({ data }) => (window.told = data);0`);
  await page.getByLabel("Situation").selectOption("night");
  await ready(page);
  expect(page.workers()).not.toContain(worker);
  await expect.poll(() => page.evaluate("window.told")).toBe("closed");
  expect(await page.locator("#adapter").textContent()).toBe("");
});

it("has one device, however fast situations are chosen", async () => {
  const choose = `for (const name of ["hot", "night"]) { choice.value = name; choice.dispatchEvent(new Event("change")); }`;
  await page.evaluate(`{ const choice = document.getElementById("situation"); ${choose} }`);
  await ready(page);
  expect(page.workers().filter((one) => one.url().endsWith("/worker.js"))).toHaveLength(1);
});

it("explains itself in a browser without Web Serial", async () => {
  await page.evaluate("delete Navigator.prototype.serial; delete navigator.serial;");
  await connect();
  await said("This browser has no Web Serial.");
  expect(defects).toEqual([]);
});
