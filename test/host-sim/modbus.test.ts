/** `npm start -- --modbus PORT`: the whole program, with a client on the same machine. */
import { spawn, type ChildProcess } from "node:child_process";
import { afterEach, beforeAll, expect, it } from "vitest";
import { freePort } from "../support/free-port";
import { ModbusClient } from "../support/modbus/modbus-client";

let program: string;
beforeAll(async () => {
  // @ts-expect-error a script without declarations
  const { bundle } = (await import("../../scripts/bundle.mjs")) as {
    bundle: (entry: string, out: string) => Promise<string>;
  };
  program = await bundle("host-sim/main.ts", "host-sim-modbus");
});

let running: ChildProcess | undefined;
afterEach(() => void running?.kill("SIGKILL"));

/** Starts the simulator; resolves once it is ready. */
async function launch(...parameters: string[]): Promise<void> {
  const ports = ["--port", `${await freePort()}`, "--snmp-port", `${await freePort()}`];
  running = spawn(process.execPath, [program, ...ports, ...parameters]);
  let out = "";
  running.stdout?.on("data", (text: Buffer) => (out += text.toString()));
  await expect.poll(() => out).toContain("Ctrl-C");
}

it.each(["node", "xs"])("serves Modbus TCP at the port, on %s", async (engine) => {
  const port = await freePort();
  await launch("--modbus", `${port}`, "--packs", "3", "--engine", engine);
  const client = await ModbusClient.open(port);
  expect((await client.read(1, 40_000, 2)).toString()).toBe("SunS");
  const packs = async (): Promise<number[]> => {
    const words = await client.read(1, 1_032, 4);
    return [words.readInt32BE(0), words.readInt32BE(4)];
  };
  await expect.poll(packs).toEqual([3, 3]);
  expect((await client.read(103, 1_000, 2)).readInt32BE(0)).toBeGreaterThan(0);
  client.close();
});
