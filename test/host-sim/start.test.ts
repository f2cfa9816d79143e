/** What `npm start` says and does, whatever engine runs the firmware. */
import { createServer, type AddressInfo } from "node:net";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../support/free-port";
import { ModbusClient } from "../support/modbus/modbus-client";
import { PROMPT, start } from "../support/system/npm-start";
import { setUpCode, type WebAnswer, WebClient } from "../support/web/web-client";

it("npm start says so if the BMS has not answered", async () => {
  const { printed } = start("--port", String(await freePort()), "--fault", "no-answer:every=1");
  await expect.poll(printed).toContain(PROMPT);
  expect(printed()).toContain("The BMS has not answered yet: until then its values are unknown.");
});

it("npm start leaves no process behind when only npm is terminated", async () => {
  const port = await freePort();
  const { printed, kill } = start("--port", String(port), "--token", "a-token-for-the-test");
  await expect.poll(printed).toContain(PROMPT);
  expect(printed()).toContain("Password none yet: choose one at this address, which has the set-up code\n");
  const code = setUpCode([printed()]);
  expect(printed()).toContain(`  Address  http://127.0.0.1:${port}/#code=${code}\n`);
  // The firmware itself prints it too, as on a board.
  expect(printed()).toContain(`web: choose the password at http://127.0.0.1:${port}/#code=${code} (`);
  kill();
  const answers = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/api`).then(
      () => true,
      () => false,
    );
  await expect.poll(answers).toBe(false);
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
