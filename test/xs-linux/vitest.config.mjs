import { defineConfig } from "vitest/config";
import { aliases } from "../../host-sim/specifiers.mjs";

export default defineConfig({
  resolve: { alias: aliases },
  test: {
    globalSetup: "test/support/own-home.ts",
    include: ["test/xs-linux/*.test.ts"],
    // Firmware lives in real time here: its tests mostly wait, side by side. Files do not, since abuse takes all of a processor.
    fileParallelism: false,
    maxConcurrency: 12,
    // Far more than anything takes: a busy machine is no failure, what hangs is.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
