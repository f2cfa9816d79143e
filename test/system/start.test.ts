/** `npm start` on each engine; what no engine decides is in test/host-sim/start.test.ts. */
import { expect, it } from "vitest";
import { freePort } from "../support/free-port";
import { runProgram } from "../support/run-program";
import { PROMPT, start } from "../support/system/npm-start";
import { WebClient } from "../support/web/web-client";

it("npm start prints an address, a token and three commands that work as printed, and exits cleanly on Ctrl-C", async () => {
  const port = await freePort();
  const { printed, ended, signal } = start(
    "--port",
    String(port),
    "--token",
    "a-token-for-the-test",
    "--password",
    "for-the-page",
  );
  await expect.poll(printed).toContain(PROMPT);
  expect(printed()).toContain("Password for-the-page\n");
  expect(printed()).not.toContain("has not answered");
  expect(printed()).toContain(`  Address  http://127.0.0.1:${port}\n`);
  expect(printed()).toContain("a-token-for-the-test");
  const page = new WebClient({ url: `http://127.0.0.1:${port}` });
  expect((await page.signIn("for-the-page")).status).toBe(200);
  expect((await page.get("/web/status")).status).toBe(200);

  const commands = printed()
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("curl "));
  expect(commands).toHaveLength(3);
  const [status = "", command = "", queue = ""] = commands;
  const run = async (text: string): Promise<unknown> =>
    JSON.parse((await runProgram("sh", ["-c", text.replace("curl ", "curl -s ")])).stdout);
  expect(await run(status)).toMatchObject({ success: true, data: { online: true } });
  expect(await run(command)).toMatchObject({ success: true, status: "queued" });
  await expect
    .poll(() => run(queue))
    .toMatchObject({
      data: { pending: false, lastCommandOk: true, lastCommand: "charge_mos off: confirmed by the BMS." },
    });

  signal("SIGINT");
  // 0, or null where npm's shell was ended by the signal itself.
  expect([0, null]).toContain(await ended);
  expect(printed()).not.toMatch(/error/i);
  await expect(run(queue)).rejects.toThrow();
});

it("npm start --trouble: the firmware reports what happened to the chip after it restarts", async () => {
  const port = await freePort();
  const { printed } = start("--port", String(port), "--password", "for-the-page", "--trouble", "panic:at=3:times=1");
  await expect.poll(printed).toContain("simulator: panic\n");
  const reason = async (): Promise<unknown> => {
    const page = new WebClient({ url: `http://127.0.0.1:${port}` });
    await page.signIn("for-the-page");
    const { data } = (await page.get("/web/device")).json as { data?: { start: object } };
    return data?.start;
  };
  await expect.poll(() => reason().catch(() => undefined)).toMatchObject({ reason: "panic", restarts: 1 });
});
