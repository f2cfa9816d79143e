import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../support/free-port";
import { Cursor } from "flash-log/cursor";
import { FlashFile } from "../../host-sim/flash-file";
import { DAYS, FIRST_SECTOR, SECTORS } from "../../src/history/layout";
import { RecordStore } from "../../src/history/record-store";
import { Client, until } from "../support/system/simulated-board";

let program: string;
const folder = mkdtempSync(join(tmpdir(), "host-sim-"));
const running: ChildProcess[] = [];

beforeAll(async () => {
  // @ts-expect-error a script without declarations
  const { bundle } = (await import("../../scripts/bundle.mjs")) as {
    bundle: (entry: string, out: string) => Promise<string>;
  };
  program = await bundle("test/support/system/host-sim-program.ts", "host-sim-program");
});

afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Started {
  child: ChildProcess;
  out: () => string;
  err: () => string;
  ended: Promise<{ code: number | null; signal: string | null }>;
}

function launch(...parameters: string[]): Started {
  const child = spawn(process.execPath, [program, ...parameters], { stdio: ["ignore", "pipe", "pipe"] });
  running.push(child);
  let out = "";
  let err = "";
  child.stdout.on("data", (text: Buffer) => (out += text.toString()));
  child.stderr.on("data", (text: Buffer) => (err += text.toString()));
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once("close", (code, signal) => resolve({ code, signal })),
  );
  return { child, out: () => out, err: () => err, ended };
}

function childrenOf({ pid }: ChildProcess): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children.split(" ").filter(Boolean).map(Number);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function ask(port: number): Promise<string> {
  const client = new Client(port);
  client.socket.write("GET / HTTP/1.0\r\n\r\n");
  await until(() => client.ended || client.closed);
  client.socket.destroy();
  return client.text;
}

describe("npm start", () => {
  it("has a past of so many days in the file before it answers, and keeps it when it starts again", async () => {
    const storage = join(folder, "past.json");
    const port = await freePort();
    const { child, out, ended } = launch("--port", `${port}`, "--storage", storage, "--history", "20", "--seed", "3");
    await until(() => out().includes("Ctrl-C"));
    expect(await ask(port)).toContain(" 200 OK");
    child.kill("SIGINT");
    await ended;
    const times = (ring: number): number[] => {
      const path = `${storage}.history`;
      const found: number[] = [];
      const cursor = new Cursor(new RecordStore(new FlashFile(FIRST_SECTOR + SECTORS, path)).rings[ring]!);
      while (cursor.next()) found.push(cursor.time!);
      return found;
    };
    const today = Math.floor(Date.now() / 86_400_000) * 86_400;
    // Midnight may have passed since.
    const days = times(DAYS);
    expect([today, today - 86_400]).toContain(days.at(-1)! + 86_400);
    expect(days.map((time) => (time - days[0]!) / 86_400)).toEqual(days.map((_, index) => index));
    expect(days).toHaveLength(20);

    const again = launch("--port", `${port}`, "--storage", storage);
    await until(() => again.out().includes("Ctrl-C"));
    again.child.kill("SIGINT");
    await again.ended;
    expect(times(DAYS)).toEqual(days);
  });

  it("runs the firmware against the BMS in real time, prints how to use it, and exits on Ctrl-C", async () => {
    const port = await freePort();
    const order = ["--model", "JK_PB2A16S20P", "--fault", "bad-crc:every=3", "--time-factor", "60", "--seed", "7"];
    const { child, out, err, ended } = launch("--port", `${port}`, "--token", "it's-me", ...order);
    await until(() => out().includes("Ctrl-C"));
    expect(out()).toContain(`http://127.0.0.1:${port}/api/bms/status`);
    expect(out()).toContain("it's-me");
    const commands = out().match(/^ {4}curl .*$/gm) ?? [];
    expect(commands.map((command) => command.replace(/.*:\d+/, ""))).toEqual([
      "/api/bms/status",
      "/api/bms/commands",
      "/api/bms/commands",
    ]);
    expect(commands[1]).toContain("-d '{");
    for (const command of commands) expect(command).toContain(`-H 'Authorization: Bearer it'\\''s-me'`);
    expect(await ask(port)).toContain(
      '{"model":"JK_PB2A16S20P","seed":7,"master":false,"faults":["bad-crc:every=3"],"masterFaults":[],"beside":[],"timeFactor":60}.',
    );
    child.kill("SIGINT");
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(err()).toBe("");
  });

  it("exits on SIGTERM too, even with a client connected", async () => {
    const port = await freePort();
    const { child, out, ended } = launch("--port", `${port}`);
    await until(() => out().includes("Ctrl-C"));
    const client = await new Client(port).connected();
    child.kill("SIGTERM");
    expect(await ended).toEqual({ code: 0, signal: null });
    client.socket.destroy();
  });

  it("keeps its settings in the storage file; a token on the command line overrides the stored one", async () => {
    const storage = join(folder, "nvs.json");
    for (const [parameters, token] of [
      [["--token", "first"], "first"],
      [[], "first"],
      [["--token", "second"], "second"],
    ] as const) {
      const { child, out, ended } = launch("--port", `${await freePort()}`, "--storage", storage, ...parameters);
      await until(() => out().includes("Ctrl-C"));
      expect(out()).toContain(`Token    ${token}\n`);
      child.kill("SIGINT");
      await ended;
    }
  });

  it("connects a pseudo-terminal to the wire that another board can use as its serial port", async () => {
    const [port, other] = [await freePort(), await freePort()];
    const first = launch("--port", `${port}`, "--pty", "--baud", "9600");
    await until(() => first.out().includes("Ctrl-C"));
    const path = /BMS bus +also on (\S+)/.exec(first.out())?.[1] ?? "";
    const second = launch("--port", `${other}`, "--serial", path, "--baud", "9600");
    await until(() => second.out().includes("Ctrl-C"));
    expect(await ask(other)).toContain('"baud":9600');
    expect(await ask(port)).toContain('"baud":9600');
    // One for the board that has it open, one that waits for the next program.
    const helpers = childrenOf(first.child);
    expect(helpers.map(isRunning)).toEqual([true, true]);
    for (const { child, ended } of [second, first]) {
      child.kill("SIGINT");
      expect(await ended).toEqual({ code: 0, signal: null });
    }
    // The pseudo-terminal goes with the program that holds it; its path may be another one's by now.
    await until(() => !helpers.some(isRunning));
  });

  it("leaves no pseudo-terminal behind, however it ends", async () => {
    const { child, out, ended } = launch("--port", `${await freePort()}`, "--pty");
    await until(() => out().includes("Ctrl-C"));
    const helpers = childrenOf(child);
    expect(helpers.map(isRunning)).toEqual([true]);
    child.kill("SIGKILL");
    await ended;
    await until(() => !helpers.some(isRunning));
  });

  it("reports a port in use and takes no other", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const { err, out, ended } = launch("--port", `${port}`);
    expect(await ended).toEqual({ code: 1, signal: null });
    expect(err()).toBe(
      `port ${port} on 127.0.0.1 is in use: end the program that has it, or choose another with --port\n`,
    );
    expect(out()).toBe("");
    server.close();
  });

  it.each([
    [["--wrong"], 2, /^Unknown option '--wrong'/],
    [["--model", "none"], 2, /^no such model: none\n$/],
    [["--replay", "/nowhere"], 2, /^ENOENT: .*\/nowhere/],
    [["--serial", "/dev/nowhere"], 1, /^cannot open \/dev\/nowhere: /],
    [["--bind", "192.0.2.1"], 1, /^192\.0\.2\.1 is no address of this machine/],
  ] as const)("refuses %j with one line", async (parameters, code, message) => {
    const { err, out, ended } = launch("--port", `${await freePort()}`, ...parameters);
    expect(await ended).toEqual({ code, signal: null });
    expect(err()).toMatch(message);
    expect(err().trim().split("\n")).toHaveLength(1);
    expect(out()).toBe("");
  });

  it("explains itself", async () => {
    const { out, ended } = launch("--help");
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(out()).toContain("--time-factor");
    expect(out()).toContain("a bit is flipped");
  });
});
