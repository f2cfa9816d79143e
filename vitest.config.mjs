import { defineConfig } from "vitest/config";
import { aliases } from "./host-sim/specifiers.mjs";

export default defineConfig({
  resolve: { alias: aliases },
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 30_000,
    coverage: { provider: "v8", include: ["src/**/*.ts", "modules/**/*.ts"], reporter: ["text", "json-summary"] },
  },
});
