/**
 * Installs missing dependencies, so that `npm start` and `npm test` work in a fresh clone. Runs before any package is
 * installed. Run by itself: all that `npm test` needs; with --debian only the Debian packages, so that root can run it, with
 * --npm only the npm packages.
 */
import "./setup/node-version.mjs";
import { fileURLToPath } from "node:url";
import { findDaemons, installDebianPackages, needsXs } from "./setup/debian.mjs";
import { textsOf } from "./setup/needs.mjs";
import { installNpmPackages } from "./setup/npm.mjs";
import { installXsEngine } from "./xs-engine.mjs";

export const root = fileURLToPath(new URL("..", import.meta.url));

function fail(message) {
  console.error(message);
  process.exit(1);
}

function setUpDebian() {
  try {
    findDaemons();
    installDebianPackages(undefined);
  } catch (error) {
    fail(error.message);
  }
}

/**
 * @param {object} [options]
 * @param {boolean} [options.all] the npm packages of tests and tools too, not only what `npm start` needs
 * @param {boolean} [options.xs] the XS engine too
 * @param {readonly string[]} [options.tests] what the tests need that vitest runs for these parameters; [] for all of them
 */
export async function setUp({ all = true, xs = false, tests } = {}) {
  process.chdir(root);
  // A script run by a test must not replace the modules that the tests are using.
  if (process.env.VITEST) return;
  try {
    await installNpmPackages(root, all);
    const texts = tests && textsOf(root, tests);
    if (tests) {
      findDaemons();
      installDebianPackages(texts);
    }
    if (xs || (tests && needsXs(texts))) installXsEngine();
  } catch (error) {
    fail(error.message);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes("--debian")) setUpDebian();
  else await setUp(process.argv.includes("--npm") ? {} : { tests: [] });
}
