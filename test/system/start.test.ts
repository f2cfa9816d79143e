import { spawn, type ChildProcess } from "node:child_process";
import { createServer, type AddressInfo } from "node:net";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { ENGINE } from "../support/system/engines";
import { freePort } from "../support/free-port";
import { ModbusClient } from "../support/modbus/modbus-client";
import { setUpCode, type WebAnswer, WebClient } from "../support/web/web-client";
import { runProgram } from "../support/run-program";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PROMPT = "Ctrl-C ends it.";

let child: ChildProcess | undefined;

/** Signals npm and everything it started, as a terminal does. */
function signal(name: NodeJS.Signals): void {
  try {
    if (child?.pid !== undefined) process.kill(-child.pid, name);
  } catch {
    // No process is left.
  }
}
afterEach(() => signal("SIGKILL"));

/** `npm start -- …`: what it printed until it was ready or ended, and how it ends. */
function start(...parameters: string[]): { printed: () => string; ended: Promise<number | null> } {
  let printed = "";
  const started = spawn("npm", ["start", "--silent", "--", "--engine", ENGINE, ...parameters], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  child = started;
  for (const stream of [started.stdout, started.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
  return { printed: () => printed, ended: new Promise((resolve) => started.once("close", (code) => resolve(code))) };
}

it("npm start prints an address, a token and three commands that work as printed, and exits cleanly on Ctrl-C", async () => {
  const port = await freePort();
  const { printed, ended } = start(
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

it("npm start says so if the BMS has not answered", async () => {
  const { printed } = start("--port", String(await freePort()), "--fault", "no-answer:every=1");
  await expect.poll(printed).toContain(PROMPT);
  expect(printed()).toContain("The BMS has not answered yet: until then its values are unknown.");
});

it("npm start leaves no process behind when only npm is terminated", async () => {
  const port = await freePort();
  const { printed } = start("--port", String(port), "--token", "a-token-for-the-test");
  await expect.poll(printed).toContain(PROMPT);
  expect(printed()).toContain("Password none yet: choose one at this address, which has the set-up code\n");
  const code = setUpCode([printed()]);
  expect(printed()).toContain(`  Address  http://127.0.0.1:${port}/#code=${code}\n`);
  // The firmware itself prints it too, as on a board.
  expect(printed()).toContain(`web: choose the password at http://127.0.0.1:${port}/#code=${code} (`);
  child?.kill("SIGTERM");
  const answers = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/api`).then(
      () => true,
      () => false,
    );
  await expect.poll(answers).toBe(false);
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

it("npm start with the web server's port stored for Modbus: the page answers, names it, and takes another", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ports-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [port, other] = [await freePort(), await freePort()];
  const storage = join(folder, "nvs.json");
  const of = (values: object): object => ({ string: JSON.stringify({ version: 1, values }) });
  const modbus = of({ enabled: true, port, clients: "" });
  const groups = { web: of({ password: "" }), api: of({ enabled: true, token: "0123456789abcdef" }), modbus };
  writeFileSync(storage, JSON.stringify({ settings: groups }));
  const { printed } = start("--port", `${port}`, "--storage", storage, "--password", "for-the-page");
  await expect.poll(printed).toContain(PROMPT);
  const page = new WebClient({ url: `http://127.0.0.1:${port}` });
  await page.signIn("for-the-page");
  const told = (await page.get("/web/device")).json as { data: { start: { problems: string[] } } };
  expect(told.data.start.problems).toEqual(["same\tmodbus.port\tHTTP"]);
  const save = (change: object): Promise<WebAnswer> => page.post("/web/group/modbus", change);
  expect(await save({ enabled: true })).toMatchObject({ status: 400, json: { error: "equal\tmodbus.port\tHTTP" } });
  expect((await save({ port: other })).status).toBe(200);
  await expect
    .poll(() =>
      ModbusClient.open(other).then(
        (client) => client.close(),
        (error: unknown) => String(error),
      ),
    )
    .toBeUndefined();
  const client = await ModbusClient.open(other);
  onTestFinished(() => client.close());
  expect((await client.read(1, 40_000, 2)).toString("latin1")).toContain("SunS");
});

it("npm start names the option of Modbus where another program has its port", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { printed, ended } = start("--port", `${await freePort()}`, "--modbus", `${port}`);
  expect(await ended).not.toBe(0);
  expect(printed()).toContain(
    `port ${port} on 127.0.0.1 is in use: end the program that has it, or choose another with --modbus\n`,
  );
});

it("npm start reports invalid options and does not start", async () => {
  const { printed, ended } = start("--fault", "gremlins");
  expect(await ended).not.toBe(0);
  expect(printed()).toContain("gremlins");
  expect(printed()).toContain("no-answer");
  expect(printed()).not.toContain(PROMPT);
});
