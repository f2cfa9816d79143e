import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import { aliases } from "./host-sim/specifiers.mjs";
import { findDaemons } from "./scripts/setup/debian.mjs";

findDaemons();

/** Suites of the whole system, some with the page, that also run on the device's engine. */
const ON_BOTH_ENGINES = ["test/system/**/*.test.ts", "test/browser/real/{first-start,known,services}.test.ts"];

/** Files of the folders below to isolate: they replace modules or take long. */
const APART = "slots|walk|guessing";

/** Unit tests of the firmware: these files share their worker's modules. */
const PARTS = (
  "api auth bms catalogue endpoints energy events front health history jk-bms json metrics modbus network packs pbkdf2 relay " +
  "runtime sensors settings snmp snmp-agent syslog update web web-page"
)
  .split(" ")
  .map((folder) => `test/${folder}/**/!(${APART}).test.ts`);

/** Suites with programs, browsers and devices in real time: mostly waiting. */
const WAITING = /\/test\/(system|browser|xs)\//;

/** Minimum number of parallel files: while some wait, others use the processor. */
const AT_ONCE = 6;

/** Files that take 15 s or more, the longest first; in a fresh clone vitest has no timings. */
const LONG = [
  "browser/real/screens",
  "system/examples",
  "xs/memory",
  "system/home-assistant",
  "browser/real/write",
  "browser/control",
  "browser/steady",
  "browser/real/first-start",
  "system/mqtt",
  "browser/device",
  "native/tls",
  "system/web",
  "system/update",
  "browser/real/known",
  "system/abuse",
  "web/guessing",
  "native/firmware",
  "manifests/bundle",
  "native/store",
  "http-server/abuse",
].map((name) => `/test/${name}.test.ts`);

/** Starts long files first, then waiting ones, so that no single file prolongs the run. */
class LongestFirst extends BaseSequencer {
  /** @override */
  async sort(files) {
    const rank = ({ moduleId }) => {
      const long = LONG.findIndex((name) => moduleId.endsWith(name));
      if (long >= 0) return long;
      return LONG.length + (WAITING.test(moduleId) ? 0 : 1);
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  resolve: { alias: aliases },
  test: {
    globalSetup: "test/support/own-home.ts",
    // Far longer than any test takes: only a hang fails, not a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 100_000 } },
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
          exclude: ["test/xs-linux/**", "test/emulator/**", ...PARTS],
        },
      },
      // Shared workers halve the processor time, most of which was spent starting workers and loading modules.
      { extends: true, test: { name: "parts", include: PARTS, isolate: false, restoreMocks: true } },
      { extends: true, test: { name: "xs", include: ON_BOTH_ENGINES, env: { ENGINE: "xs" } } },
    ],
  },
});
