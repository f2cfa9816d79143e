import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { encode } from "uqr";
import { describe, expect, it } from "vitest";
import type { Notifications, Delivery } from "../../web/documents.ts";
import { pathsOf, wordOf } from "../../web/forms.ts";
import { FORMS } from "../../web/tables.ts";
import { en } from "../../web/texts/en.ts";
import { DEVICE_TEXTS } from "../../web/texts/later/device.ts";
import { pt } from "../../web/texts/pt.ts";
import { pemOf } from "../support/tls/pem.ts";
import { inTurn, sampled } from "../support/property.ts";
import { DESKTOP, NARROW_PHONE, PHONE } from "../support/web/browser.ts";
import { serve, trying } from "./served.ts";

const served = serve();

async function device(part: string): Promise<Page> {
  const { page } = await served.enter({}, "#/device");
  await page.locator("summary", { hasText: part }).click();
  return page;
}

const posted = (path: string): unknown[] => served.device.posts.filter(([to]) => to === path).map(([, body]) => body);

it("validates a form and sends only what changed", async () => {
  const page = await device("MQTT");
  await page.getByLabel("Port").fill("0");
  await page.getByLabel("Broker").fill("broker.lan");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Enter a number without thousands separators: 1 to 65535.").waitFor();
  await page.getByLabel("Port").fill("1884");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved.").waitFor();
  expect(posted("/web/group/mqtt")).toEqual([{ port: 1_884, host: "broker.lan" }]);
});

it("accepts a pasted CA certificate and rejects other text", async () => {
  const page = await device("MQTT");
  const field = page.getByLabel("CA certificate for TLS (PEM)");
  const save = page.getByRole("button", { name: "Save", exact: true });
  await page.getByLabel("TLS", { exact: true }).check();
  await field.fill("ca.pem");
  await save.click();
  await page.locator("textarea[aria-invalid=true]").waitFor();
  expect(posted("/web/group/mqtt")).toEqual([]);
  await field.fill(pemOf(900).replaceAll("\n", "\r\n"));
  await save.click();
  await page.getByText("Saved.").waitFor();
  expect(posted("/web/group/mqtt")).toEqual([{ tls: true, ca: pemOf(900) }]);
});

it("a setting of the device stands under maintenance", async () => {
  const page = await device("General");
  await page.getByLabel("Status LED").uncheck();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved.").waitFor();
  expect(posted("/web/group/device")).toEqual([{ statusLed: false }]);
});

it("shows the BMS's own log beside the device's, of each pack that has been asked", async () => {
  const page = await device(DEVICE_TEXTS.en.device.log);
  const part = page.locator("details", { has: page.locator("summary", { hasText: DEVICE_TEXTS.en.device.log }) });
  const heading = part.getByRole("heading", { name: /By the BMS/ });
  await heading.waitFor();
  const lines = part.locator("h3 + ul li");
  await expect
    .poll(async () => (await lines.allInnerTexts()).map((text) => text.replace(/\s/gu, " ")))
    .toEqual([
      `BMS uptime 364 d ${en.alarms.cell_overvoltage.title}: over`,
      "BMS uptime 363 d 23 h Cell 7 over-charged",
      "BMS uptime 12 d 2 h Charging: On (app)",
    ]);
  // Of three packs the middle one has nothing to tell, and the last has not been asked.
  served.device.packs = { packs: [1, 2, 3].map((address) => ({ address, name: `Pack ${address}` })) };
  served.device.bmsLogs["2"] = { ageSeconds: 1, uptime: 5, total: 0, entries: [] };
  await page.reload();
  await page.locator("summary", { hasText: DEVICE_TEXTS.en.device.log }).click();
  await expect.poll(() => heading.allInnerTexts()).toEqual([1, 2, 3].map((pack) => `Pack ${pack}: By the BMS`));
  await expect
    .poll(() => part.locator("h3 + p").allInnerTexts())
    .toEqual([DEVICE_TEXTS.en.device.noEvents, DEVICE_TEXTS.en.bmsLog.unread]);
});

it("saves a second change while the first's outcome is awaited", async () => {
  const page = await device("MQTT");
  const { device: before } = served.device;
  served.device.device = { ...before, mqtt: { ...before.mqtt!, state: "connecting" } };
  const save = page.getByRole("button", { name: "Save", exact: true });
  await page.getByLabel("Broker").fill("first.lan");
  await save.click();
  await page.getByText("Saved. Waiting for the result …").waitFor();
  await page.getByLabel("Broker").fill("second.lan");
  await page.getByText("Saved. Waiting for the result …").waitFor({ state: "detached" });
  served.device.device = { ...before, mqtt: { ...before.mqtt!, state: "connecting", problem: "no-connection" } };
  await save.click();
  await page.getByText("Saved. No connection could be opened.").waitFor();
  expect(posted("/web/group/mqtt")).toEqual([{ host: "first.lan" }, { host: "second.lan" }]);
});

it("the focus stays on a button that is disabled while it works", async () => {
  const page = await device("API");
  const copy = page.getByRole("button", { name: "Copy", exact: true }).first();
  await copy.focus();
  await page.keyboard.press("Enter");
  await page.getByText("Copied.").waitFor();
  await expect.poll(() => copy.evaluate((button) => button === document.activeElement)).toBe(true);
});

it("keeps a secret that is left empty, and removes it on request", async () => {
  const page = await device("SNMP");
  served.device.groups["snmp"] = { ...served.device.groups["snmp"], community: "public" };
  await page.getByLabel("Location").fill("Garage");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved.").waitFor();
  await page.getByLabel("Remove it: Community").check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(() => posted("/web/group/snmp")).toEqual([{ location: "Garage" }, { community: "" }]);
});

it("shows the token on request, and asks before creating a new one", async () => {
  const page = await device("API and token");
  const token = page.locator("#token");
  await token.waitFor();
  expect(await token.innerText()).not.toContain("0123");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  expect(await token.innerText()).toBe(served.device.token);
  await page.getByRole("button", { name: "New token" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "New token" }).click();
  await page.getByText("New token created.").waitFor();
  expect(await token.innerText()).toBe("fedcba9876543210fedcba9876543210");
});

it("saves the settings without secrets unless asked to, and restores them", async () => {
  const page = await device("Backup");
  const save = async (): Promise<string> => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save to a file" }).click();
    return readFileSync(await (await download).path(), "utf8");
  };
  const plain = await save();
  expect(plain).not.toContain("a secret of home");
  await page.getByLabel("With passwords and the API token").check();
  const whole = await save();
  expect(whole).toContain("a secret of home");

  const before = served.device.groups["device"];
  served.device.groups["device"] = { ...before, name: "Other", hostname: "other", statusLed: false };
  const choose = (text: string): Promise<void> =>
    page
      .getByLabel("Restore from a file")
      .setInputFiles({ name: "b.json", mimeType: "application/json", buffer: Buffer.from(text) });
  await choose("{}");
  await page.getByText("This is not a battery monitor backup").waitFor();
  await choose(plain);
  await page.getByRole("dialog").getByRole("button", { name: "Restore from a file" }).click();
  await page.getByText("Restored.").waitFor();
  expect(served.device.groups["device"]).toEqual(before);
  expect(served.device.groups["network"]?.["password"]).toBe("a secret of home");
  expect(served.device.posts.filter(([path]) => path.startsWith("/web/group/")).at(-1)?.[0]).toBe("/web/group/network");
});

it("joins a Wi-Fi network found by the scan", async () => {
  const page = await device("Wi-Fi");
  await page.getByRole("radio", { name: /Home/ }).check();
  await page.getByLabel("Wi-Fi password", { exact: true }).fill("at home 1234");
  await page.getByRole("button", { name: "Join", exact: true }).click();
  await page.getByText("The device is connecting").waitFor();
  expect(posted("/web/group/network")).toEqual([{ ssid: "Home", password: "at home 1234", bssid: "" }]);
});

it("changes the password only if both entries match", async () => {
  const page = await device("Password of this page");
  await page.getByLabel("Current password", { exact: true }).fill(served.device.password);
  await page.getByLabel("New password", { exact: true }).fill("new password");
  await page.getByLabel("Repeat new password", { exact: true }).fill("new passwort");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The passwords do not match.").waitFor();
  await page.getByLabel("Repeat new password", { exact: true }).fill("new password");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Password changed.").waitFor();
  expect(served.device.password).toBe("new password");
});

it("reports a missing file on upload, and resets only after asking", async () => {
  const page = await device("Update");
  await page.getByRole("button", { name: "Upload" }).click();
  await page.getByText("Choose a firmware file first.").waitFor();
  expect(served.device.requests).not.toContain("POST /web/update");
  await page.getByRole("button", { name: "Factory reset" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  expect(posted("/web/factory-reset")).toEqual([]);
  await page.getByRole("button", { name: "Factory reset" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Factory reset" }).click();
  await page.getByText("The device starts as new").waitFor();
  expect(posted("/web/factory-reset")).toEqual([{ confirm: true }]);
});

it("switches the relay in manual mode only, and describes its rule in words", async () => {
  const { page } = await served.enter({}, "#/relay");
  await page.getByRole("switch", { name: "Fan" }).click();
  await expect.poll(() => page.getByRole("switch", { name: "Fan" }).getAttribute("aria-checked")).toBe("true");
  expect(posted("/web/relay")).toEqual([{ state: true }]);
  served.device.groups["relay"] = { ...served.device.groups["relay"], mode: 1 };
  await page.reload();
  await page.getByText("On at 20 % or less, off at 30 % or more.").waitFor();
  expect(await page.getByRole("switch", { name: "Fan" }).isDisabled()).toBe(true);
});

it.each(
  inTurn(
    [
      ["en", PHONE, "Mode and rule", ["On at", "Off at", "Without the BMS"], "Save", "Off while the BMS is silent."],
      ["pt", DESKTOP, "Modo e regra", ["Liga em", "Desliga em", "Sem o BMS"], "Salvar", "Desligado enquanto o BMS"],
    ] as const,
    0,
  ),
)("says the relay's rule in a sentence whose numbers are changed in place: %s", async (...row) => {
  const [language, view, title, labels, save, silent] = row;
  const { device } = served;
  device.groups["relay"] = { ...device.groups["relay"], mode: 1, failSafe: "off" };
  const visit = await served.enter({ language, view }, "#/relay");
  const { page } = visit;
  await page.getByText(silent).waitFor();
  const field = (at: number) => page.locator(".sentence").getByLabel(labels[at]!, { exact: true });
  await field(1).fill("80");
  await field(2).selectOption("hold");
  // It is what would be saved, as long as the fields can be.
  await page.locator(".sentence form p", { hasText: /80\s%/ }).waitFor();
  expect(await page.getByText(silent).count()).toBe(0);
  await field(1).fill("8000");
  await page.locator(".sentence form p", { hasText: /30\s%/ }).waitFor();
  await field(1).fill("80");
  await field(1).press("Enter");
  await expect.poll(() => posted("/web/group/relay")).toEqual([{ offAt: 80, failSafe: "hold" }]);
  await page.getByText(/80\s%/).waitFor();
  // Each field is there once.
  await page.getByText(title).click();
  for (const label of labels) expect(await page.getByLabel(label, { exact: true }).count(), label).toBe(1);
  expect(await visit.accessibility()).toEqual([]);
  expect(await visit.overflows()).toEqual([]);
  // Switched by hand, or by an alarm, it has no numbers to say; what the rule would be is set among the others.
  for (const [other, fields] of [
    [{ mode: 0 }, 1],
    [{ mode: 1, source: "alarm" }, 0],
  ] as const) {
    device.groups["relay"] = { ...device.groups["relay"], source: "soc", ...other };
    await page.reload();
    await page.getByText(title).click();
    await page.getByLabel(labels[2], { exact: true }).waitFor();
    expect(await page.locator(".sentence").count()).toBe(0);
    expect(await page.getByLabel(labels[0], { exact: true }).count()).toBe(fields);
  }
  expect(await page.getByRole("button", { name: save, exact: true }).count()).toBe(1);
});

it("says what another rule would do before it is saved", async () => {
  served.device.groups["relay"] = { ...served.device.groups["relay"], mode: 1 };
  const { page } = await served.enter({}, "#/relay");
  await page.getByText("Mode and rule").click();
  await page.getByText("On at 20 % or less, off at 30 % or more.").waitFor();
  // The rule first, what is wired once after it.
  const labels = page.locator(".fold[open] form label");
  await expect.poll(async () => (await labels.allInnerTexts()).slice(0, 2)).toEqual(["Mode", "Rule follows"]);
  await page.getByLabel("Rule follows").selectOption("alarm");
  await page.getByText("On while the BMS reports an alarm.").waitFor();
  await page.getByLabel("Mode", { exact: true }).selectOption({ label: "Disabled" });
  await page.getByText("Disabled: it stays off.").waitFor();
  expect(posted("/web/group/relay")).toEqual([]);
});

it("shows settings changed elsewhere without overwriting what is being typed", async () => {
  const { page } = await served.enter({}, "#/relay");
  const fan = page.getByRole("switch", { name: "Fan" });
  await expect.poll(() => fan.isEnabled()).toBe(true);
  await expect.poll(() => served.device.listeners).toBe(1);
  await page.getByText("Mode and rule").click();
  await page.getByLabel("Relay name", { exact: true }).fill("Pump");
  served.device.groups["relay"] = { ...served.device.groups["relay"], mode: 1, onAt: 25 };
  served.device.touch("settings");
  await page.getByText("On at 25 % or less, off at 30 % or more.").waitFor();
  expect(await fan.isDisabled()).toBe(true);
  expect(await page.getByLabel("Relay name", { exact: true }).inputValue()).toBe("Pump");
});

it("shows them without events too, a little later", async () => {
  served.device.maxListeners = 0;
  const { page } = await served.enter({ steered: true }, "#/relay");
  await expect.poll(() => page.getByRole("switch", { name: "Fan" }).isEnabled()).toBe(true);
  served.device.groups["relay"] = { ...served.device.groups["relay"], mode: 1 };
  // Ten polls and a little.
  await page.clock.runFor(21_000);
  await page.getByText("On at 20 % or less, off at 30 % or more.").waitFor();
});

it("an open page returns to the first start after a factory reset", async () => {
  const { page } = await served.enter({}, "#/device");
  served.device.firstStart = true;
  served.device.endSessions();
  await page.getByRole("heading", { name: "Welcome" }).waitFor();
});

it("shows address fields only for static addressing, and relay limits only for rules that have them", async () => {
  const page = await device("Address settings");
  await page.getByLabel("IP address").waitFor();
  expect(await page.getByLabel("Subnet mask").count()).toBe(0);
  await page.getByLabel("IP address").selectOption("static");
  await page.getByLabel("Address", { exact: true }).fill("192.168.1.9");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved.").waitFor();
  expect(posted("/web/group/network")).toEqual([{ addressing: "static", address: "192.168.1.9" }]);
  await page.goto(`${served.device.url}/#/relay`);
  await page.getByText("Mode and rule").click();
  await page.getByLabel("On at", { exact: true }).waitFor();
  await page.getByLabel("Rule follows").selectOption("alarm");
  expect(await page.getByLabel("On at", { exact: true }).count()).toBe(0);
});

it("has four groups, each with its state, and finds every setting of the page", async () => {
  const { page } = await served.enter({}, "#/device");
  const names = page.locator("main section.group > h2");
  await expect.poll(() => names.allInnerTexts()).toEqual(["Network", "BMS and integrations", "Access", "Maintenance"]);
  await expect
    .poll(() => page.locator("main section.group > h2 + p").allInnerTexts())
    .toEqual(Array(4).fill(expect.stringMatching(/\w/)));
  const shown = page.locator("main .fold:visible > summary h2");
  const all = await shown.count();
  const search = page.getByRole("search").getByRole("textbox", { name: "Search settings" });
  await search.fill("BASE topic");
  await page.getByText("1 found").waitFor();
  await expect.poll(() => shown.allInnerTexts()).toEqual(["MQTT"]);
  await expect.poll(() => names.and(page.locator(":visible")).allInnerTexts()).toEqual(["BMS and integrations"]);
  await search.fill("cell under-voltage protection");
  await page.getByRole("link", { name: "Control: Cell under-voltage protection" }).waitFor();
  await search.fill("relay name");
  await page.getByRole("link", { name: "Relay and inputs: Relay name" }).click();
  await page.getByRole("heading", { level: 1, name: "Relay and inputs" }).waitFor();
  await page.goBack();
  await search.fill("wifi");
  await expect.poll(() => shown.allInnerTexts()).toContain("Wi-Fi");
  // What can be chosen.
  await search.fill("telegram");
  await expect.poll(() => shown.allInnerTexts()).toEqual(["Notifications"]);
  // What people call it.
  for (const [word, part] of [
    ["firmware", "Update"],
    ["home assistant", "MQTT"],
    ["inverter", "Modbus TCP"],
    ["grafana", "API and token"],
    ["tablet", "Guests"],
    ["log", "Recent events"],
  ] as const)
    await trying(word, async () => {
      await search.fill(word);
      await expect.poll(() => shown.allInnerTexts()).toContain(part);
    });
  await search.fill("csv");
  await page.getByRole("link", { name: "History: CSV" }).waitFor();
  await search.fill("no such thing");
  await page.getByText("Nothing found").waitFor();
  expect(await shown.count()).toBe(0);
  await search.fill("");
  await expect.poll(() => shown.count()).toBe(all);
});

it("a service says its state while it is folded", async () => {
  const { page } = await served.enter({}, "#/device");
  const stateOf = (title: string) => page.locator("main .fold > summary", { hasText: title }).locator("p").innerText();
  await expect.poll(() => stateOf("MQTT")).toMatch(/\w/);
  await expect.poll(() => stateOf("Syslog")).toMatch(/\w/);
});

/** In `npm run soak` each name. */
const SEARCHED = 20;

it.each(["en", "pt"] as const)("every setting of every group is found by its name: %s", async (language) => {
  const { page } = await served.enter({ language }, "#/device");
  const search = page.getByRole("search").getByRole("textbox");
  /** What the screen shows and how much it says was found, at one moment. */
  const shown = () =>
    page.evaluate<string[]>(
      '["main", "[role=search] [role=status]"].map((part) => document.querySelector(part).innerText)',
    );
  await page.locator("[role=search] [role=status]").waitFor({ state: "attached" });
  for (const name of sampled([...new Set(Object.values({ en, pt }[language].fields))], SEARCHED)) {
    await search.fill(name);
    await expect.poll(shown, { message: name }).toEqual([expect.stringContaining(name), expect.stringMatching(/\d/)]);
  }
  if (language === "en") return;
  // Without accents and upper case.
  await search.fill("TOPICO base");
  await page.getByText("Encontrados: 1").waitFor();
  await expect.poll(() => page.locator("main .fold:visible > summary h2").allInnerTexts()).toEqual(["MQTT"]);
});

it("each form of the settings' table stands on one of the screens, with its settings in the table's order", async () => {
  /** Components of their own: they look for Wi-Fi networks and packs, and replace the token. */
  const own = ["wifi", "packs", "token"];
  served.device.groups["network"] = { ...served.device.groups["network"], addressing: "static" };
  const visit = await served.enter({}, "#/device");
  const shown = new Map<string, readonly string[]>();
  for (const screen of ["device", "relay"]) {
    await visit.page.goto(`${served.device.url}/#/${screen}`);
    await visit.page.locator(`main .fold`).first().waitFor();
    await visit.unfold();
    for (const form of await visit.page.locator("form[name]").all()) {
      await form.locator("label").first().waitFor();
      shown.set((await form.getAttribute("name"))!, await form.locator("label").allInnerTexts());
    }
  }
  expect([...shown.keys(), ...own].sort()).toEqual(Object.keys(FORMS).sort());
  for (const name of ["identity", "network", "monitoring"] as const) {
    const names = pathsOf(name).map((path) => en.fields[wordOf(FORMS[name], path)]);
    // Some stand there only with another's value.
    const labels = names.filter((label) => label !== "Slope");
    expect([name, shown.get(name)]).toEqual([name, labels]);
  }
});

it("has the page's address as a QR code, dark on light in every theme, with the margin that scanners need", async () => {
  const visit = await served.enter({ theme: "dark" }, "#/device");
  const { page } = visit;
  await page.getByText("Address as a QR code").click();
  const address = `${served.device.url}/`;
  const code = page.getByRole("img", { name: address });
  const { size, data } = encode(address, { ecc: "L", boostEcc: false, maskPattern: 0, border: 4 });
  expect(await code.getAttribute("viewBox")).toBe(`0 0 ${size} ${size}`);
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  expect(await code.locator("path").getAttribute("d")).toBe(dark.join(""));
  expect(data.slice(0, 4).flat()).not.toContain(true);
  const colours = await code.evaluate((svg) => [
    getComputedStyle(svg).backgroundColor,
    getComputedStyle(svg.querySelector("path")!).fill,
  ]);
  expect(colours).toEqual(["rgb(255, 255, 255)", "rgb(0, 0, 0)"]);
  expect(await visit.overflows()).toEqual([]);
  expect(await visit.accessibility()).toEqual([]);
});

describe("the packs", () => {
  it("are added, named, removed and saved as a whole; what is wrong is said and not sent", async () => {
    served.device.groups["packs"] = { first: "Left", further: [{ address: 2, name: "Right" }] };
    const page = await device("Packs");
    const save = page.locator(".fold[open]").getByRole("button", { name: "Save", exact: true });
    const addresses = page.getByLabel("Address (DIP switch)", { exact: true });
    await page.getByRole("button", { name: "Add a pack" }).click();
    expect(await addresses.count()).toBe(2);
    await save.click();
    await page.getByText("Enter a number without thousands separators: 0 to 15.").waitFor();
    expect(posted("/web/group/packs")).toEqual([]);
    await addresses.nth(1).fill("16");
    await save.click();
    expect(posted("/web/group/packs")).toEqual([]);
    await addresses.nth(1).fill("7");
    await page.getByLabel("Name", { exact: true }).nth(1).fill("Shed");
    await page.getByLabel("Name of the first pack").fill("House");
    await save.click();
    await page.getByText("Saved.").waitFor();
    const further = [
      { address: 2, name: "Right" },
      { address: 7, name: "Shed" },
    ];
    expect(posted("/web/group/packs")).toEqual([{ first: "House", further }]);
    await page.getByRole("button", { name: "Remove: Right" }).click();
    await save.click();
    await expect.poll(() => posted("/web/group/packs").at(-1)).toEqual({ further: further.slice(1) });
  });

  it("are found, and added with a tap", async () => {
    served.device.groups["packs"] = { first: "Left", further: [] };
    const page = await device("Packs");
    const find = page.getByRole("button", { name: "Find packs" });
    await find.click();
    await page.getByText("0 of 16 addresses").waitFor();
    expect(await find.isDisabled()).toBe(true);
    const pack = { model: "JK_PB2A16S20P", serialNumber: "4021", cells: 16, baud: 115_200 };
    const found = [
      { address: 1, ...pack, configured: true },
      { address: 3, ...pack, serialNumber: "<b>4023", configured: false },
      { address: 5, baud: 115_200, model: null, serialNumber: null, cells: null, configured: false },
    ];
    served.device.search = { ...served.device.search, searching: false, searched: 16, found };
    await page.getByText("Address 3: JK_PB2A16S20P · 16S · <b>4023").waitFor();
    const part = page.locator(".fold[open]");
    const add = (address: number) => page.getByRole("button", { name: `Add: Address ${address}` });
    expect(await add(1).isDisabled()).toBe(true);
    await add(3).click();
    expect(await add(3).isDisabled()).toBe(true);
    await add(5).click();
    await part.getByRole("button", { name: "Save", exact: true }).click();
    const further = [3, 5].map((address) => ({ address, name: `Pack ${address}` }));
    await expect.poll(() => posted("/web/group/packs")).toEqual([{ further }]);
    expect(posted("/web/packs/search")).toEqual([{}]);
  });

  it("are not looked for beside another master, but those that are heard are added with a tap", async () => {
    served.device.groups["packs"] = { first: "Left", further: [] };
    served.device.search = { ...served.device.search, heard: [2] };
    served.device.searchProblem = "listening";
    const page = await device("Packs");
    await page.getByText("Address 2: Answers another master.").waitFor();
    await page.getByRole("button", { name: "Find packs" }).click();
    await page.getByText("Another master is on this bus, so nothing is sent.").waitFor();
    await page.getByRole("button", { name: "Add: Address 2" }).click();
    await page.locator(".fold[open]").getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(() => posted("/web/group/packs")).toEqual([{ further: [{ address: 2, name: "Pack 2" }] }]);
  });
});

it.each(inTurn(["en", "pt"] as const, 1))(
  "notifications show what waits and why; their form asks for what a service needs, tests it, and keeps secrets: %s",
  async (language) => {
    const texts = { en, pt }[language];
    const words = DEVICE_TEXTS[language];
    /** English is the device's. */
    const shown = ({ problem, status, answer, message }: Delivery): string =>
      language === "en" ? message : `${words.deliveries[problem]!} (${status!} ${answer})`;

    const refused = { problem: "refused", status: 401, answer: "no", message: "Refused. It answered 401: no" };

    served.device.groups["notify"] = { ...served.device.groups["notify"], kind2: "gotify", url2: "u", token2: "t" };
    const visit = await served.enter({ language, view: NARROW_PHONE }, "#/device");
    const { page } = visit;
    const form = page.locator(".fold", { has: page.getByRole("heading", { name: texts.groups.notify, exact: true }) });
    await form.locator("summary").click();
    const facts = async (): Promise<string> => (await form.locator("dl").innerText()).replace(/\s+/g, " ");
    await expect.poll(facts).toContain(texts.common.off);
    const show = (notify: Notifications): void => {
      served.device.device = { ...served.device.device, notify };
      served.device.touch("device");
    };
    const none = { problem: "", status: null, answer: "", message: "" };
    const late = { problem: "no-time", status: null, answer: "", message: "No time" };
    show({
      waiting: 2,
      waitingSeconds: 300,
      targets: [
        { kind: "ntfy", ...late, sent: 0 },
        { kind: "gotify", ...none, sent: 0 },
      ],
    });
    await expect
      .poll(facts)
      .toBe(
        `${words.services.waiting} 2, ${texts.common.ago("5 min")} 1: ntfy ${texts.problems["no-time"]} 2: gotify –`,
      );
    await page.getByText(`${texts.groups.notify}: ${texts.problems["no-time"]}, gotify`).waitFor();
    expect([await visit.accessibility(), await visit.overflows()]).toEqual([[], []]);
    show({
      waiting: 0,
      waitingSeconds: null,
      targets: [
        { kind: "off", ...none, sent: 0 },
        { kind: "gotify", ...refused, sent: 0 },
      ],
    });
    await expect.poll(facts).toBe(`${words.services.waiting} 0 2: gotify ${shown(refused)}`);
    expect([await visit.accessibility(), await visit.overflows()]).toEqual([[], []]);
    const field = (name: keyof typeof texts.fields) => form.getByLabel(texts.fields[name], { exact: true });
    await field("notify.alarms").waitFor();
    // Off: nothing else is asked for. Gotify has no topic.
    for (const name of ["notify.url1", "notify.channel1", "notify.token1", "notify.channel2"] as const)
      expect([name, await field(name).count()]).toEqual([name, 0]);
    expect(await field("notify.token2").inputValue()).toBe("");
    await field("notify.kind1").selectOption("ntfy");
    await field("notify.url1").fill("https://ntfy.example");
    await field("notify.channel1").fill("battery");
    await visit.unfold();
    expect(await visit.accessibility()).toEqual([]);
    expect(await visit.overflows()).toEqual([]);
    await form.getByRole("button", { name: texts.common.save, exact: true }).click();
    await form.getByText(texts.common.saved).waitFor();
    expect(posted("/web/group/notify")).toEqual([{ kind1: "ntfy", url1: "https://ntfy.example", channel1: "battery" }]);
    const test = (name: keyof typeof texts.fields) =>
      form.getByRole("button", { name: `${words.services.test}: ${texts.fields[name]}` });
    await test("notify.kind1").click();
    const { told } = served.device;
    await form.getByText(shown(told)).waitFor();
    served.device.told = refused;
    await test("notify.kind2").click();
    await form.getByText(texts.common.failed(shown(refused))).waitFor();
    expect(posted("/web/notifications")).toEqual([{ target: 1 }, { target: 2 }]);
    expect(await visit.accessibility()).toEqual([]);
  },
);
