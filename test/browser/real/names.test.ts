/** Texts that others supply are text everywhere: on the page, in JSON, metrics, the log and a backup. */
import { expect, it } from "vitest";
import { en } from "../../../web/texts/en";
import { DEFAULTS } from "../../support/settings";
import { TOKEN } from "../../support/system";
import { serve } from "./served";

const served = serve();

const MARKUP = '<img src=x onerror="alert(1)">';
/** The longest names there are: markup, a spreadsheet's formula, quotes and a backslash, right-to-left mark, 4-byte characters. */
const RELAY = `${MARKUP}\u200f🔋`;
const INPUT = '=1+1","\\n{x="y"}\u200f🔋';
const TEMPERATURE = "</script><script>alert(2)";
/** What the BMS sends: 16 bytes, any of them. */
const BLUETOOTH = "<b onclick=x>'\"&";

it("markup in names is shown as text, not executed, and breaks no document", async () => {
  const system = await served.start({
    bms: { evolving: false },
    board: {
      config: {
        settings: {
          device: { name: RELAY },
          relay: { name: RELAY },
          monitoring: {
            temperature: { ...DEFAULTS.monitoring.temperature, name: TEMPERATURE },
            inputs: [
              { name: INPUT, activeLevel: 0, debounce: 50 },
              { name: "Input 2", activeLevel: 0, debounce: 50 },
            ],
          },
        },
      },
    },
  });
  system.bms.registers.writeText("BluetoothName", BLUETOOTH);
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const summary = await (await fetch(`${system.url}/api`, { headers })).json();
  expect(JSON.stringify(summary)).toContain(JSON.stringify(RELAY).slice(1, -1));
  expect(JSON.stringify(summary)).toContain(JSON.stringify(INPUT).slice(1, -1));

  const metrics = await (await fetch(`${system.url}/metrics`, { headers })).text();
  for (const line of metrics.split("\n"))
    expect(line).toMatch(/^(#.*|[a-z0-9_]+(\{([a-z_]+="([^"\\]|\\[\\"n])*",?)*\})? \S+|)$/);

  const { page, defects } = await served.enter(system);
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  for (const screen of [en.app.relayShort, en.app.control, en.app.device, en.app.battery]) {
    await page.getByRole("link", { name: screen, exact: true }).click();
    if (screen === en.app.relayShort) {
      await page.getByText(RELAY).first().waitFor();
      await page.getByText(INPUT).first().waitFor();
      await page.getByText(TEMPERATURE).first().waitFor();
    }
    expect(await page.locator("main img, main script, main b[onclick]").count()).toBe(0);
  }
  expect([dialogs, defects]).toEqual([[], []]);
});
