import { expect, it } from "vitest";
import { WAIT_MS } from "../../../src/update/limits";
import { DEVICE_TEXTS } from "../../../web/texts/later/device";
import { makeKey, publicKeyOf, readKey } from "../../../scripts/image-signing.mjs";
import type { Visit } from "../../support/web/browser";
import { image } from "../../support/boards/image";
import { PASSWORD, serve } from "./served";

const served = serve();
/** Bytes of data in each of the two segments: an image of just under 2 MB, like a real one. */
const SIZE = 900_000;

async function choose(visit: Visit, content: Buffer): Promise<void> {
  await visit.page.locator("summary", { hasText: "Update" }).click();
  await upload(visit, content);
}

/** Of a file, with this part of the screen open. */
async function upload({ page }: Visit, content: Buffer): Promise<void> {
  await page
    .getByLabel("Firmware file")
    .setInputFiles({ name: "firmware.bin", mimeType: "application/octet-stream", buffer: content });
  await page.getByRole("button", { name: "Upload" }).click();
}

/** In the line of the group Maintenance. */
const shown = ({ page }: Visit, version: string) => page.getByText(`${DEVICE_TEXTS.en.device.version} ${version}`);

it("a good image uploads with progress, starts, and is confirmed", async () => {
  const system = await served.start();
  const visit = await served.enter(system, {}, "#/device");
  const { page } = visit;
  await system.whileTimeStands(async () => {
    // The upload waits until this write has ended.
    expect(system.probes.writeCommand("balance", false)).toBeUndefined();
    await choose(visit, image({ size: SIZE }));
    await page.locator("progress").waitFor();
    await system.skipUntil("the write has ended", () => !system.monitor().pending);
    system.skip(WAIT_MS);
    await page.getByText("Installed. The device restarts with the new version.").waitFor();
    expect(system.board.slots.running).toBe(0);
  });
  await system.until("the new image runs", () => system.board.slots.running === 1);
  await page.getByText("Your session has ended.").waitFor();
  await visit.signIn(PASSWORD);
  await shown(visit, "9.9.9").waitFor();
  await system.until("it counts as good", () => system.board.slots.states[1] === "valid");
  expect(system.probes.update()).toMatchObject({ state: "idle", onTrial: false });
  expect(visit.defects).toEqual([]);
});

it("a firmware without a key says that it accepts unsigned files, one with a key does not", async () => {
  for (const [updateKey, count] of [
    ["", 1],
    [publicKeyOf(readKey(makeKey())), 0],
  ] as const) {
    const system = await served.start({ board: { config: { updateKey } } });
    const { page } = await served.enter(system, {}, "#/device");
    await page.locator("summary", { hasText: "Update" }).click();
    await page.getByLabel("Firmware file").waitFor();
    expect(await page.getByText("This firmware accepts unsigned files").count()).toBe(count);
  }
});

it("a picture is rejected at once, however large it is, and a damaged image with the reason; nothing changes", async () => {
  const system = await served.start();
  const visit = await served.enter(system, {}, "#/device");
  const { page } = visit;
  await choose(visit, Buffer.alloc(1_500_000, "JFIF"));
  await page.getByText("Not updated: This is not a firmware image.").first().waitFor();
  const damaged = image({ size: 100_000 });
  damaged[50_000] = (damaged[50_000] as number) ^ 1;
  await upload(visit, damaged);
  await page.getByText("Not updated: The image is damaged: its SHA-256 does not match.").first().waitFor();
  // It is shown in two places, one of them a moment later.
  await expect.poll(() => page.getByText("This is not a firmware image.").count()).toBe(0);
  expect(system.board.slots.states[0]).toBe("valid");
  expect(system.probes.update().state).toBe("failed");
  expect((await system.get("/api")).status).toBe(200);
});

it("the old firmware keeps running after a power cut during the upload", async () => {
  const system = await served.start();
  const visit = await served.enter(system, {}, "#/device");
  const version = (await system.get("/api")).json.data.device.version as string;
  await choose(visit, image({ size: SIZE }));
  await system.until("a part of it is in", () => system.probes.update().received > 100_000);
  await system.powerCycle();
  await visit.page.getByText("Your session has ended.").waitFor();
  await visit.signIn(PASSWORD);
  await shown(visit, version).waitFor();
  expect(system.board.slots.running).toBe(0);
  await system.until("the BMS is polled again", () => system.monitor().online);
  expect(visit.defects).toEqual([]);
});

it("a failed image is reported after the rollback", async () => {
  const system = await served.start();
  const visit = await served.enter(system, {}, "#/device");
  system.bms.setOnline(false);
  await choose(visit, image({ size: 10_000 }));
  await system.until("the new image runs", () => system.board.slots.running === 1);
  await system.board.restarted;
  await system.powerCycle();
  expect(system.board.slots.states).toEqual(["valid", "bad"]);
  await visit.page.getByText("Your session has ended.").waitFor();
  await visit.signIn(PASSWORD);
  await visit.page.getByText("the new one did not start properly").waitFor();
});
