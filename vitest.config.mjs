import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import { aliases } from "./host-sim/specifiers.mjs";

/** Suites of the whole system, and of what the page says of it, that run on the device's engine as well. */
const ON_BOTH_ENGINES = ["test/system/**/*.test.ts", "test/browser/real/{first-start,known,services}.test.ts"];

/** In the folders below: files that replace modules, and one that takes long. */
const APART = "slots|walk|guessing";

/** Parts of the firmware, each by itself: these files share the modules of their worker. */
const PARTS = (
  "access api bms catalogue energy events health history jk-bms json metrics modbus-rtu network parts pbkdf2 relay " +
  "resources sensors settings snmp snmp-agent update web web-page"
)
  .split(" ")
  .map((folder) => `test/${folder}/**/!(${APART}).test.ts`);

/** Suites with programs, browsers and devices in real time: they wait more than they work. */
const WAITING = /\/test\/(system|browser|xs)\//;

/** Files at a time, at least: while some wait, others use the processor. */
const AT_ONCE = 6;

/** Files of a quarter of a minute and more, the longest first; vitest itself knows no times in a new clone. */
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

/** What takes long begins first, then what waits, so that the end of a run is not one file's wait. */
class LongestFirst extends BaseSequencer {
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
    // Far more than anything takes: a busy machine is no failure, what hangs is.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 100_000 } },
    maxWorkers: Math.max(AT_ONCE, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    coverage: { provider: "v8", include: ["src/**/*.ts", "modules/**/*.ts"], reporter: ["text", "json-summary"] },
    projects: [
      // test/xs-linux wants the Moddable SDK: npm run test:xs-linux.
      {
        extends: true,
        test: {
          name: "node",
          include: ["test/**/*.test.ts"],
          exclude: ["test/xs-linux/**", ...PARTS],
        },
      },
      // Half the processor time: most of it went into starting workers and loading the same modules again.
      { extends: true, test: { name: "parts", include: PARTS, isolate: false, restoreMocks: true } },
      { extends: true, test: { name: "xs", include: ON_BOTH_ENGINES, env: { ENGINE: "xs" } } },
    ],
  },
});
