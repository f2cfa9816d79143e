import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import { aliases } from "./host-sim/specifiers.mjs";

/** Suites of the whole system, that run on the device's engine as well. */
const ON_BOTH_ENGINES = ["test/system/**/*.test.ts"];

/** Suites with programs, browsers and devices in real time: they wait more than they work. */
const WAITING = /\/test\/(system|browser|xs)\//;

/** Files at a time, at least: while some wait, others use the processor. */
const AT_ONCE = 6;

/** What waits begins first, so that the last minute is not one file's wait. */
class WaitingFirst extends BaseSequencer {
  async sort(files) {
    const sorted = await super.sort(files);
    const waits = ({ moduleId }) => WAITING.test(moduleId);
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}

export default defineConfig({
  resolve: { alias: aliases },
  test: {
    globalSetup: "test/support/own-home.ts",
    // Far more than anything takes: a busy machine is no failure, what hangs is.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 100_000 } },
    maxWorkers: Math.max(AT_ONCE, availableParallelism()),
    sequence: { sequencer: WaitingFirst },
    coverage: { provider: "v8", include: ["src/**/*.ts", "modules/**/*.ts"], reporter: ["text", "json-summary"] },
    projects: [
      // test/xs-linux wants the Moddable SDK: npm run test:xs-linux.
      { extends: true, test: { name: "node", include: ["test/**/*.test.ts"], exclude: ["test/xs-linux/**"] } },
      { extends: true, test: { name: "xs", include: ON_BOTH_ENGINES, env: { ENGINE: "xs" } } },
    ],
  },
});
