/** `npm run bench:demo [-- --write]`: what the demonstration in a browser weighs, takes to start, and holds, in docs/figures.md. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { chromium, type CDPSession } from "playwright-core";
import { chromiumPath } from "../../scripts/chromium.mjs";
import { serveFolder } from "../../scripts/static-files.mjs";
import type { Cell } from "./figures";
import { table, writeIfAsked } from "./table";

const FOLDER = "build/demo";
const RUNS = 3;
/** Until the start's garbage is gone, ms. */
const SETTLED = 5_000;

const files = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`));
const kilobytes = (all: readonly Buffer[]): Cell =>
  `${Math.round(all.reduce((total, { length }) => total + length, 0) / 1_000)} kB`;
const megabytes = (bytes: number): Cell => `${(bytes / 1e6).toFixed(1)} MB`;

interface Heap {
  readonly usedSize: number;
  readonly backingStorageSize: number;
}

/** Of the dedicated worker. */
async function heapOf(session: CDPSession): Promise<Heap> {
  const attached = new Promise<string>((resolve) =>
    session.on("Target.attachedToTarget", (one) => {
      if (one.targetInfo.type === "worker") resolve(one.sessionId);
    }),
  );
  await session.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  const sessionId = await attached;
  const ask = (id: number, method: string): Promise<Heap> =>
    new Promise((resolve) => {
      session.on("Target.receivedMessageFromTarget", ({ message }) => {
        const answer = JSON.parse(message) as { id: number; result: Heap };
        if (answer.id === id) resolve(answer.result);
      });
      void session.send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify({ id, method }) });
    });
  await ask(1, "HeapProfiler.collectGarbage");
  return ask(2, "Runtime.getHeapUsage");
}

table(
  "The demonstration's files",
  ["what", "size"],
  [
    ["all", kilobytes(files)],
    ["compressed by gzip", kilobytes(files.map((file) => gzipSync(file, { level: 9 })))],
  ],
);

const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
const { url, close } = await serveFolder(FOLDER);
const rows: Cell[][] = [];
for (let run = 1; run <= RUNS; run++) {
  const context = await browser.newContext();
  const page = await context.newPage();
  /** As the page says: how long it took. */
  const ready = async (go: () => Promise<unknown>): Promise<string> => {
    await go();
    const state = page.locator("#state", { hasText: "Ready" });
    await state.waitFor();
    return (await state.textContent()) ?? "";
  };
  const first = await ready(() => page.goto(url));
  const again = await ready(() => page.reload());
  await pause(SETTLED);
  const { usedSize, backingStorageSize } = await heapOf(await context.newCDPSession(page));
  rows.push([run, first, again, megabytes(usedSize), megabytes(backingStorageSize)]);
  await context.close();
}
await browser.close();
await close();
table(
  "Its start in Chromium, and what its worker holds 5 s later",
  ["run", "first visit", "reload", "JavaScript heap", "ArrayBuffers"],
  rows,
);
writeIfAsked("npm run bench:demo");
process.exit(0);
