/** For scripts/mutate.mjs, which names the files to mutate and their tests. */
const out = process.env.MUTATE_OUT;

export default {
  packageManager: "npm",
  plugins: ["@stryker-mutator/vitest-runner", "./test/mutation/ignore.mjs"],
  ignorers: ["deep-freeze"],
  testRunner: "vitest",
  vitest: { configFile: "test/mutation/vitest.config.mjs", related: false },
  coverageAnalysis: "perTest",
  // A mutant is a whole run of its tests: more at a time only makes each of them slower on a small machine.
  concurrency: 1,
  timeoutMS: 10_000,
  // Types are stripped, not checked: the sandbox needs no @ts-nocheck in every file.
  disableTypeChecks: false,
  ignorePatterns: [".cache", "build", "coverage", "linux", "docs/images"],
  tempDirName: `${out}/sandbox`,
  incrementalFile: `${out}/incremental.json`,
  reporters: ["progress-append-only", "clear-text", "html", "json"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: `${out}/report.html` },
  jsonReporter: { fileName: `${out}/report.json` },
  thresholds: { high: 95, low: 90, break: 90 },
};
