/** Restarts of the firmware on the SDK's own XS: each run is a process of its own, and a file holds what the chip would keep. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hashPassword } from "../../host-sim/password";
import { MEMORY_LOOKS, MIN_BLOCK, MIN_FREE, SAFE_RESTARTS, SUPERVISION_INTERVAL } from "../../src/health/limits";
import { LinuxSystem } from "../support/system/linux-system";
import { TOKEN } from "../support/system/system";
import { WebClient } from "../support/web/web-client";
import manifest from "../../manifest.json";

/** Bytes of chunks that the program has. */
const CHUNKS = Number(process.env["BMS_MEMORY"]?.split(",")[1] ?? manifest.creation.chunk.initial);

const PASSWORD = "Lítio-280-Ah";

interface Start {
  readonly reason: string;
  readonly restarts: number;
  readonly where: string;
  readonly safeMode: boolean;
}

interface Line {
  readonly text: string;
  readonly before?: boolean;
}

let folder: string;
let running: LinuxSystem | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bms-kept-"));
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  rmSync(folder, { recursive: true });
});

/** Switches the device on, or lets it start again. */
async function start(): Promise<LinuxSystem> {
  const web = { password: hashPassword(PASSWORD, 100) };
  return (running = await LinuxSystem.start({ storage: folder, kept: join(folder, "kept"), settings: { web } }));
}

/** The run has ended by itself: how. */
async function ended(system: LinuxSystem): Promise<string> {
  running = undefined;
  return system.ended();
}

async function powerCut(system: LinuxSystem): Promise<void> {
  running = undefined;
  await system.stop();
}

async function crash(system: LinuxSystem): Promise<void> {
  await system.program.order({ order: "crash" });
  expect(await ended(system)).toContain("ended with 70");
}

async function client(system: LinuxSystem): Promise<WebClient> {
  const client = new WebClient({ url: system.baseUrl });
  await client.signIn(PASSWORD);
  return client;
}

const startOf = async (system: LinuxSystem): Promise<Start> =>
  ((await (await client(system)).get("/web/device")).json as { data: { start: Start } }).data.start;

const logOf = async (system: LinuxSystem): Promise<Line[]> =>
  ((await (await client(system)).get("/web/log")).json as { data: Line[] }).data;

describe("a start", () => {
  it("is a power-on the first time and after a power cut, with nothing retained", async () => {
    const first = await start();
    expect(await startOf(first)).toMatchObject({ reason: "power-on", restarts: 0, where: "", safeMode: false });
    await crash(first);
    const second = await start();
    expect(await startOf(second)).toMatchObject({ reason: "script-aborted", restarts: 1 });
    await powerCut(second);
    const third = await start();
    expect(await startOf(third)).toMatchObject({ reason: "power-on", restarts: 0, where: "" });
    expect((await logOf(third)).filter(({ before }) => before)).toEqual([]);
  });

  it("after a crash reports its location once, and keeps the earlier log", async () => {
    const first = await start();
    await expect.poll(async () => (await logOf(first)).map(({ text }) => text)).toContain("bms-online");
    await crash(first);
    const second = await start();
    expect((await startOf(second)).where).toMatch(/^unhandled exception: Error: crash/);
    const before = (await logOf(second)).filter((line) => line.before).map(({ text }) => text);
    expect(before).toContain("bms-online");
    await powerCut(second);
    expect((await startOf(await start())).where).toBe("");
  });

  it.each([
    ["exhaust slots", "memory full"],
    ["exhaust chunks", "memory full"],
    ["exhaust every chunk", "memory full"],
    ["recurse", "stack overflow"],
    ["reject", "unhandled rejection: Error: rejected"],
    ["throw a string", "unhandled exception: no error"],
  ])("after the script could not go on (%s) says so: %s", async (order, where) => {
    const first = await start();
    await first.program.order({ order, room: CHUNKS });
    expect(await ended(first)).toContain("ended with 70");
    expect(await startOf(await start())).toMatchObject({
      reason: "script-aborted",
      restarts: 1,
      where: expect.stringMatching(`^${where}`) as string,
    });
  });

  it.each([
    ["SIGALRM", "task-watchdog", "main"],
    ["SIGPWR", "brown-out", ""],
  ] as const)("after %s is %s", async (signal, reason, where) => {
    const first = await start();
    // Nobody answers.
    void first.program.order({ order: "hang" }).catch(() => undefined);
    first.program.signal(signal);
    expect(await ended(first)).toContain("ended with 70");
    expect(await startOf(await start())).toMatchObject({ reason, restarts: 1, where });
  });
});

it("the supervisor restarts only a device that runs out of memory", async () => {
  const first = await start();
  await first.program.order({ order: "heap", free: MIN_FREE, least: 0, block: MIN_BLOCK });
  const looks = (count: number): Promise<void> => first.run(count * SUPERVISION_INTERVAL);
  await looks(2 * MEMORY_LOOKS);
  expect(first.program.exit).toBeUndefined();
  await first.program.order({ order: "heap", free: MIN_FREE - 1, least: 0, block: MIN_BLOCK });
  expect(await ended(first)).toContain("ended with 0");
  expect(first.console).toContain("restart");
  expect(await startOf(await start())).toMatchObject({ reason: "low-memory", restarts: 1 });
});

it("a firmware that keeps crashing ends in safe mode, which an ordered restart leaves", async () => {
  for (let count = 0; count < SAFE_RESTARTS; count++) await crash(await start());
  const safe = await start();
  expect(await startOf(safe)).toMatchObject({ reason: "script-aborted", restarts: SAFE_RESTARTS, safeMode: true });
  expect((await logOf(safe)).at(-1)?.text).toBe("safe-mode");
  const headers = { authorization: `Bearer ${TOKEN}` };
  expect((await fetch(`${safe.baseUrl}/api/bms/status`, { headers })).status).toBe(503);
  await powerCut(safe);

  const still = await start();
  expect(await startOf(still)).toMatchObject({ reason: "power-on", safeMode: true });
  expect((await (await client(still)).post("/web/restart", {})).status).toBe(204);
  expect(await ended(still)).toContain("ended with 0");
  const again = await start();
  expect(await startOf(again)).toMatchObject({ reason: "ordered", safeMode: false });
  await expect.poll(async () => (await logOf(again)).map(({ text }) => text)).toContain("bms-online");
});
