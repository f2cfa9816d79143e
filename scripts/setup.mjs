/**
 * Installs missing dependencies, so that `npm start` and `npm test` work in a fresh clone. Runs before any package is
 * installed.
 */
import "./setup/node-version.mjs";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { installNpmPackages } from "./setup/npm.mjs";
import { installXsEngine } from "./xs-engine.mjs";

export const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Debian packages that provide the programs the tests run against the product: a program to probe for (or several, of which one is
 * enough), and its package.
 */
const TEST_PACKAGES = [
  ["mbpoll", "mbpoll"],
  ["slowhttptest", "slowhttptest"],
  ["wrk", "wrk"],
  ["curl", "curl"],
  ["socat", "socat"],
  ["gcc", "gcc"],
  ["make", "make"],
  ["openssl", "openssl"],
  ["mosquitto", "mosquitto"],
  ["mosquitto_pub", "mosquitto-clients"],
  ["snmpget", "snmp"],
  ["snmptrapd", "snmptrapd"],
  ["upsc", "nut-client"],
  ["upsd", "nut-server"],
  ["/usr/lib/nut/snmp-ups", "nut-snmp"],
  ["smilint", "smitools"],
  ["promtool", "prometheus"],
  [["chromium-headless-shell", "chromium"], "chromium-headless-shell"],
  ["/usr/sbin/nginx", "nginx"],
];
const TEST_PYTHON = [
  ["jinja2", "python3-jinja2"],
  ["pymodbus", "python3-pymodbus"],
  ["serial", "python3-serial"],
  ["serial_asyncio", "python3-serial-asyncio"],
];

/** Header packages, which have no program to probe for; the tests compile the product's C code with them. */
const TEST_HEADERS = [
  ["stdio.h", "libc6-dev"],
  ["mbedtls/ssl.h", "libmbedtls-dev"],
  ["lwip/lwip/tcp.h", "liblwip-dev"],
];
const hasHeader = (name) =>
  run("sh", ["-c", `printf '#if !__has_include(<${name}>)\\n#error\\n#endif\\n' | cc -E - >/dev/null 2>&1`]);

/** Output of installers goes to standard error: standard output belongs to the requested command and may be piped. */
const TO_STDERR = ["ignore", 2, 2];

function run(command, parameters, options = {}) {
  return spawnSync(command, parameters, { cwd: root, stdio: TO_STDERR, ...options }).status === 0;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

const onPath = (program) => run("sh", ["-c", `command -v ${program} >/dev/null`]);
const python = (module) => run("/usr/bin/python3", ["-c", `import ${module}`], { stdio: "ignore" });

/** Installs Debian packages, as root or with passwordless sudo; otherwise prints the command to run. */
function installDebianPackages() {
  const missing = [
    ...TEST_PACKAGES.filter(([programs]) => ![programs].flat().some(onPath)),
    ...TEST_PYTHON.filter(([module]) => !python(module)),
    ...TEST_HEADERS.filter(([header]) => !hasHeader(header)),
  ].map(([, name]) => name);
  if (!missing.length) return;
  const root = process.getuid?.() === 0;
  const prefix = root ? [] : ["sudo", "-n"];
  const may = onPath("apt-get") && (root || run("sudo", ["-n", "true"], { stdio: "ignore" }));
  const apt = (...parameters) => {
    const [command, ...rest] = [
      ...prefix,
      "env",
      "DEBIAN_FRONTEND=noninteractive",
      // Keeps the installed daemons from starting: the tests start their own.
      "RUNLEVEL=1",
      "apt-get",
      "-q",
      "-o",
      "DPkg::Lock::Timeout=120",
      ...parameters,
    ];
    return run(command, rest, { stdio: ["ignore", "ignore", 2] });
  };
  if (may) console.error(`Installing Debian packages: ${missing.join(" ")} …`);
  if (!may || !apt("update") || !apt("install", "-y", "--no-install-recommends", ...missing))
    fail(`The tests need these Debian packages: sudo apt-get install ${missing.join(" ")}`);
}

/**
 * @param {{ all?: boolean, tests?: boolean, xs?: boolean }} [options] `all`: the npm packages of tests and tools too, not only what
 * `npm start` needs. `tests`: also what only the tests need. `xs`: the XS engine.
 */
export async function setUp({ all = true, tests = false, xs = tests } = {}) {
  process.chdir(root);
  // A script run by a test must not replace the modules that the tests are using.
  if (process.env.VITEST) return;
  try {
    await installNpmPackages(root, all);
    if (tests) installDebianPackages();
    if (xs) installXsEngine();
  } catch (error) {
    fail(error.message);
  }
}
