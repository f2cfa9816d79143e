/** The page behind a proxy, at another port, at its root and below a path: the configurations of docs/security.md. */
import { afterEach, expect, it } from "vitest";
import { en } from "../../../web/texts/en";
import { startProxy, type Proxy } from "../../support/peers/proxies";
import { PASSWORD, serve } from "./served";

const served = serve();
let proxy: Proxy | undefined;
afterEach(async () => {
  await proxy?.stop();
  proxy = undefined;
});

it.each([
  ["nginx", "/"],
  ["nginx", "/bms/"],
  ["caddy", "/"],
  ["caddy", "/bms/"],
  ["haproxy", "/"],
  ["haproxy", "/bms/"],
] as const)("%s: signs in, shows live values, loads every screen and writes, all below %s", async (name, path) => {
  const system = await served.start();
  proxy = await startProxy(name, path !== "/", system.url);
  const { page } = await served.open({ url: `http://127.0.0.1:${proxy.port}` }, {}, path.slice(1));
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
  expect(cookies.find(({ name }) => name === "session")?.path).toBe(path);
  expect(cookies.find(({ name }) => name === "device")?.path).toBe(`${path}web/session`);
  expect(asked.filter((one) => !one.startsWith(path))).toEqual([]);
  expect(asked).toContain(`${path}web/events`);
});
