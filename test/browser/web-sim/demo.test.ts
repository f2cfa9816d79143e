/** The demonstration in Chromium, as static files below a path. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, FrameLocator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { PASSWORD, PIN, SERIAL_NUMBER } from "../../../host-sim/bms/simulated-bms";
import { parseRecording } from "../../../host-sim/replay";
import { SITUATIONS, type Situation } from "../../../web-sim/situations";
import { freePort } from "../../support/free-port";
import { runProgram } from "../../support/run-program.ts";
import { TOKEN } from "../../support/system/system";
import { CHARTS } from "../../support/web/past-data";
import { ready, serveDemo, type ServedDemo, visitDemo } from "./built-demo.ts";

const PATH = "/some/where/";

let demo: ServedDemo;
let context: BrowserContext;
let page: Page;
let device: FrameLocator;
/** Console errors, exceptions and requests to other addresses. */
const defects: string[] = [];

function watch(one: Page): void {
  one.on("pageerror", (error) => defects.push(error.message));
  one.on("console", (message) => {
    const isAnswer = message.text().startsWith("Failed to load resource");
    if (["error", "warning"].includes(message.type()) && !isAnswer) defects.push(message.text());
  });
  one.on("request", (request) => request.url().startsWith(demo.url) || defects.push(`request to ${request.url()}`));
}

/** Text of an answer of the device, asked from the page around it. */
const ask = (path: string, body?: object): Promise<string> =>
  page.evaluate<string>(
    `fetch(${JSON.stringify(`device/${path}`)}, ${JSON.stringify(
      body ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {},
    )}).then(async (answer) => answer.status + " " + (await answer.text()))`,
  );

async function go(screen: string): Promise<void> {
  await device.locator(`nav a[href="#/${screen}"]`).click();
  await device.locator(`nav a[href="#/${screen}"][aria-current=page]`).waitFor();
}

beforeAll(async () => {
  demo = await serveDemo(PATH);
  ({ context, page, device } = await visitDemo(demo.url, watch));
});
afterAll(async () => {
  await context.close();
  await demo.close();
});

it("has a setting of the BMS changed and confirmed", async () => {
  await go("control");
  await device.getByRole("button", { name: "Change: Cell over-voltage protection" }).click();
  await device.getByLabel("New value").fill("3.6");
  await device.getByRole("button", { name: "Send to the BMS" }).click();
  await device.getByRole("button", { name: "Change it" }).click();
  await device.locator(".last").getByText("Confirmed by the BMS.").waitFor();
});

it("draws more than a year of history", async () => {
  await go("history");
  for (const [range, count] of CHARTS) {
    await device.getByRole("button", { name: range, exact: true }).click();
    await expect.poll(() => device.locator(".chart svg[role=slider]").count()).toBe(count);
  }
  const energy = device.getByRole("slider", { name: "Time: Energy per month" });
  expect(await energy.locator("rect.in").count()).toBeGreaterThanOrEqual(12);
});

/** What stands in front of a form of the device's page. */
const before = (form: string): Promise<string> =>
  device.locator(`form[name=${form}]`).evaluate((element) => getComputedStyle(element, "::before").content);

it("says at the forms of what a browser does not have that it has not", async () => {
  await go("device");
  // Parts appear with what is read, and some are hidden: each is opened as soon as its form is looked for.
  const unfold = `[...document.getElementById("device").contentDocument.querySelectorAll("details:not([open]) > summary")].map((one) => one.click()).length`;
  const isThere = async (form: string): Promise<boolean> => {
    await page.evaluate(unfold);
    return (await device.locator(`form[name=${form}]`).count()) > 0;
  };
  const said = {
    mqtt: "no TCP",
    snmp: "no UDP",
    syslog: "no UDP",
    identity: "no mDNS",
    network: "simulated",
    accessPoint: "simulated",
  };
  for (const [form, words] of Object.entries(said)) {
    await expect.poll(() => isThere(form)).toBe(true);
    expect(await before(form), form).toContain(words);
  }
  expect(await before("bms")).toBe("none");
  await device.getByRole("button", { name: "Português" }).click();
  await device.locator("html[lang^=pt]").waitFor();
  await expect.poll(() => before("mqtt")).toContain("não abre conexões TCP");
  await device.getByRole("button", { name: "English" }).click();
  await device.locator("html[lang^=en]").waitFor();
});

interface Message {
  readonly sent: boolean;
  readonly noise?: string;
  readonly answer?: { readonly type?: string; readonly soc?: number; readonly serialNumber?: string };
}

it("gives a capture that decodes and replays, and has nothing private in it", async () => {
  const downloaded = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download capture" }).click();
  const file = await (await downloaded).path();
  const { passages } = parseRecording(readFileSync(file, "utf8"));
  const all = Buffer.concat(passages.map(({ bytes }) => bytes)).toString("latin1");
  for (const text of [SERIAL_NUMBER.slice(0, 4), "0001", PIN, PASSWORD.slice(0, 4), "JK-SIM"])
    expect(all).not.toContain(text);
  const { stdout } = await runProgram("npm", ["run", "-s", "decode", "--", file]);
  const messages = JSON.parse(stdout) as Message[];
  // The last may have been cut off.
  expect(messages.slice(0, -1).filter(({ noise }) => noise !== undefined)).toEqual([]);
  for (const type of ["realtime", "settings", "deviceInfo"])
    expect(
      messages.some(({ sent, answer }) => !sent && answer?.type === type),
      type,
    ).toBe(true);
  const soc = messages.find(({ answer }) => answer?.type === "realtime")?.answer?.soc;
  const port = await freePort();
  const parameters = ["start", "--", "--replay", file, "--port", `${port}`, "--token", TOKEN];
  const replayed = spawn("npm", parameters, { detached: true, stdio: "ignore" });
  onTestFinished(() => void (replayed.pid && process.kill(-replayed.pid, "SIGKILL")));
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const status = (): Promise<unknown> =>
    fetch(`http://127.0.0.1:${port}/api/bms/status`, { headers }).then(
      (answer) => answer.json(),
      () => undefined,
    );
  await expect.poll(status).toMatchObject({ data: { online: true, soc } });
});

it("keeps the device's settings over a reload, as soon as the device has said that it has them", async () => {
  expect(await ask("web/group/device", { name: "Boat" })).toMatch(/^200 /);
  await page.reload();
  await ready(page);
  expect(await ask("web/group/device")).toContain('"name":"Boat"');
});

it("goes on when the browser has ended the service worker", async () => {
  const session = await context.newCDPSession(page);
  await session.send("ServiceWorker.enable");
  await session.send("ServiceWorker.stopAllWorkers");
  expect(await ask("web/device")).toMatch(/^200 /);
  await device.locator("nav").waitFor();
});

it("asks no other address, and neither can what runs in it", async () => {
  let asked = 0;
  const other = createServer((_, response) => response.end(String(++asked)));
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
  const seen = defects.length;
  expect(await page.evaluate(`fetch("${url}", { mode: "no-cors" }).then(() => "sent", () => "refused")`)).toBe(
    "refused",
  );
  expect(defects.splice(seen).join()).toContain("Content Security Policy");
  // A worker has the policy of its own response.
  expect(
    await page.evaluate(`fetch("worker.js").then(({ headers }) => headers.get("content-security-policy"))`),
  ).toContain("connect-src 'self'");
  expect(asked).toBe(0);
  other.close();
});

it("says that it is open in another tab", async () => {
  const second = await context.newPage();
  await second.goto(demo.url);
  await second.getByText("The demonstration is open in another tab.").waitFor();
  await second.close();
});

/** What the page shows in each situation. */
const SHOWN: Readonly<Record<Situation, string | RegExp>> = {
  night: "Discharging",
  sun: "Charging",
  bank: "4 of 4 packs respond",
  // At the start, too, until it has been read twice.
  silent: /the BMS went silent ([2-9]|[1-9]\d)\ss ago/,
  hot: "Too hot to charge",
  master: "Another master is on this bus",
  drift: "Cell 7 is",
  own: "No data arrives.",
  new: "Choose a password",
};

it.each(Object.keys(SHOWN) as Situation[])("shows the situation %s", async (situation) => {
  await page.getByLabel("Situation").selectOption(SITUATIONS[situation].title);
  await device.getByText(SHOWN[situation]).first().waitFor();
  await ready(page);
});

it("a second visit needs no server", async () => {
  await page.getByLabel("Situation").selectOption("bank");
  await ready(page);
  await demo.close();
  await page.reload();
  await ready(page);
  await device.getByText("4 of 4 packs respond").waitFor();
  expect(defects).toEqual([]);
});
