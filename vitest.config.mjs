import { defineConfig } from "vitest/config";
import { aliases } from "./host-sim/specifiers.mjs";

export default defineConfig({
  resolve: { alias: aliases },
  test: {
    include: ["test/**/*.test.ts"],
    // These want the Moddable SDK: npm run test:xs-linux.
    exclude: ["test/xs-linux/**"],
    testTimeout: 30_000,
    coverage: { provider: "v8", include: ["src/**/*.ts", "modules/**/*.ts"], reporter: ["text", "json-summary"] },
  },
});
