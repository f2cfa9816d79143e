/** npm run bench:demo: what the demonstration in a browser weighs, takes to start, and holds; the figures of docs/performance.md. */
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { setUp } from "./setup.mjs";

const RUNS = 3;
/** Until the start's garbage is gone, ms. */
const SETTLED = 5_000;

await setUp();
const { chromium } = await import("playwright-core");
const { chromiumPath } = await import("./chromium.mjs");
const { buildPage } = await import("./page.mjs");
const { buildDemo } = await import("../web-sim/build.mjs");
const { serveFolder } = await import("./static-files.mjs");

const kilobytes = (bytes) => `${Math.round(bytes / 1_000)} kB`;
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

/** Of the dedicated worker. */
async function heapOf(session) {
  const attached = new Promise((resolve) =>
    session.on("Target.attachedToTarget", (one) => one.targetInfo.type === "worker" && resolve(one.sessionId)),
  );
  await session.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  const sessionId = await attached;
  const ask = (id, method) =>
    new Promise((resolve) => {
      session.on("Target.receivedMessageFromTarget", ({ message }) => {
        const answer = JSON.parse(message);
        if (answer.id === id) resolve(answer.result);
      });
      void session.send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify({ id, method }) });
    });
  await ask(1, "HeapProfiler.collectGarbage");
  return ask(2, "Runtime.getHeapUsage");
}

await buildPage();
const files = await buildDemo();
const packed = Object.keys(files).map((name) => gzipSync(readFileSync(`build/demo/${name}`), { level: 9 }).length);
const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);
console.log(`files: ${kilobytes(sum(Object.values(files)))}, compressed by gzip ${kilobytes(sum(packed))}`);

const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
const { url, close } = await serveFolder("build/demo");
for (let run = 1; run <= RUNS; run++) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const ready = async (go) => {
    await go();
    const state = page.locator("#state", { hasText: "Ready" });
    await state.waitFor();
    return state.textContent();
  };
  const first = await ready(() => page.goto(url));
  const again = await ready(() => page.reload());
  await pause(SETTLED);
  const { usedSize, backingStorageSize } = await heapOf(await context.newCDPSession(page));
  console.log(
    `run ${run}: first visit: ${first}; reload: ${again}; heap of the worker ${megabytes(usedSize)}, ArrayBuffers ${megabytes(backingStorageSize)}`,
  );
  await context.close();
}
await browser.close();
await close();
