import { defineConfig } from "vitest/config";
import { aliases } from "./host-sim/specifiers.mjs";

/** Suites of the whole system, that run on the device's engine as well. */
const ON_BOTH_ENGINES = ["test/system/**/*.test.ts"];

export default defineConfig({
  resolve: { alias: aliases },
  test: {
    testTimeout: 30_000,
    coverage: { provider: "v8", include: ["src/**/*.ts", "modules/**/*.ts"], reporter: ["text", "json-summary"] },
    projects: [
      // test/xs-linux wants the Moddable SDK: npm run test:xs-linux.
      { extends: true, test: { name: "node", include: ["test/**/*.test.ts"], exclude: ["test/xs-linux/**"] } },
      { extends: true, test: { name: "xs", include: ON_BOTH_ENGINES, env: { ENGINE: "xs" } } },
    ],
  },
});
