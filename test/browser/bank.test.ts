/** Several packs on one bus. */
import { beforeEach, describe, expect, it } from "vitest";
import { inTurn, isLong } from "../support/property.ts";
import { DESKTOP, NARROW_PHONE, PHONE } from "../support/web/browser.ts";
import { PASSWORD } from "../support/web/web-mock.ts";
import { CONTROL_TEXTS } from "../../web/texts/later/control.ts";
import { en } from "../../web/texts/en.ts";
import { pt } from "../../web/texts/pt.ts";
import { SCREENS } from "../support/web/page-states.ts";
import { serve } from "./served.ts";

const served = serve();

const KNOWN = {
  online: true,
  swapped: false,
  shared: false,
  serialNumber: "SERIAL",
  ageSeconds: 0,
  soc: 61,
  voltage: 52.8,
  current: -12,
  power: -633,
  alarmCode: 0,
  delta: 0.012,
  concerns: [] as string[],
};
const LOST = {
  online: false,
  swapped: false,
  shared: false,
  serialNumber: null,
  ageSeconds: 725,
  soc: null,
  voltage: null,
  current: null,
  power: null,
  alarmCode: null,
  delta: null,
  concerns: ["offline"],
};
type Row = Record<string, unknown>;

/** The codes of what needs attention, the most urgent first. */
const CODES = ["offline", "alarm", ...Object.keys(en.concerns)];

function show(...packs: Row[]): void {
  const { device } = served;
  const online = packs.filter(({ online }) => online).length;
  const sums = { soc: 61, voltage: 52.8, current: -36, power: -1_900, capacityAh: 840, remainingCapacityAh: 512 };
  const concerns = CODES.filter((code) => packs.some((pack) => (pack["concerns"] as string[]).includes(code)));
  device.bms = { ...device.bms, packs: packs.length } as typeof device.bms;
  device.packs = {
    bank: { packs: packs.length, online, complete: online === packs.length, well: !concerns.length, concerns, ...sums },
    packs,
  };
}

beforeEach(() => {
  const { device } = served;
  show(
    { address: 1, name: "Left", ...KNOWN },
    // Bit 11: a cell is too low.
    {
      address: 2,
      name: "",
      ...KNOWN,
      soc: 7,
      delta: 0.353,
      alarmCode: 1 << 11,
      current: -1,
      voltage: 52.1,
      concerns: ["alarm", "spread", "carries-nothing", "off-voltage"],
    },
    { address: 3, name: "Right", ...LOST },
    { address: 4, name: "New", ...LOST, ageSeconds: null },
    { address: 5, name: "Shed", ...KNOWN },
  );
  const status = (serialNumber: string, more = {}) => ({
    data: { ...device.status, ...more, info: { ...device.status.info, serialNumber } },
    bms: device.bms,
  });
  device.packStatus = { 1: status("FIRST"), 2: status("SECOND"), 3: status("THIRD", { online: false }) };
});

const plainTexts = (texts: readonly string[]): string[] => texts.map((text) => text.replaceAll(/\s+/g, " ").trim());

it.each([
  [NARROW_PHONE, "en"],
  [DESKTOP, "pt"],
] as const)("the bank is listed, and what is odd about a pack is said: %j, %s", async (view, language) => {
  const visit = await served.enter({ view, language });
  const { page } = visit;
  const rows = page.locator(".packs .state");
  await expect.poll(() => rows.count()).toBe(5);
  expect(plainTexts(await rows.allInnerTexts())).toEqual(
    language === "en"
      ? [
          "Pack 2 −633 W · spread 353 mV · 0 s ago Cell voltage too low The cell voltages differ too much. It carries none of the bank's current: check breaker, fuse and leads. Its voltage is not that of the other packs: check breaker, fuse and leads. 0.70 V below the others",
          "Right not responding for 12 min",
          "New has not responded yet",
          "Left −633 W · spread 12 mV · 0 s ago",
          "Shed −633 W · spread 12 mV · 0 s ago",
        ]
      : [
          "Bateria 2 −633 W · diferença 353 mV · há 0 s Tensão de célula baixa demais As tensões das células diferem demais. Não conduz nada da corrente do banco: verifique disjuntor, fusível e cabos. A tensão dela não é a das outras baterias: verifique disjuntor, fusível e cabos. 0,70 V abaixo das outras",
          "Right sem resposta há 12 min",
          "New ainda não respondeu",
          "Left −633 W · diferença 12 mV · há 0 s",
          "Shed −633 W · diferença 12 mV · há 0 s",
        ],
  );
  // Two of its values are drawn as odd, none of the others'.
  expect(await page.locator(".packs li").first().locator(".odd").count()).toBe(2);
  expect(await page.locator(".packs .odd").count()).toBe(2);
  // The sums are of some, and nothing is estimated.
  expect(await page.locator(".glance .gauge").innerText()).toMatch(
    language === "en" ? /^61\s*%\s*3 of 5 packs$/ : /^61\s*%\s*3 de 5 baterias$/,
  );
  expect(await page.locator(".glance .left").count()).toBe(0);
  const first = page.locator(".concerns .sentence, .concerns li").first();
  expect(await first.innerText()).toContain(language === "en" ? "Pack 2: Cell voltage too low" : "Bateria 2: ");
  await page.getByRole("img", { name: language === "en" ? "1 alarm" : "1 alarme" }).waitFor();
  await visit.loaded();
  expect(await visit.accessibility()).toEqual([]);
  expect(await visit.overflows()).toEqual([]);
});

/** In `npm run soak` each pair of a number of packs, a window and a language occurs. */
const LOOKS = [
  [PHONE, "en"],
  [DESKTOP, "pt"],
  [PHONE, "pt"],
  [DESKTOP, "en"],
] as const;
it.each([1, 4, 15].flatMap((count, at) => inTurn(LOOKS, at).map((look) => [count, ...look] as const)))(
  "a bank of %i is accessible and fits on every screen that it is on: %j, %s",
  async (count, view, language) => {
    show(...Array.from({ length: count }, (_, at) => ({ address: at + 1, name: at ? "" : "Left", ...KNOWN })));
    const { device } = served;
    device.packStatus[count] ??= { data: device.status, bms: device.bms };
    const visit = await served.enter({ view, language });
    const { page } = visit;
    const isBank = count > 1;
    const check = async (screen: string): Promise<void> => {
      await visit.loaded();
      expect([screen, await visit.accessibility(), await visit.overflows()]).toEqual([screen, [], []]);
    };
    const last = language === "en" ? `Pack ${count}` : `Bateria ${count}`;
    await page.locator(".glance .soc").waitFor();
    await expect.poll(() => page.locator(".packs a").count()).toBe(isBank ? count : 0);
    await check("#/battery");
    if (isBank) {
      await page.locator(".packs a").last().click();
      await page.getByRole("heading", { level: 1, name: last }).waitFor();
      expect(new URL(page.url()).hash).toBe(`#/battery/${count}`);
      await check(`#/battery/${count}`);
    }
    await visit.go("control");
    if (isBank) await page.locator(".choice a").last().click();
    const discharging = page.getByRole("switch", { name: language === "en" ? "Discharging" : "Descarregamento" });
    await discharging.click();
    const question = page.getByRole("dialog");
    await question.waitFor();
    expect((await question.innerText()).includes(last)).toBe(isBank);
    await visit.loaded();
    // It is wider than the card that it belongs to.
    expect(await visit.accessibility()).toEqual([]);
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    expect(new URL(page.url()).hash).toBe(isBank ? `#/control/${count}` : "#/control");
    await visit.go("relay");
    const followed = page.getByLabel(language === "en" ? "Pack that it follows" : "Bateria que segue");
    await page.locator("summary").first().click();
    await expect.poll(() => followed.count()).toBe(isBank ? 1 : 0);
    await check("#/relay");
    if (!isBank) return;
    expect(await followed.locator("option").count()).toBe(count + 1);
    await followed.selectOption({ label: last });
    await page
      .getByRole("button", { name: language === "en" ? "Save" : "Salvar" })
      .first()
      .click();
    await expect.poll(() => served.device.posts.at(-1)).toEqual(["/web/group/relay", { pack: count }]);
  },
);

it("fifteen packs that are well: ring and sentence are the bank's, nothing is odd", async () => {
  show(...Array.from({ length: 15 }, (_, at) => ({ address: at + 1, name: "Pack", ...KNOWN })));
  const visit = await served.enter({ view: NARROW_PHONE });
  const { page } = visit;
  await expect.poll(() => page.locator(".packs .state").count()).toBe(15);
  expect(await page.locator(".glance .soc").innerText()).toContain("61");
  expect(await page.locator(".glance").innerText()).toContain("512.0 of 840.0");
  // 512 Ah at 36 A.
  expect(await page.locator(".concerns .sentence").innerText()).toMatch(/^Discharging, empty /);
  expect(await page.locator(".packs .odd").count()).toBe(0);
  await visit.loaded();
  expect(await visit.accessibility()).toEqual([]);
  expect(await visit.overflows()).toEqual([]);
});

it("a pack is a tap away and in the address; an old one says so, and the way back leads to all", async () => {
  const visit = await served.enter();
  const { page } = visit;
  await page.locator(".packs a", { hasText: "Pack 2" }).press("Enter");
  await page.getByRole("heading", { level: 1, name: "Battery: Pack 2" }).waitFor();
  await page.getByText("SECOND").waitFor();
  expect(new URL(page.url()).hash).toBe("#/battery/2");
  await visit.openCells();
  expect(await page.locator(".cells button").count()).toBe(served.device.status.cells.length);
  // What is recorded is the bank's.
  expect(await page.getByRole("heading", { name: "Today" }).count()).toBe(0);
  await visit.loaded();
  expect(await visit.accessibility()).toEqual([]);
  await page.reload();
  await page.getByText("SECOND").waitFor();
  await page.getByRole("link", { name: "All packs" }).click();
  await page.locator(".packs a", { hasText: "Right" }).click();
  await page.getByText("THIRD").waitFor();
  await page.getByText("Last known", { exact: true }).first().waitFor();
  await page.getByRole("link", { name: "All packs" }).click();
  await page.getByRole("heading", { level: 1, name: "Battery", exact: true }).waitFor();
  await expect.poll(() => page.locator(".packs a").count()).toBe(5);
});

it("a pack that is not there leads to the bank, and what arrives for a pack is not shown as another's", async () => {
  const { page } = await served.enter({}, "#/battery/9");
  await expect.poll(() => page.locator(".packs a").count()).toBe(5);
  // What arrives for a pack is not shown as another's.
  await page.evaluate(() => (location.hash = "#/battery/1"));
  await page.getByText("FIRST").waitFor();
  await page.getByRole("heading", { level: 1, name: "Battery: Left" }).waitFor();
  await page.evaluate(() => {
    const seen = () => document.body.textContent.includes("SECOND") && (document.documentElement.dataset["seen"] = "");
    new MutationObserver(seen).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  const release = served.device.hold();
  await page.evaluate(() => (location.hash = "#/battery/2"));
  await expect.poll(() => served.device.waiting).toBeGreaterThan(0);
  await page.evaluate(() => (location.hash = "#/battery/1"));
  await page.getByRole("heading", { level: 1, name: "Battery: Left" }).waitFor();
  release();
  await page.getByText("FIRST").waitFor();
  expect(await page.evaluate(() => "seen" in document.documentElement.dataset)).toBe(false);
});

it("Control says to which pack it writes, in its question too, and writes there", async () => {
  const visit = await served.enter({}, "#/control");
  const { page } = visit;
  const posts = (): unknown[] => served.device.posts.map(([path]) => path).filter((path) => path !== "/web/session");
  await page.getByText("Changes go to Left (address 1).").waitFor();
  await page.getByRole("switch", { name: "Display always on" }).click();
  await expect.poll(posts).toEqual(["/web/commands"]);
  await page.locator(".choice").getByRole("link", { name: "Pack 2" }).click();
  await page.getByRole("heading", { level: 1, name: "Control: Pack 2" }).waitFor();
  expect(await page.locator(".choice [aria-current]").innerText()).toBe("Pack 2");
  // The outcome was the other pack's.
  expect(await page.locator(".outcome.good").count()).toBe(0);
  await page.getByRole("switch", { name: "Discharging" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Changes go to Pack 2 (address 2). All loads on this pack lose power.").waitFor();
  await dialog.getByRole("button", { name: "Switch off: Discharging" }).click();
  await expect.poll(posts).toEqual(["/web/commands", "/web/packs/2/commands"]);
  await page.locator(".outcome.good").waitFor();
  await page.getByRole("button", { name: "Change: Nominal capacity" }).click();
  await dialog.getByText("Changes go to Pack 2 (address 2).").waitFor();
  expect(await visit.accessibility()).toEqual([]);
  // A question about one pack is never answered for another.
  await page.evaluate(() => (location.hash = "#/control/1"));
  await page.getByText("Changes go to Left (address 1).").waitFor();
  expect(await dialog.count()).toBe(0);
});

it.each(inTurn(["en", "pt"] as const, 1))(
  "every screen warns of another pack at an address, which can be accepted: %s",
  async (language) => {
    show({ address: 1, name: "Left", ...KNOWN }, { address: 2, name: "Right", ...KNOWN, swapped: true });
    const visit = await served.enter({ view: NARROW_PHONE, language }, "#/control");
    const { page } = visit;
    const accept = page.getByRole("button", { name: language === "en" ? "Accept it" : "Aceitar" });
    await accept.waitFor();
    expect(await visit.accessibility()).toEqual([]);
    expect(await visit.overflows()).toEqual([]);
    await accept.click();
    await expect.poll(() => accept.count()).toBe(0);
    expect(served.device.posts.at(-1)?.[0]).toBe("/web/packs/2/accept");
  },
);

describe("a setting for all packs", () => {
  const confirmed = { name: "capacity_ah", value: "300", unit: "Ah", outcome: "confirmed", detail: "", origin: "page" };
  const outcomes = [
    ["confirmed", confirmed],
    ["offline", null],
    ["refused", { ...confirmed, outcome: "refused", detail: "4" }],
    [null, null],
    [null, null],
  ] as const;
  const job = (running: boolean, problem = "") => ({
    running,
    setting: "capacity_ah",
    problem,
    packs: outcomes.map(([outcome, last], index) => ({ address: index + 1, name: "", outcome, last })),
  });

  it("is asked about, sent once, and each pack has its outcome when it is known", async () => {
    const { device } = served;
    const visit = await served.enter({}, "#/control/2");
    const { page } = visit;
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Change: Nominal capacity" }).click();
    await dialog.getByText("Changes go to Pack 2 (address 2).").waitFor();
    await dialog.getByLabel("New value").fill("300");
    await dialog.getByRole("checkbox", { name: "For all 5 packs" }).check();
    await dialog.getByText("The change goes to all 5 packs.").waitFor();
    await dialog.getByRole("button", { name: "Send to the BMS" }).click();
    await dialog.getByText("compared with those of Pack 2 only.").waitFor();
    device.job = job(true);
    const release = device.hold();
    await dialog.getByRole("button", { name: "Change it" }).click();
    release();
    const rows = page.locator(".card", { hasText: "Nominal capacity: all packs" }).locator("li");
    const shown = async (): Promise<string[]> => plainTexts(await rows.allInnerTexts());
    await expect
      .poll(shown)
      .toEqual([
        "Pack 1 Confirmed by the BMS.",
        "Pack 2 The BMS is not responding.",
        "Pack 3 The BMS rejected it (exception 4: server device failure). On RS485-2? Try RS485-1.",
        expect.stringContaining("Pack 4"),
        "Pack 5 Waiting.",
      ]);
    await page.locator(".cards").getByText("1 of 5 packs have confirmed it …").waitFor();
    // Nobody else's.
    device.queue = { ...device.queue, pending: true };
    device.touch();
    await page.locator(".last").getByText("Nominal capacity: all packs. 1 of 5 packs have confirmed it …").waitFor();
    expect(device.posts.filter(([path]) => path === "/web/packs/settings")).toEqual([
      ["/web/packs/settings", { setting: "capacity_ah", value: "300" }],
    ]);
    expect(device.posts.map(([path]) => path)).not.toContain("/web/packs/2/parameters");
    device.job = job(false, "interrupted");
    await page.getByText("Ended before its last pack").waitFor();
    expect((await shown()).slice(3)).toEqual(["Pack 4 No outcome.", "Pack 5 No outcome."]);
  });

  it("that was over at once shows its outcomes to whoever sent it, until they sign out", async () => {
    const visit = await served.enter({}, "#/control");
    const { page } = visit;
    await page.getByRole("button", { name: "Change: Nominal capacity" }).click();
    await page.getByLabel("New value").fill("300");
    await page.getByRole("checkbox", { name: "For all 5 packs" }).check();
    await page.getByRole("button", { name: "Send to the BMS" }).click();
    served.device.job = job(false);
    await page.getByRole("button", { name: "Change it" }).click();
    const outcome = page.getByText("Only 1 of 5 packs have confirmed it.");
    await outcome.waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    const answer = page.waitForResponse("**/web/packs/settings");
    await visit.signIn(PASSWORD);
    await (await answer).finished();
    await visit.loaded();
    expect(await outcome.count()).toBe(0);
  });

  it.each(
    inTurn(
      [
        [NARROW_PHONE, "en", "was restarted"],
        [DESKTOP, "pt", "foi reiniciado"],
      ] as const,
      0,
    ),
  )("is told to all who look while it runs, or if a restart ended it: %j, %s", async (view, language, why) => {
    served.device.job = job(true);
    const visit = await served.enter({ view, language }, "#/control");
    const { page } = visit;
    const rows = page.locator(".card").first().locator("li");
    await expect.poll(() => rows.count()).toBe(5);
    expect(await visit.accessibility()).toEqual([]);
    expect(await visit.overflows()).toEqual([]);
    served.device.job = job(false, "restarted");
    await page.getByText(why).waitFor();
    // One that is over is of no interest to who comes later.
    served.device.job = job(false);
    await page.reload();
    await page.getByRole("switch", { name: language === "en" ? "Discharging" : "Descarregamento" }).waitFor();
    await expect
      .poll(() => served.device.answered.filter((one) => one === "GET /web/packs/settings").length)
      .toBeGreaterThan(2);
    expect(await page.getByText(language === "en" ? "all packs" : "todas as baterias").count()).toBe(0);
  });

  it("is not offered for names, nor with one pack alone; that the device refuses it is shown with its reason", async () => {
    const visit = await served.enter({}, "#/control");
    const { page } = visit;
    await page.getByRole("button", { name: "Change: Bluetooth name" }).click();
    await page.getByLabel("New value").waitFor();
    expect(await page.getByRole("checkbox").count()).toBe(0);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    served.device.jobProblem = "pending";
    await page.getByRole("button", { name: "Change: Nominal capacity" }).click();
    await page.getByLabel("New value").fill("300");
    await page.getByRole("checkbox", { name: "For all 5 packs" }).check();
    await page.getByRole("button", { name: "Send to the BMS" }).click();
    await page.getByRole("button", { name: "Change it" }).click();
    await page.locator(".outcome.bad", { hasText: "Another write is pending" }).waitFor();
    show({ address: 1, name: "Left", ...KNOWN });
    await page.reload();
    await page.getByRole("button", { name: "Change: Nominal capacity" }).click();
    await page.getByLabel("New value").waitFor();
    expect(await page.getByRole("checkbox").count()).toBe(0);
  });
});

it("one pack alone is no bank", async () => {
  const { bms } = served.device;
  served.device.bms = { ...bms, packs: 1 } as typeof bms;
  const visit = await served.enter();
  const { page } = visit;
  await page.getByRole("heading", { name: "Today" }).waitFor();
  expect(await page.getByRole("heading", { name: "Packs" }).count()).toBe(0);
  await visit.go("control");
  await page.getByRole("switch", { name: "Discharging" }).waitFor();
  expect(await page.locator(".choice").count()).toBe(0);
  expect(served.device.requests).not.toContain("GET /web/packs");
});

it("two packs that seem to share an address are named", async () => {
  show(
    { address: 1, name: "Left", ...KNOWN },
    { address: 2, name: "Right", ...KNOWN, shared: true, concerns: ["shared-address"] },
  );
  const { page } = await served.enter({});
  const right = page.locator(".packs li", { hasText: "Right" });
  await right.getByText(en.concerns["shared-address"]).waitFor();
  expect(await page.locator(".packs").getByText(en.concerns["shared-address"]).count()).toBe(1);
  await page.locator(".concerns").getByText(`Right: ${en.concerns["shared-address"]}`).waitFor();
});

describe("what needs attention of one pack", () => {
  const names = ["Left", "Middle", "Right"];
  const odd = (at: number, concerns: string[], more: Row = {}): void =>
    show(
      ...names.map((name, index) => ({
        ...{ address: index + 1, name },
        ...KNOWN,
        ...(index === at && { concerns, ...more }),
      })),
    );

  it.each([0, 1, 2])("has a warning on every screen and in the title, its row is on top: pack %d", async (at) => {
    odd(at, ["emergency", "charging-off"]);
    const visit = await served.enter({ view: PHONE });
    const { page } = visit;
    const said = page.locator(".concerns").getByText(`${names[at]}: ${en.concerns.emergency}`);
    for (const screen of isLong || at === 0 ? SCREENS : inTurn(SCREENS, at)) {
      await visit.go(screen);
      await said.waitFor();
      await page.locator(".concerns").getByText(`${names[at]}: ${en.concerns["charging-off"]}`).waitFor();
      expect([screen, await page.title()]).toEqual([screen, expect.stringMatching(/^⚠ /)]);
    }
    await visit.go("battery");
    expect(await page.locator(".concerns.good").count()).toBe(0);
    const row = page.locator(".packs li").first();
    await row.getByText(names[at]!).waitFor();
    await row.getByText(en.concerns.emergency).waitFor();
    // Another pack is looked at.
    await page.locator(".packs li").last().locator("a").click();
    await page.getByRole("link", { name: "All packs" }).waitFor();
    await said.waitFor();
    expect(await visit.accessibility()).toEqual([]);
    expect(await visit.overflows()).toEqual([]);
  });

  it("fifteen silent packs are one sentence, and the first is not named", async () => {
    show(...Array.from({ length: 15 }, (_, at) => ({ address: at + 1, name: `Shelf ${at + 1}`, ...LOST })));
    served.device.status = { ...served.device.status, online: false };
    const { page } = await served.enter({ view: NARROW_PHONE });
    await page.locator(".concerns").getByText(`All packs: ${en.battery.offline}`).waitFor();
    expect(await page.locator(".concerns li").count()).toBe(1);
    expect(await page.locator(".banner").count()).toBe(0);
    await expect.poll(() => page.title()).toMatch(new RegExp(`^${en.app.offline} – `));
  });

  it.each([...inTurn(["en", "pt"] as const, 0)])(
    "a silent bank says what it was, and that it is old: %s",
    async (language) => {
      const last = [
        { soc: 60, voltage: 52.8, capacityAh: 280 },
        { soc: 30, voltage: 52.4, capacityAh: 140 },
      ];
      show(...last.map((known, at) => ({ address: at + 1, name: `P${at + 1}`, ...LOST, last: known })));
      const sums = {
        soc: null,
        voltage: null,
        current: null,
        power: null,
        capacityAh: null,
        remainingCapacityAh: null,
      };
      Object.assign(served.device.packs["bank"] as Row, sums);
      served.device.status = { ...served.device.status, online: false };
      const visit = await served.enter({ view: PHONE, language });
      const { page } = visit;
      const t = language === "en" ? en : pt;
      const glance = page.locator(".glance");
      await glance.getByText(t.battery.lastKnown).waitFor();
      // 168 and 42 of 280 and 140 Ah.
      await expect.poll(() => glance.locator(".soc").innerText()).toMatch(/^50\s*%$/);
      expect(await glance.innerText()).toMatch(/52[.,]60/);
      expect(await page.locator(".cards.stale, .stale .glance").count()).toBeGreaterThan(0);
      const rows = page.locator(".packs li");
      for (const [at, text] of [/60\s*% · 52[.,]80\sV/, /30\s*% · 52[.,]40\sV/].entries()) {
        await rows.nth(at).getByText(t.battery.lastKnown).waitFor();
        expect(await rows.nth(at).innerText()).toMatch(text);
      }
      expect(await visit.accessibility()).toEqual([]);
      // One of which nothing is known: nor is the bank.
      show(...last.map((known, at) => ({ address: at + 1, name: `P${at + 1}`, ...LOST, last: at ? null : known })));
      Object.assign(served.device.packs["bank"] as Row, sums);
      await page.reload();
      await expect.poll(() => glance.locator(".soc").innerText()).toMatch(/^–/);
    },
  );

  it("one silent pack is named in the title", async () => {
    odd(2, ["offline"], LOST);
    const { page } = await served.enter();
    await expect.poll(() => page.title()).toMatch(new RegExp(`^Right: ${en.app.offline} – `));
  });

  it("another master on the bus is no pack's, and the switches say why they are disabled", async () => {
    show(...names.map((name, index) => ({ ...{ address: index + 1, name }, ...KNOWN, concerns: ["other-master"] })));
    const { device } = served;
    device.bms = { ...device.bms, concerns: ["other-master"] };
    const visit = await served.enter({}, "#/control");
    const { page } = visit;
    await page.locator(".concerns").getByText(en.concerns["other-master"], { exact: true }).waitFor();
    await page
      .locator(".last")
      .getByText(`${en.concerns["other-master"]} ${CONTROL_TEXTS.en.control.locked}`)
      .waitFor();
    const switches = page.getByRole("switch");
    for (let index = 0; index < (await switches.count()); index++)
      expect(await switches.nth(index).isDisabled()).toBe(true);
    expect(await visit.accessibility()).toEqual([]);
  });
});

it("a load that is switched shows with the next event, and which pack carries it is asked for at once", async () => {
  const { device } = served;
  show(...[1, 2, 3, 4].map((address) => ({ address, name: "", ...KNOWN })));
  const { page } = await served.enter();
  await page.locator(".packs li").nth(3).waitFor();
  device.flow = { current: -36_000, power: -1_900_000 };
  device.touch("relay");
  const asked = (): number => device.requests.filter((one) => one === "GET /web/packs").length;
  await expect.poll(asked).toBeGreaterThan(1);
  const before = asked();
  const release = device.hold();
  device.flow = { current: -136_000, power: -7_180_000 };
  device.touch("relay");
  await page.locator(".glance", { hasText: "136.0" }).waitFor();
  await expect.poll(asked).toBe(before + 1);
  release();
});
