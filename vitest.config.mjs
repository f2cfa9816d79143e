import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import { aliases } from "./host-sim/specifiers.mjs";
import { findDaemons } from "./scripts/setup/debian.mjs";
import { LONGEST_TEST, PATIENCE } from "./test/support/patience.ts";
import { Slowest } from "./test/support/slowest.ts";

findDaemons();

/** Suites of the whole product, on the device's engine. ENGINE=node runs them on V8. */
const SYSTEM = "test/system/**/*.test.ts";

/**
 * Of those also on V8, which `npm start` uses: a start, writes, and what tries every case there and on XS, which is slower, a sample. The
 * page and an update on V8 are in test/browser/real.
 */
const ON_V8_TOO = [
  "cached-documents",
  "first-objects",
  "polls-under-load",
  "short-of-memory",
  "start",
  "states",
  "write-endings",
];
/**
 * What is a matter of no engine, in many virtual hours or of many packs: on XS it takes two to ten times as long. It runs there every night;
 * each interface has its own suite there, and all together test/xs/full-house.
 */
const ONLY_ON_V8 = [
  "bank-concerns",
  "boards-walk",
  "clock",
  "device-conditions",
  "history",
  "home-assistant",
  "modbus",
  "mqtt-packs",
  "polls-beside-history",
  "unread",
  "wrong-clock",
];
const ON_V8 = [...ON_V8_TOO, ...ONLY_ON_V8].map((name) => `${name}.test.ts`);
const ONLY_ON_XS = readdirSync("test/system")
  .filter((name) => name.endsWith(".test.ts") && !ON_V8.includes(name))
  .map((name) => `test/system/${name}`);
const NOT_ON_XS = process.env.ENGINE ? [] : ONLY_ON_V8.map((name) => `test/system/${name}.test.ts`);

const IN_BROWSER = "test/browser/**/*.test.ts";

/** Files with a worker of their own: they replace modules, hold serial ports or wait for C programs for most of their time. */
const APART = [
  "test/{native,xs}/**/*.test.ts",
  "test/api/walk.test.ts",
  "test/conditions/further-row.test.ts",
  "test/history/added-field.test.ts",
  "test/host-sim/{bridge,replay,run}.test.ts",
  "test/scripts/npm-packages.test.ts",
  "test/host-sim/bms/peers.test.ts",
  "test/{settings/new-group,notify/new-service}.test.ts",
  "test/system/first-objects.test.ts",
  "test/update/slots.test.ts",
];

/** Files share their worker's modules: loading them, and starting a worker, takes longer than many a file's tests. */
const SHARED = { isolate: false, restoreMocks: true };

/** Minimum number of parallel files: while some wait, others use the processor. On two cores, four or six take longer in all. */
const AT_ONCE = 5;

/** So many failed tests end the run: a few say what is wrong, and each that waits in vain takes PATIENCE. */
const ENOUGH_FAILED = 10;

/** Files that take some 7 s of processor time or more, the longest of a project first; in a fresh clone vitest has no timings. */
const LONG = [
  "browser/site",
  "browser/history",
  "browser/bank",
  "browser/device",
  "browser/real/screens",
  "browser/again",
  "browser/verdict",
  "browser/first-screen",
  "browser/web-sim/walk",
  "browser/real/first-start",
  "browser/web-sim/demo",
  "browser/preset",
  "browser/control",
  "browser/accessible",
  "xs/full-house",
  "native/firmware",
  "xs/memory",
  "native/tls",
  "xs/packs-memory",
  "system/abuse",
  "system/unread",
  "system/home-assistant",
  "system/snmp",
  "system/mqtt",
  "system/notify",
  "system/modbus",
  "system/update",
  "system/examples",
  "system/bank-concerns",
  "manifests/bundle",
  "bms/bank",
].map((name) => `/test/${name}.test.ts`);

/** Before all others: it waits for minutes and takes seconds. */
const WAITING = "/test/scripts/npm-packages.test.ts";

/** In this order, so that a worker is shared as long as possible, and many small files come last. */
const PROJECTS = ["browser", "apart", "xs", "node"];

/** Starts long files of a project first, so that no single file prolongs the run. */
class LongestFirst extends BaseSequencer {
  /** @override */
  async sort(files) {
    const rank = ({ moduleId, project }) => {
      if (moduleId.endsWith(WAITING)) return -1;
      const long = LONG.findIndex((name) => moduleId.endsWith(name));
      const length = moduleId.includes("/test/system/") ? LONG.length : LONG.length + 1;
      return PROJECTS.indexOf(project.name) * 100 + (long >= 0 ? long : length);
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  resolve: { alias: aliases },
  test: {
    globalSetup: ["test/support/own-home.ts", "test/support/web/page-for-the-run.ts"],
    setupFiles: ["test/support/processor-time.ts"],
    reporters: ["default", ...(process.env.GITHUB_ACTIONS ? ["github-actions"] : []), new Slowest()],
    // The four projects, and the next run, share what was made of a file. A part of the tests starts in half the time.
    experimental: { fsModuleCache: true, fsModuleCachePath: ".cache/modules" },
    bail: ENOUGH_FAILED,
    testTimeout: LONGEST_TEST,
    hookTimeout: LONGEST_TEST,
    expect: { poll: { timeout: PATIENCE } },
    maxWorkers: Math.max(AT_ONCE, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    coverage: { provider: "v8", include: ["src/**/*.ts", "modules/**/*.ts"], reporter: ["text", "json-summary"] },
    projects: [
      // test/xs-linux requires the Moddable SDK: npm run test:xs-linux. test/emulator requires an image: npm run test:emulator.
      {
        extends: true,
        test: {
          name: "node",
          include: ["test/**/*.test.ts"],
          exclude: ["test/xs-linux/**", "test/emulator/**", IN_BROWSER, ...APART, ...ONLY_ON_XS],
          ...SHARED,
        },
      },
      { extends: true, test: { name: "browser", include: [IN_BROWSER], ...SHARED } },
      { extends: true, test: { name: "apart", include: APART } },
      {
        extends: true,
        test: {
          name: "xs",
          include: [SYSTEM],
          exclude: NOT_ON_XS,
          env: { ENGINE: process.env.ENGINE ?? "xs" },
          ...SHARED,
        },
      },
    ],
  },
});
