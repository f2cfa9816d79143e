import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import { aliases } from "../../host-sim/specifiers.mjs";

/** Milliseconds of each file in StrykerJS's first run, which is of all tests. */
/** @type {Map<string, number>} */
const durations = new Map();

/** StrykerJS looks at tests only: a file that a mutant keeps from loading has none, so it is given one that has failed. */
/** @type {any} */
const loadingIsATest = {
  onTestModuleEnd({ task: file }) {
    if (!durations.has(file.filepath)) durations.set(file.filepath, file.result?.duration ?? 0);
    if (file.result?.state === "fail" && !file.tasks.length)
      file.tasks.push({ type: "test", name: "loads", mode: "run", meta: {}, file, result: file.result });
  },
};

/** The first test that fails ends the run of a mutant: what is quick comes first, and what is slow is for what that lets pass. */
class QuickFirst extends BaseSequencer {
  /** @override */
  async sort(files) {
    const durationOf = ({ moduleId }) => durations.get(moduleId) ?? 0;
    return (await super.sort(files)).sort((a, b) => durationOf(a) - durationOf(b));
  }
}

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
      // Minutes and hours of a bus: nine tenths of the processor time of test/bms.
      "test/bms/{all-packs,bank,bank-writes,beside-master,faulty-line,longest-gap,lossy-bank,slow-packs,system-log,write-queue.model}.test.ts",
    ],
    // The files of a run share their modules: a mutant is switched on, not loaded.
    isolate: false,
    sequence: { sequencer: QuickFirst },
    restoreMocks: true,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: [loadingIsATest],
  },
});
