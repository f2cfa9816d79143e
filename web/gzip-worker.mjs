/**
 * Runs Zopfli on `workerData`. In a thread of its own because Zopfli's module adds handlers to `process`, one of which ends it at an
 * unhandled rejection.
 */
import { parentPort, workerData } from "node:worker_threads";
import zopfli from "@gfx/zopfli";

parentPort?.postMessage(await zopfli.gzipAsync(workerData.content, workerData.options));
