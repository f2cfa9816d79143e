import { expect, it } from "vitest";
import { startBroker } from "../../support/broker";
import { freePort } from "../../support/free-port";
import { serve } from "./served";

const served = serve();

it("MQTT shows its connection, the reason for a failure, and its traffic; saving waits for the result", async () => {
  const broker = await startBroker();
  const system = await served.start();
  const visit = await served.enter(system, {}, "#/device");
  const { page } = visit;
  const part = page.locator("details", { has: page.locator("summary", { hasText: /^MQTT$/ }) });
  await part.locator("summary").click();
  await part.getByText("State").waitFor();
  expect(await part.locator("dl").innerText()).toContain("Off");
  await part.getByRole("checkbox", { name: "MQTT" }).check();
  await part.getByLabel("Broker").fill("127.0.0.1");
  await part.getByLabel("Port").fill(String(await freePort()));
  await part.getByRole("button", { name: "Save" }).click();
  await part.getByText("Saved. The broker is not reachable").waitFor();
  expect(await part.locator("dl").innerText()).toContain("not reachable");

  await part.getByLabel("Port").fill(String(broker.port));
  await part.getByRole("button", { name: "Save" }).click();
  await part.getByText("Saved. Connected").waitFor();
  await part.getByRole("button", { name: "Test" }).click();
  await part.locator("[role=status]").last().getByText("Connected").waitFor();
  await expect.poll(() => part.locator("dl").innerText()).toMatch(/Messages sent\s+[1-9]/);
  expect(await visit.accessibility()).toEqual([]);

  await broker.end();
  await part.getByRole("button", { name: "Test" }).click();
  await part.locator("[role=status]").last().getByText("not reachable").waitFor();
});

it("the time screen shows when the server last answered, or why it did not; a test asks again", async () => {
  const system = await served.start();
  const { page } = await served.enter(system, {}, "#/device");
  const part = page.locator("details", { has: page.locator("summary", { hasText: /^Time$/ }) });
  await part.locator("summary").click();
  // RFC 6761: nobody knows that name.
  await part.getByLabel("Time server (SNTP)").fill("time.invalid");
  await part.getByRole("button", { name: "Save" }).click();
  await part.getByText("Saved. The time server's name was not found.").waitFor();
  await part.getByLabel("Time server (SNTP)").fill("127.0.0.1");
  await part.getByRole("button", { name: "Save" }).click();
  await part.getByText(/Saved. Synchronized .* ago/).waitFor();
  await part.getByRole("button", { name: "Test" }).click();
  await part
    .locator("[role=status]")
    .last()
    .getByText(/^Synchronized .* ago/)
    .waitFor();
});

it("SNMP shows whether it is running and what it has received", async () => {
  const system = await served.start();
  const { page } = await served.enter(system, {}, "#/device");
  const part = page.locator("details", { has: page.locator("summary", { hasText: /^SNMP$/ }) });
  await part.locator("summary").click();
  await expect.poll(() => part.locator("dl").innerText()).toContain("Off");
  await part.getByRole("checkbox", { name: "SNMP" }).check();
  await part.getByLabel("Community", { exact: true }).fill("public");
  await part.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => part.locator("dl").innerText()).toContain("Running");
});
