/** The Debian packages with the programs that the tests run against the product. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter } from "node:path";

/** Where Debian installs daemons: not in the PATH of an ordinary user. */
const DAEMONS = ["/usr/local/sbin", "/usr/sbin", "/sbin"];

/** Adds the folders of daemons to this process's PATH and thereby to that of whatever it starts. */
export function findDaemons() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  process.env.PATH = [...folders, ...DAEMONS.filter((folder) => !folders.includes(folder))].join(delimiter);
}

/** Output of installers goes to standard error: standard output belongs to the requested command and may be piped. */
const succeeds = (command, parameters, stdio = /** @type {import("node:child_process").StdioOptions} */ ("ignore")) =>
  spawnSync(command, parameters, { stdio }).status === 0;
const onPath = (program) => succeeds("sh", ["-c", `command -v ${program}`]);

const program = (...names) => names.some(onPath);
const file = (path) => existsSync(path);
const python = (module) => succeeds("/usr/bin/python3", ["-c", `import ${module}`]);
const header = (name) =>
  succeeds("sh", ["-c", `printf '#if !__has_include(<${name}>)\\n#error\\n#endif\\n' | cc -E -`]);

/** What a test has in it or in its imports that compiles C. */
const COMPILES = /\/xs\/(engine|machine)\b|"cc"/;

/**
 * Name of the package; whether it is there (a header package has no program to probe for); and what the text of a test, of what it
 * imports or of a file that it names contains if it needs the package.
 */
const PACKAGES = /** @type {[name: string, isThere: () => boolean, sign: RegExp][]} */ ([
  ["mbpoll", () => program("mbpoll"), /\bmbpoll\b/],
  ["slowhttptest", () => program("slowhttptest"), /\bslowhttptest\b/],
  ["wrk", () => program("wrk"), /\bwrk\b/],
  ["curl", () => program("curl"), /\bcurl\b/],
  ["socat", () => program("socat"), /\bopenPty\b/],
  ["gcc", () => program("gcc"), COMPILES],
  ["make", () => program("make"), COMPILES],
  ["openssl", () => program("openssl"), /"openssl"/],
  ["mosquitto", () => program("mosquitto"), /\bmosquitto\.conf\b/],
  ["snmp", () => program("snmpget"), /"snmp(get|set|walk|translate)/],
  ["snmptrapd", () => program("snmptrapd"), /"snmptrapd"/],
  ["nut-client", () => program("upsc"), /"upsc"/],
  ["nut-server", () => program("upsd"), /\/upsd"/],
  ["nut-snmp", () => file("/usr/lib/nut/snmp-ups"), /\/snmp-ups"/],
  ["smitools", () => program("smilint"), /"smilint"/],
  ["prometheus", () => program("promtool"), /"(promtool|prometheus)"/],
  ["chromium-headless-shell", () => program("chromium-headless-shell", "chromium"), /\bchromiumPath\b/],
  ["nginx", () => program("nginx"), /\/nginx"/],
  ["chrony", () => program("chronyd"), /"chronyd"/],
  ["python3-jinja2", () => python("jinja2"), /\bjinja2\b/],
  ["python3-pymodbus", () => python("pymodbus"), /\bpymodbus\b/],
  ["python3-zeroconf", () => python("zeroconf"), /\bfrom zeroconf\b/],
  ["python3-serial", () => python("serial"), /\bpymodbus\b/],
  ["python3-serial-asyncio", () => python("serial_asyncio"), /\bpymodbus\b/],
  ["tzdata", () => file("/usr/share/zoneinfo/Europe/Berlin"), /\/zoneinfo"/],
  ["libc6-dev", () => header("stdio.h"), COMPILES],
  ["libmbedtls-dev", () => header("mbedtls/ssl.h"), /-lmbedtls\b/],
  ["liblwip-dev", () => header("lwip/lwip/tcp.h"), /\bliblwip\b/],
]);

/** Runs apt-get, as root or through sudo without a password. */
function apt(isRoot, ...parameters) {
  const words = [
    ...(isRoot ? [] : ["sudo", "-n"]),
    "env",
    "DEBIAN_FRONTEND=noninteractive",
    // Keeps the installed daemons from starting: the tests start their own.
    "RUNLEVEL=1",
    ...["apt-get", "-q", "-o", "DPkg::Lock::Timeout=120"],
    ...parameters,
  ];
  return succeeds(words[0], words.slice(1), ["ignore", "ignore", 2]);
}

/** Names of the packages that tests with these texts need; undefined: all tests. */
export const packagesFor = (texts) =>
  PACKAGES.filter(([, , sign]) => !texts || texts.some((text) => sign.test(text))).map(([name]) => name);

/**
 * Installs what is missing, as root or with passwordless sudo; otherwise throws an Error with the command to run.
 * @param {readonly string[] | undefined} texts of the tests to run, see needs.mjs; undefined: of all tests
 */
export function installDebianPackages(texts) {
  const needed = packagesFor(texts);
  const missing = PACKAGES.filter(([name, isThere]) => needed.includes(name) && !isThere()).map(([name]) => name);
  if (!missing.length) return;
  const isRoot = process.getuid?.() === 0;
  const may = onPath("apt-get") && (isRoot || succeeds("sudo", ["-n", "true"]));
  if (may) console.error(`Installing Debian packages: ${missing.join(" ")} …`);
  if (!may || !apt(isRoot, "update") || !apt(isRoot, "install", "-y", "--no-install-recommends", ...missing))
    throw new Error(`The tests need these Debian packages: sudo apt-get install ${missing.join(" ")}`);
}

/** Whether tests with these texts run the XS engine. */
export const needsXs = (texts) => !texts || texts.some((text) => COMPILES.test(text));
