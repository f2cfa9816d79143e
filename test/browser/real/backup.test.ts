/** Backup and restore, from the page to the device. */
import { expect, it } from "vitest";
import { en } from "../../../web/texts/en";
import { DEVICE_TEXTS } from "../../../web/texts/later/device";
import { serve } from "./served";

const EN = DEVICE_TEXTS.en;

const served = serve();
const open = (title: string): string => `summary:has-text("${title}")`;

it("the file's name has device and date; the question names what gives access or sends values elsewhere", async () => {
  const system = await served.start();
  const { page } = await served.enter(system, {}, "#/device");
  await page.click(open(EN.device.backup));
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: EN.device.saveBackup }).click();
  expect((await download).suggestedFilename()).toMatch(/^jk-bms-\w+-20\d\d-\d\d-\d\d\.json$/);

  const groups = {
    api: { token: "0123456789abcdef0123456789abcdef" },
    mqtt: { host: "broker.elsewhere.example", port: 1, tls: false },
    // The web server's own.
    modbus: { enabled: true, port: Number(new URL(system.url).port), clients: "192.0.2.66" },
    device: { name: "Shed", proxyAddress: "192.0.2.9", proxyHost: "" },
    relay: { name: "Heater", onAt: 10, offAt: 10 },
    access: { tokens: [{ name: "evil", write: true, hash: "0".repeat(64) }] },
  };
  const text = JSON.stringify({ kind: "jk-bms-monitor settings", version: "1", groups });
  await page
    .getByLabel(EN.device.restore)
    .setInputFiles({ name: "b.json", mimeType: "application/json", buffer: Buffer.from(text) });
  const dialog = page.getByRole("dialog");
  await expect
    .poll(() => dialog.locator("li").allInnerTexts())
    .toEqual([
      `${en.fields["api.token"]}: •••`,
      `${en.fields["modbus.enabled"]}: ✓`,
      `${en.fields["modbus.clients"]}: 192.0.2.66`,
      `${en.fields["mqtt.host"]}: broker.elsewhere.example`,
      `${en.fields["mqtt.tls"]}: –`,
      `${en.fields["device.proxyAddress"]}: 192.0.2.9`,
    ]);
  expect(await dialog.innerText()).not.toContain(groups.api.token);
  await dialog.getByRole("button", { name: EN.device.restore }).click();

  // Half of it is stored: the page says which groups were.
  const message = page.locator(".message.failed");
  await message.getByText("must differ").waitFor();
  const said = await message.innerText();
  const { groups: titles } = en;
  expect(said).toContain(`${titles.relay}: `);
  expect(said).toContain(
    `${titles.modbus}: ${en.messages.equal(`“${titles.modbus} – ${en.fields["modbus.port"]}”`, "HTTP")}`,
  );
  const restored = said.slice(said.indexOf("Restored: "));
  for (const title of [titles.api, titles.mqtt, titles.device]) expect(restored).toContain(title);
  for (const title of [titles.relay, titles.modbus]) expect(restored).not.toContain(title);
  expect(system.probes.deviceName()).toBe("Shed");
  expect(system.token).toBe(groups.api.token);
  // Named tokens are not restored.
  await page.click(open(EN.device.api));
  await page.getByRole("heading", { name: EN.device.tokens.title }).waitFor();
  expect(await page.getByText("evil").count()).toBe(0);
});
