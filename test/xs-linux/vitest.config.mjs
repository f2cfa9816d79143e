import { defineConfig } from "vitest/config";
import { aliases } from "../../host-sim/specifiers.mjs";
import { LONGEST_TEST, PATIENCE } from "../support/patience.ts";

export default defineConfig({
  resolve: { alias: aliases },
  test: {
    globalSetup: "test/support/own-home.ts",
    include: ["test/xs-linux/*.test.ts"],
    // Time is virtual (test/support/system/lock-step.ts); what is asked over real sockets shares the processor with nobody.
    fileParallelism: false,
    // Far more than anything takes: a busy machine is no failure, what hangs is.
    testTimeout: LONGEST_TEST,
    hookTimeout: LONGEST_TEST,
    expect: { poll: { timeout: PATIENCE } },
  },
});
