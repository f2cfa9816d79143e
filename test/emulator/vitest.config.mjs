import { defineConfig } from "vitest/config";
import { aliases } from "../../host-sim/specifiers.mjs";

export default defineConfig({
  resolve: { alias: aliases },
  test: {
    globalSetup: "test/support/own-home.ts",
    include: ["test/emulator/*.test.ts"],
    // An emulated chip takes a processor of this machine for itself.
    fileParallelism: false,
    // The boards of heap.test.ts, side by side.
    maxConcurrency: 6,
    // Far more than anything takes: a busy machine is no failure, what hangs is.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    expect: { poll: { timeout: 600_000 } },
  },
});
