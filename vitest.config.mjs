import { defineConfig } from "vitest/config";
import { aliases } from "./host-sim/specifiers.mjs";

/** The whole-system suites run on the device's engine as well. */
const ON_BOTH_ENGINES = ["test/system/**/*.test.ts"];

export default defineConfig({
  resolve: { alias: aliases },
  test: {
    testTimeout: 30_000,
    coverage: { provider: "v8", include: ["src/**", "modules/**"], reporter: ["text", "json-summary"] },
    projects: [
      { extends: true, test: { name: "node", include: ["test/**/*.test.ts"] } },
      { extends: true, test: { name: "xs", include: ON_BOTH_ENGINES, env: { ENGINE: "xs" } } },
    ],
  },
});
