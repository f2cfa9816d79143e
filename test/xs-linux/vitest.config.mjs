import { defineConfig } from "vitest/config";
import { aliases } from "../../host-sim/specifiers.mjs";

export default defineConfig({
  resolve: { alias: aliases },
  test: {
    include: ["test/xs-linux/*.test.ts"],
    // One firmware at a time: they live in real time.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
