import { defineConfig } from "vitest/config";
import { aliases } from "../../host-sim/specifiers.mjs";

/** StrykerJS looks at tests only: a file that a mutant keeps from loading has none, so it is given one that has failed. */
/** @type {any} */
const loadingIsATest = {
  onTestModuleEnd({ task: file }) {
    if (file.result?.state === "fail" && !file.tasks.length)
      file.tasks.push({ type: "test", name: "loads", mode: "run", meta: {}, file, result: file.result });
  },
};

/** The tests that scripts/mutate.mjs names: those of the mutated code, on Node. */
export default defineConfig({
  resolve: { alias: aliases },
  test: {
    include: process.env.MUTATE_TESTS?.split(",") ?? [],
    exclude: [
      // It tests a program of its own, where no mutant is active.
      "test/jk-bms/decode.test.ts",
      // It puts another table in the place of a module, which the others share with it.
      "test/history/added-field.test.ts",
      // Real sockets and random requests: too slow to run for every survivor.
      "test/http-server/{abuse,sockets,properties}.test.ts",
    ],
    // The files of a run share their modules: a mutant is switched on, not loaded.
    isolate: false,
    restoreMocks: true,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: [loadingIsATest],
  },
});
