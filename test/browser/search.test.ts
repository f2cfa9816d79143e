/** The search on the battery screen while no pack has ever answered. */
import { expect, it } from "vitest";
import { en } from "../../web/texts/en";
import { DEVICE_TEXTS } from "../../web/texts/later/device";
import { pt } from "../../web/texts/pt";
import { serve } from "./served";

const served = serve();
const TEXTS = { en, pt };
/** Longer than until the page looks again. */
const LOOK = 1_100;

function neverAnswered(): void {
  served.device.status = { ...served.device.status, online: false, cells: [] };
  Object.assign(served.device.bms, { age: null, noReply: "silence" });
}
const posted = (path: string): unknown[] => served.device.posts.filter(([to]) => to === path).map(([, body]) => body);

it.each(["en", "pt"] as const)(
  "asks nothing before a tap, says what it does, and uses what it finds: %s",
  async (language) => {
    neverAnswered();
    served.device.groups["bms"] = { ...served.device.groups["bms"], baud: 115_200, address: 1 };
    const words = DEVICE_TEXTS[language].device;
    const { page } = await served.enter({ language, steered: true });
    const find = page.getByRole("button", { name: words.findPacks });
    await find.waitFor();
    expect(posted("/web/packs/search")).toEqual([]);
    await find.click();
    const first = new Intl.NumberFormat(language).format(115_200);
    await page.getByText(`${first} baud: ${words.searching("0")}`).waitFor();
    const look = async (state: object, text: string): Promise<void> => {
      served.device.search = { ...served.device.search, ...state };
      await page.clock.runFor(LOOK);
      await page.getByText(text).waitFor();
    };
    await look({ waiting: true }, `${first} baud: ${words.silence}`);
    const second = new Intl.NumberFormat(language).format(9_600);
    await look({ waiting: false, baud: 9_600, searched: 3 }, `${second} baud: ${words.searching("3")}`);
    const pack = { model: "JK_PB2A16S20P", serialNumber: "4021", cells: 16, configured: false };
    const found = [
      { address: 0, baud: 115_200, ...pack },
      { address: 15, baud: 9_600, ...pack },
    ];
    await look(
      { searching: false, searched: 16, found },
      `${words.at("15")}, ${second} baud: JK_PB2A16S20P · 16S · 4021`,
    );
    await page.getByText(`${words.at("0")}: JK_PB2A16S20P`).waitFor();
    await page.getByRole("button", { name: `${words.use}: ${words.at("15")}` }).click();
    await page.getByText(TEXTS[language].common.saved).waitFor();
    expect(posted("/web/group/bms")).toEqual([{ baud: 9_600, address: 15 }]);
    expect(posted("/web/packs/search")).toEqual([{}]);
  },
);

it.each([
  ["bus-noise", "9,600 baud: The line is never silent: another master, or a disturbed cable. Nothing was sent."],
  ["listening", "9,600 baud: Another master is on this bus, so nothing is sent."],
  ["interrupted", "9,600 baud: The port has changed."],
  ["", "No pack answers."],
])("ended by '%s', says so, and can be done again", async (problem, text) => {
  neverAnswered();
  const { page } = await served.enter({ steered: true });
  const find = page.getByRole("button", { name: "Find packs" });
  await find.click();
  await page.getByText("0 of 16 addresses").waitFor();
  served.device.search = { ...served.device.search, searching: false, baud: 9_600, problem };
  await page.clock.runFor(LOOK);
  await page.getByText(text).waitFor();
  await find.click();
  await expect.poll(() => posted("/web/packs/search").length).toBe(2);
});

it("is for those who may change settings, and for a pack that never answered", async () => {
  neverAnswered();
  served.device.guest = true;
  const guest = await served.enter();
  await guest.page.getByText(en.noReplies.silence).first().waitFor();
  expect(await guest.page.getByRole("button", { name: "Find packs" }).count()).toBe(0);
  served.device.guest = false;
  served.device.bms.age = 90;
  const owner = await served.enter();
  await owner.page.getByText(/Last seen 1.min ago/).waitFor();
  expect(await owner.page.getByRole("button", { name: "Find packs" }).count()).toBe(0);
});
