import { expect, it, onTestFinished } from "vitest";
import { System } from "../support/system/system";

it("while time stands, requests are answered, even if it stopped in the middle of a long callback", async () => {
  const system = await System.start();
  onTestFinished(() => system.stop());
  const { clock, script } = system.board;
  const begun = clock.now;
  script.busyFor(60_000);
  await system.whileTimeStands(async () => {
    const stoodAt = clock.now;
    expect(stoodAt - begun).toBeGreaterThanOrEqual(60_000);
    expect((await system.get("/api")).status).toBe(200);
    script.busyFor(60_000);
    system.skip(10);
    expect((await system.get("/api")).status).toBe(200);
    expect(clock.now - stoodAt).toBeGreaterThanOrEqual(60_000);
    // Nobody is busy on a device without power.
    system.board.powerOff();
    system.skip(10);
  });
});
