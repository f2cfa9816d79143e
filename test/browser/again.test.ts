/** One answer that is lost, late or another than expected is nowhere the end: the page asks again by itself, and says what it does not know. */
import type { Page, Route } from "playwright-core";
import { expect, it } from "vitest";
import { inTurn, isLong, sampled } from "../support/property.ts";
import { todayOf } from "../support/web/past-data.ts";
import { serve, trying } from "./served.ts";

const served = serve();

/** Longer than the page waits for an answer, and than for its next try, ms. */
const TIMEOUT = 16_000;
const SOON = 4_000;
const LATER = 31_000;

const html = "<html><body>Sign in to the network</body></html>";
/** What may become of the answer to a request; `late`: it never comes. */
const FATES: readonly (readonly [fate: string, spoil: (route: Route) => Promise<void> | undefined])[] = [
  ["lost", (route) => route.abort()],
  ["late", () => undefined],
  ["an internal error", (route) => route.fulfill({ status: 500, json: { success: false, error: "no-memory" } })],
  ["busy", (route) => route.fulfill({ status: 503, json: { success: false, error: "Too many connections." } })],
  ["a proxy's", (route) => route.fulfill({ status: 502, body: html })],
  ["a captive portal's", (route) => route.fulfill({ status: 200, contentType: "text/html", body: html })],
  ["cut off", (route) => route.fulfill({ status: 200, contentType: "application/json", body: '{"success":true,"da' })],
  ["empty", (route) => route.fulfill({ status: 200 })],
];

const COMMON_FATES = FATES.filter(([fate]) => ["lost", "late", "busy"].includes(fate));

/** One, and in `npm run soak` every fate of every answer. */
const fates = (at: number): typeof FATES => (isLong ? FATES : inTurn(COMMON_FATES, at));

/** Spoils the next answer to `method path` once; resolves when it has happened, and lets the page's time run until it asks again. */
async function spoilOnce(
  page: Page,
  method: string,
  path: string,
  spoil: (typeof FATES)[number][1],
  wait = SOON,
): Promise<() => Promise<void>> {
  let spoiled: () => void;
  const happened = new Promise<void>((resolve) => (spoiled = resolve));
  let isLate = false;
  let isDone = false;
  await page.route(`**${path}`, async (route) => {
    if (isDone || route.request().method() !== method) return route.fallback();
    isDone = true;
    const answered = spoil(route);
    isLate = answered === undefined;
    await answered;
    spoiled();
  });
  return async () => {
    await happened;
    if (isLate) await page.clock.runFor(TIMEOUT);
    await page.clock.runFor(wait);
  };
}

it.each(sampled(FATES))(
  "a device that has lost its password is set up anew, though the session's answer is %s",
  async (_, spoil) => {
    const { page } = await served.open({ steered: true });
    await page.locator("input[autocomplete=current-password]").fill("old one");
    served.device.firstStart = true;
    const spoiled = await spoilOnce(page, "GET", "/web/session", spoil);
    await page.keyboard.press("Enter");
    await spoiled();
    await page.getByRole("heading", { name: "Welcome" }).waitFor();
  },
);

it.each(fates(1))("the set-up goes on, though the answer after the password is %s", async (_, spoil) => {
  served.device.firstStart = true;
  const { page } = await served.open({ steered: true });
  await page.getByLabel("Password", { exact: true }).fill("first choice");
  await page.getByLabel("Repeat new password", { exact: true }).fill("first choice");
  const spoiled = await spoilOnce(page, "GET", "/web/session", spoil);
  await page.getByRole("button", { name: "Next" }).click();
  await spoiled();
  await page.getByRole("heading", { name: "Network" }).waitFor();
});

it.each(fates(2))("a device reset meanwhile is set up anew, though the session's answer is %s", async (_, spoil) => {
  const { page } = await served.enter({ steered: true });
  const spoiled = await spoilOnce(page, "GET", "/web/session", spoil);
  served.device.firstStart = true;
  served.device.endSessions();
  await page.evaluate("location.hash = '#/device'");
  await spoiled();
  await page.getByRole("heading", { name: "Welcome" }).waitFor();
});

it("a device whose password is damaged is set up once it has been reset", async () => {
  served.device.passwordLost = true;
  const { page } = await served.open({ steered: true });
  await page.getByText("The stored password is damaged").waitFor();
  served.device.passwordLost = false;
  served.device.firstStart = true;
  await page.clock.runFor(SOON);
  await page.getByRole("heading", { name: "Welcome" }).waitFor();
});

it("a device that restarts into safe mode is asked about it when it is back", async () => {
  const { page } = await served.enter({ steered: true });
  await expect.poll(() => served.device.listeners).toBe(1);
  let isAway = true;
  await page.route("**/web/**", (route) => (isAway ? route.abort() : route.fallback()));
  served.device.touch("status");
  await page.locator(".banner").getByText("No connection to the monitor.").waitFor();
  served.device.safeMode = true;
  isAway = false;
  await page.clock.runFor(SOON);
  await page.getByText("Safe mode.").waitFor();
});

it("a device that is away for long gets one request when it is back, not all that were due meanwhile", async () => {
  served.device.firstStart = true;
  served.device.hasButton = true;
  const { page } = await served.open({ steered: true });
  await page.getByText("press the device's button").waitFor();
  let away: Route | undefined;
  await page.route("**/web/button", (route) => {
    if (away) return route.fallback();
    away = route;
    return undefined;
  });
  await expect.poll(() => away !== undefined).toBe(true);
  await page.clock.runFor(12_000);
  await page.getByLabel("Password", { exact: true }).fill("first choice");
  await page.getByLabel("Repeat new password", { exact: true }).fill("first choice");
  await page.getByRole("button", { name: "Next" }).click();
  served.device.requests.length = 0;
  await away?.abort();
  await page.getByRole("heading", { name: "Network" }).waitFor();
  const { requests } = served.device;
  expect(requests.slice(0, requests.indexOf("POST /web/password"))).toEqual([]);
});

it.each([
  ["500", { status: 500, json: { success: false, error: "not-stored" } }, "Failed: The settings could not be saved."],
  ["503", { status: 503, json: { success: false, error: "Busy." } }, "Failed: The device is busy."],
  ["no answer", undefined, "No answer; the outcome is unknown."],
])("a sign-out that fails says so: %s", async (_, answer, words) => {
  const { page } = await served.enter();
  const isLost = { times: 1 };
  await page.route("**/web/session", (route) => (answer ? route.fulfill(answer) : route.abort()), isLost);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.locator("header").getByText(words).waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.locator("input[autocomplete=current-password]").waitFor();
});

it("a sign-out whose answer is lost shows what the device did", async () => {
  const { page } = await served.enter({ steered: true });
  await page.route(
    "**/web/session",
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByText("Your session has ended.").waitFor();
  await page.locator("input[autocomplete=current-password]").waitFor();
});

it.each(
  sampled(
    [
      ["/web/summary", "#/relay", "Fan"],
      ["/web/config", "#/control", "Nominal capacity"],
      ["/web/device", "#/device", "Link quality"],
      ["/web/queue", "#/control", "Nothing has been changed yet."],
    ],
    2,
  ),
)("%s that the device was too busy for is fetched again, without a change of it", async (path, hash, words) => {
  const { page } = await served.open({ steered: true });
  const busy: (Route | undefined)[] = [];
  await page.route(`**${path}`, (route) => {
    // Whatever is asked for until the event stream stands.
    if (served.device.listeners && busy.push(route) > 1) return route.fallback();
    return route.fulfill({ status: 503, json: { success: false, error: "Too many connections." } });
  });
  await page.evaluate(`location.hash = "${hash}"`);
  await page.locator("input[autocomplete=current-password]").fill(served.device.password);
  await page.keyboard.press("Enter");
  await expect.poll(() => served.device.listeners).toBe(1);
  for (let at = 0; at < 12; at++) await page.clock.runFor(2_000);
  await page.locator("main").getByText(words).first().waitFor();
});

/** Parts of the Device screen: what is fetched, title, words when it is there. */
const PARTS = [
  ["/web/group/mqtt", "MQTT", "Base topic"],
  ["/web/sessions", "Signed-in browsers", "this browser"],
  ["/web/token", "API and token", "Copy"],
  ["/web/tokens", "API and token", "Name of the program"],
  ["/web/log", "Recent events", "Refresh"],
  ["/web/group/packs", "Packs", "Name of the first pack"],
] as const;

it("a part of the Device screen whose answer is lost or refused comes by itself", async () => {
  const { page } = await served.enter({ steered: true }, "#/device");
  await page.locator(".fold").first().waitFor();
  for (const [at, [path, title, words]] of PARTS.entries())
    // Each fate of one answer, and one of each answer.
    for (const [fate, spoil] of at === 0 ? FATES : inTurn(FATES, at))
      await trying(`${path}, ${fate}`, async () => {
        const part = page.locator(".fold", { has: page.getByRole("heading", { name: title, exact: true }) });
        const spoiled = await spoilOnce(page, "GET", path, spoil, LATER);
        await part.locator("summary").click();
        await spoiled();
        await part.getByText(words, { exact: true }).first().waitFor();
        await part.locator("summary").click();
        await page.unrouteAll({ behavior: "ignoreErrors" });
      });
});

it("a form shows what another client has changed, though the answer is lost at first", async () => {
  const { page } = await served.enter({ steered: true }, "#/device");
  await page.locator("summary", { hasText: "MQTT" }).click();
  await page.getByLabel("Port").waitFor();
  await expect.poll(() => served.device.listeners).toBe(1);
  const spoiled = await spoilOnce(page, "GET", "/web/group/mqtt", (route) => route.abort());
  served.device.groups["mqtt"] = { ...served.device.groups["mqtt"], port: 1_999 };
  served.device.touch("settings");
  await spoiled();
  await expect.poll(() => page.getByLabel("Port").inputValue()).toBe("1999");
});

it("what was done is shown, though its answer is lost", async () => {
  const { page } = await served.enter({}, "#/device");
  /** Carries it out, and loses the answer. */
  const lose = async (path: string): Promise<void> => {
    let isLost = false;
    await page.route(path, async (route) => {
      if (isLost || route.request().method() === "GET") return route.fallback();
      isLost = true;
      await route.fetch();
      await route.abort();
    });
  };
  await page.locator("summary", { hasText: "API and token" }).click();
  await page.getByRole("button", { name: "Show", exact: true }).click();
  const { token } = served.device;
  await page.getByText(token).waitFor();
  await lose("**/web/token");
  await page.getByRole("button", { name: "New token" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "New token" }).click();
  await page.getByText(token.split("").reverse().join("")).waitFor();
  await page.getByText("No answer; the outcome is unknown.").waitFor();
  await lose("**/web/tokens");
  await page.getByLabel("Name of the program").fill("Node-RED");
  await page.getByRole("button", { name: "Create token" }).click();
  await page.getByText("Node-RED · read").waitFor();
  await lose("**/web/tokens?number=*");
  await page.getByRole("button", { name: "Revoke: Node-RED" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByText("Node-RED · read").waitFor({ state: "detached" });
  await page.locator("summary", { hasText: "Guests" }).click();
  await lose("**/web/guest");
  await page.getByLabel("Guest password", { exact: true }).fill("for visitors");
  await page.locator(".fold", { hasText: "Guest password" }).getByRole("button", { name: "Save" }).click();
  await page.getByText("Guests can sign in.").waitFor();
  served.device.others = 1;
  await page.locator("summary", { hasText: "Signed-in browsers" }).click();
  await lose("**/web/sessions?number=*");
  const other = page.locator("li", { hasText: "192.0.2.2" });
  await other.getByRole("button").click();
  await other.waitFor({ state: "detached" });
});

it("a search for packs and a scan for networks go on after a lost answer", async () => {
  served.device.groups["packs"] = { first: "Left", further: [] };
  const { page } = await served.enter({ steered: true }, "#/device");
  const found = [{ address: 3, baud: 115_200, model: "JK", serialNumber: "1", cells: 16, configured: false }];
  for (const [fate, spoil] of fates(0))
    await trying(fate, async () => {
      const packs = page.locator(".fold", { has: page.getByRole("heading", { name: "Packs", exact: true }) });
      served.device.search = { ...served.device.search, searching: false, found: [] };
      await packs.locator("summary").click();
      const find = packs.getByRole("button", { name: "Find packs" });
      await find.waitFor();
      await expect.poll(() => served.device.answered.at(-1)).toBe("GET /web/packs/search");
      await find.click();
      await packs.getByText("0 of 16 addresses").waitFor();
      const spoiled = await spoilOnce(page, "GET", "/web/packs/search", spoil);
      await page.clock.runFor(SOON);
      served.device.search = { ...served.device.search, searching: false, searched: 16, found };
      await spoiled();
      await packs.getByText("Address 3: JK · 16S · 1").waitFor();
      await expect.poll(() => find.isEnabled()).toBe(true);
      await packs.locator("summary").click();
      const wifi = page.locator(".fold", { has: page.getByRole("heading", { name: "Wi-Fi", exact: true }) });
      const scanned = await spoilOnce(page, "GET", "/web/scan", spoil);
      await wifi.locator("summary").click();
      await page.clock.runFor(SOON);
      await scanned();
      await page.clock.runFor(SOON);
      await wifi.getByRole("radio", { name: /Home/ }).waitFor();
      await wifi.locator("summary").click();
      await page.unrouteAll({ behavior: "ignoreErrors" });
    });
});

it("an image whose answer is lost, and the first after it, is in place, as the device says", async () => {
  const { page } = await served.enter({ steered: true }, "#/device");
  await page.locator("summary", { hasText: "Update" }).click();
  let asked = 0;
  await page.route("**/web/update", (route) => {
    if (route.request().method() === "POST" || !asked++) return route.abort();
    return route.fulfill({ json: { success: true, data: { state: "restarting", received: 9, size: 9, error: "" } } });
  });
  const file = { name: "firmware.bin", mimeType: "application/octet-stream", buffer: Buffer.alloc(9) };
  await page.getByLabel("Firmware file").setInputFiles(file);
  await page.getByRole("button", { name: "Upload" }).click();
  await expect.poll(() => asked).toBe(1);
  await page.clock.runFor(SOON);
  await page.locator(".message", { hasText: "Installed." }).waitFor();
});

it("a file of a backup that cannot be read is said to be none", async () => {
  const visit = await served.enter({}, "#/device");
  const { page } = visit;
  await page.locator("summary", { hasText: "Backup" }).click();
  await page.evaluate("File.prototype.text = () => Promise.reject(new DOMException('', 'NotReadableError'))");
  const file = { name: "backup.json", mimeType: "application/json", buffer: Buffer.from("{}") };
  await page.getByLabel("Restore from a file").setInputFiles(file);
  await page.locator(".message.failed").getByText("Failed: ").waitFor();
  expect(visit.defects).toEqual([]);
});

/** The answers behind the first screen's day, night and cells. */
const PASTS = [
  ["/web/energy", ".amounts"],
  ["/web/records?series=fine&last=288", ".timeline"],
  ["/web/records?series=events&last=51", ".last-night"],
  ["/web/records?series=hours&last=360", ".timeline .middle"],
  ["/web/records?series=today", ".whisker"],
] as const;

it("today and last night come soon, though an answer is lost or refused at first", async () => {
  served.device.records.today = todayOf(Array.from({ length: 16 }, () => [3_300, 3_320]));
  const visit = await served.enter({ steered: true });
  const { page } = visit;
  // Kept in this browser.
  await visit.openCells();
  const events = "Whether there were alarms or restarts is unknown";
  for (const [at, [path, part]] of PASTS.entries())
    for (const [fate, spoil] of inTurn(COMMON_FATES, at))
      await trying(`${path}, ${fate}`, async () => {
        const spoiled = await spoilOnce(page, "GET", path, spoil, LATER);
        await page.reload();
        await page.locator("nav").waitFor();
        await spoiled();
        await page.locator(part).first().waitFor();
        await page.getByText("Yesterday").waitFor();
        await expect.poll(() => page.getByText(events).count()).toBe(0);
        await page.unrouteAll({ behavior: "ignoreErrors" });
      });
});

it("records that the device was too busy for are not called missing", async () => {
  const visit = await served.enter({ steered: true });
  const { page } = visit;
  await visit.openCells();
  const spoiled = await spoilOnce(page, "GET", "/web/records?series=cells&last=126", FATES[3]![1], LATER);
  await page.locator("ol.cells button").first().click();
  await page.getByText("Failed: The device is busy.").waitFor();
  expect(await page.getByText("No records of this cell").count()).toBe(0);
  await spoiled();
  await page.getByRole("heading", { name: "Cell 1: wire" }).waitFor();
});
