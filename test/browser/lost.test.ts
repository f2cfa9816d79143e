/** Answers that are lost on the way, and what changes between two looks: no outcome is misreported. */
import { expect, it } from "vitest";
import { stopTime } from "../support/web/browser.ts";
import { serve, trying } from "./served.ts";

const served = serve();
const OWN = "first choice";

it("another client's write that ended last is not taken for the outcome of one's own", async () => {
  const { page } = await served.enter({}, "#/control");
  served.device.writeTime = Infinity;
  await page.getByRole("switch", { name: "Balancing", exact: true }).first().click();
  await page.getByText("waiting for the BMS").waitFor();
  const last = { name: "cell_count", value: "16", unit: "cells", outcome: "confirmed", detail: "" } as const;
  served.device.queue = { ...served.device.queue, pending: false, lastCommandOk: true, last };
  await page.locator(".outcome").getByText("The outcome is unknown").waitFor();
});

it("a write that is answered with a proxy's error may have been accepted", async () => {
  const { page } = await served.enter({}, "#/control");
  // A different one than before: its outcome is its own.
  for (const [status, name] of [
    [500, "Balancing"],
    [502, "Display always on"],
    [504, "Balancing"],
  ] as const)
    await trying(String(status), async () => {
      await page.route("**/web/commands", (route) => route.fulfill({ status, body: "{}" }), { times: 1 });
      await page.getByRole("switch", { name, exact: true }).first().click();
      await page.locator(".outcome").getByText(`${name}: the outcome is unknown`).waitFor();
    });
});

it("one's own write is known as such after a reload, and its outcome is awaited", async () => {
  const { page } = await served.enter({}, "#/control");
  served.device.writeTime = Infinity;
  await page.getByRole("switch", { name: "Balancing", exact: true }).first().click();
  await page.getByText("Balancing: waiting for the BMS").waitFor();
  await page.reload();
  await page.getByText("Balancing: waiting for the BMS").waitFor();
  const last = { name: "balance", value: "off", unit: "", outcome: "confirmed", detail: "" } as const;
  served.device.queue = { ...served.device.queue, pending: false, lastCommandOk: true, last };
  await page.locator(".last").getByText("Balancing: off. Confirmed by the BMS.").waitFor();
  await page.reload();
  await page.getByRole("switch", { name: "Balancing", exact: true }).first().waitFor();
  served.device.queue = { ...served.device.queue, pending: true };
  await page.reload();
  await page.getByText("Another client's change is in progress").waitFor();
});

it("says that the password is being checked, which takes the device seconds", async () => {
  const { page } = await served.enter();
  await page.getByRole("button", { name: "Sign out" }).click();
  const password = page.locator("input[autocomplete=current-password]");
  await password.waitFor();
  let release!: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/web/session", (route) => held.then(() => route.fallback()), { times: 1 });
  await password.fill("wrong, whatever it is");
  await page.locator("main button[type=submit]").click();
  await page.getByRole("status").getByText("Checking the password").waitFor();
  release();
  await page.getByText("Wrong password.").waitFor();
  expect(await page.getByText("Checking the password").count()).toBe(0);
});

it("a sign-out that is answered with a proxy's error leaves the page signed in", async () => {
  const { page } = await served.enter();
  for (const status of [502, 503, 504])
    await trying(String(status), async () => {
      await page.route("**/web/session", (route) => route.fulfill({ status, body: "{}" }), { times: 1 });
      const answer = page.waitForResponse("**/web/session");
      await page.getByRole("button", { name: "Sign out" }).click();
      await (await answer).finished();
      // What is requested now is answered after it.
      const screen = page.getByRole("link", { name: status === 503 ? "Relay" : "Device" });
      await screen.click();
      await screen.and(page.locator("[aria-current=page]")).waitFor();
      await page.locator("main .card").first().waitFor();
      expect(await page.locator("nav").count()).toBe(1);
    });
});

it("a sign-out without an answer leaves the page signed in, as the device has it", async () => {
  const { page } = await served.enter();
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.locator(".banner").getByText("No connection to the monitor.").waitFor();
  expect(await page.locator("nav").count()).toBe(1);
  await page.context().setOffline(false);
  await page.locator(".banner").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.locator("input[autocomplete=current-password]").waitFor();
});

it.each([
  ["one's own, whose answer was lost: the set-up goes on", OWN, "Network"],
  ["somebody else's: it has to be known", "another one", "Sign in"],
])("a password that has been chosen meanwhile may be %s", async (_whose, chosen, heading) => {
  served.device.firstStart = true;
  const { page } = await served.open();
  await page.getByLabel("Password", { exact: true }).fill(OWN);
  await page.getByLabel("Repeat new password", { exact: true }).fill(OWN);
  const lose = { times: 1 };
  await page.route(
    "**/web/password",
    async (route) => {
      await route.fetch({ postData: JSON.stringify({ new: chosen }) });
      await page.context().clearCookies();
      await route.abort();
    },
    lose,
  );
  // The page would see at once that the first start is over: this is lost as well.
  await page.route("**/web/session", (route) => route.abort(), lose);
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("No answer; the outcome is unknown.").waitFor();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("heading", { name: heading }).waitFor();
});

it("after a reload the set-up asks for the Wi-Fi again, which only the page knew", async () => {
  served.device.firstStart = true;
  const { page } = await served.open();
  await page.getByLabel("Password", { exact: true }).fill(OWN);
  await page.getByLabel("Repeat new password", { exact: true }).fill(OWN);
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("radio", { name: /Home/ }).check();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("heading", { name: "BMS" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Network" }).waitFor();
});

it("a sign-in on a device that has lost its password leads to the first start", async () => {
  const { page } = await served.open();
  await page.locator("input[autocomplete=current-password]").fill("old one");
  served.device.firstStart = true;
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Welcome" }).waitFor();
});

it("a sign-in whose answer is lost is found out about, and leads on", async () => {
  const { page } = await served.open();
  await page.locator("input[autocomplete=current-password]").fill(served.device.password);
  const lose = { times: 1 };
  await page.route("**/web/session", (route) => route.fetch().then(() => route.abort()), lose);
  await page.keyboard.press("Enter");
  await page.locator("nav").waitFor();
});

it("an image whose answer is lost is in place or unknown, as the device says", async () => {
  const { page } = await served.enter({}, "#/device");
  await page.locator("summary", { hasText: "Update" }).click();
  const file = { name: "firmware.bin", mimeType: "application/octet-stream", buffer: Buffer.alloc(9) };
  for (const [status, state, text] of [
    [0, "receiving", "No answer; the outcome is unknown."],
    [0, "restarting", "Installed."],
    [504, "receiving", "No answer; the outcome is unknown."],
  ] as const)
    await trying(`${status}, ${state}`, async () => {
      await page.route("**/web/update", (route) =>
        route.request().method() === "POST"
          ? status
            ? route.fulfill({ status, body: "<html></html>" })
            : route.abort()
          : route.fulfill({ json: { success: true, data: { state, signed: false, received: 9, size: 9, error: "" } } }),
      );
      await page.getByLabel("Firmware file").setInputFiles(file);
      await page.getByRole("button", { name: "Upload" }).click();
      await page.locator(".message", { hasText: text }).waitFor();
      expect(await page.getByText("Not updated").count()).toBe(0);
      await page.unroute("**/web/update");
    });
});

it("what is typed while a form is being saved stays, and can be saved afterwards", async () => {
  const { page } = await served.enter({}, "#/device");
  await page.locator("summary", { hasText: "MQTT" }).click();
  await page.getByLabel("Port").fill("1884");
  const release = served.device.hold();
  const saving = page.waitForRequest((request) => request.method() === "POST");
  const save = page.getByRole("button", { name: "Save", exact: true });
  await save.click();
  await saving;
  await page.getByLabel("Broker").fill("broker.lan");
  // Pressed now, it would do nothing.
  expect(await save.isDisabled()).toBe(true);
  release();
  await page.getByText("Saved.").waitFor();
  expect(await page.getByLabel("Broker").inputValue()).toBe("broker.lan");
  expect(await page.getByLabel("Port").inputValue()).toBe("1884");
  await save.click();
  await expect
    .poll(() => served.device.posts.map(([, body]) => body))
    .toEqual([{ port: 1_884 }, { host: "broker.lan" }]);
});

it("the Device screen keeps up with what causes no events", async () => {
  const { page } = await served.enter({ steered: true }, "#/device");
  const state = page.locator(".facts dd");
  await state.getByText("responding", { exact: true }).waitFor();
  await expect.poll(() => served.device.listeners).toBe(1);
  const { link } = served.device.device;
  served.device.device = { ...served.device.device, link: { ...link, online: false, replies: 0, replyTime: 0 } };
  await page.clock.runFor(10_000);
  await state.getByText("not responding", { exact: true }).waitFor();
  // No reply has taken 0 ms.
  expect(await page.locator(".facts div", { hasText: "Reply time" }).innerText()).toContain("–");
});

it("the history is fetched again when the page comes back", async () => {
  const { page } = await served.enter({ steered: true }, "#/history");
  await stopTime(page);
  // It was in the background for longer than what it has is fresh.
  await page.clock.setSystemTime(Date.now() + 3_600_000);
  served.device.requests.length = 0;
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await expect.poll(() => served.device.requests).toContain("GET /web/history.csv");
  await expect.poll(() => served.device.requests).toContain("GET /web/records");
});

it("an input that is not measured is not shown as 0", async () => {
  served.device.summary.monitoring.temp0 = null;
  const { page } = await served.enter({}, "#/relay");
  const cabinet = page.locator(".facts div", { hasText: "Cabinet" });
  expect(await cabinet.locator("dd").innerText()).toBe("–");
});

it("a relay whose answer is lost is shown as it is, and its switching is not called failed", async () => {
  const { page } = await served.enter({}, "#/relay");
  const fan = page.getByRole("switch", { name: "Fan" });
  await expect.poll(() => fan.isEnabled()).toBe(true);
  await page.route("**/web/relay", async (route) => {
    // Not by the event either, which may be lost with the answer.
    served.device.summary.relay = 1;
    await route.abort();
  });
  await fan.click();
  await page.getByText("No answer; the outcome is unknown.").waitFor();
  await expect.poll(() => fan.getAttribute("aria-checked")).toBe("true");
  expect(await page.getByText("Failed").count()).toBe(0);
});

it("the relay is shown and switched on a board without inputs too", async () => {
  served.device.summary = { relay: 1 } as typeof served.device.summary;
  const { page } = await served.enter({}, "#/relay");
  const fan = page.getByRole("switch", { name: "Fan" });
  expect(await fan.getAttribute("aria-checked")).toBe("true");
  await fan.click();
  await expect.poll(() => fan.getAttribute("aria-checked")).toBe("false");
  expect(served.device.posts).toContainEqual(["/web/relay", { state: false }]);
});
