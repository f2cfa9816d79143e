import { defineConfig } from "vitest/config";
import { aliases } from "../../host-sim/specifiers.mjs";

export default defineConfig({
  resolve: { alias: aliases },
  test: {
    globalSetup: "test/support/own-home.ts",
    include: ["test/xs-linux/*.test.ts"],
    // Time is virtual (test/support/system/lock-step.ts); what is asked over real sockets shares the processor with nobody.
    fileParallelism: false,
    // Far more than anything takes: a busy machine is no failure, what hangs is.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
