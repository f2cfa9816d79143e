/** The page below a path of a proxy, at another port: the server of docs/security.md, run by Debian's nginx. */
import { afterEach, expect, it } from "vitest";
import { en } from "../../../web/texts/en";
import { Nginx } from "../../support/peers/nginx";
import { PASSWORD, serve } from "./served";

const served = serve();
let nginx: Nginx;
afterEach(() => nginx.stop());

it("signs in, shows live values, loads every screen and writes, all below the path", async () => {
  const system = await served.start();
  nginx = new Nginx();
  await nginx.startBelow(system.url);
  const { page } = await served.open({ url: `http://127.0.0.1:${nginx.port}` }, {}, "bms/");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.reload();
  await page.getByLabel(en.sign.password, { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: en.sign.submit }).click();
  for (const screen of [en.app.history, en.app.device, en.app.control]) {
    await page.getByRole("link", { name: screen, exact: true }).click();
  }
  const control = page.getByRole("switch", { name: "Balancing" }).first();
  const before = system.bms.registers.read("BalanEN");
  await control.click();
  await expect.poll(() => system.bms.registers.read("BalanEN")).toBe(1 - before);
  // The session outlives a reload: its cookie has the path.
  await page.reload();
  await page.getByRole("main").getByRole("switch").first().waitFor();
  const { cookies } = await page.context().storageState();
  expect(cookies.find(({ name }) => name === "session")?.path).toBe("/bms/");
  expect(cookies.find(({ name }) => name === "device")?.path).toBe("/bms/web/session");
  expect(asked.filter((path) => !path.startsWith("/bms/"))).toEqual([]);
  expect(asked).toContain("/bms/web/events");
});
