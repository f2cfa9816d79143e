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
const unpacked = (name, daemon) => file(`${UNPACKED_IN}/${name}/usr/sbin/${daemon}`);
const python = (module) => succeeds("/usr/bin/python3", ["-c", `import ${module}`]);
const header = (name) =>
  succeeds("sh", ["-c", `printf '#if !__has_include(<${name}>)\\n#error\\n#endif\\n' | cc -E -`]);

/**
 * Packages that are unpacked instead of installed, with the libraries that a small Debian lacks: installed, each would replace the machine's own
 * system logger and the other one.
 */
const UNPACKED = {
  rsyslog: ["libestr0", "libfastjson4", "liblognorm5"],
  "syslog-ng-core": ["libivykis0", "libnet1", "libwrap0", "libpcre3", "libglib2.0-0", "libjson-c5"],
};
const UNPACKED_IN = "/usr/local/lib/jk-bms-tests";
/** Into a folder of its own, which appears when it is complete. Parameters: the folder, the packages. */
const UNPACK = `set -e
folder=$1; shift
new=$(mktemp -d); cd "$new"; chmod 755 .
apt-get -q download "$@"
mkdir root
for package in *.deb; do dpkg -x "$package" root; done
mkdir -p "$(dirname "$folder")"; mv root "$folder"; rm -r "$new"`;

/** What a test has in it or in its imports that compiles C. */
const COMPILES = /\/xs\/(engine|machine)\b|"cc"/;

/**
 * Name of the package; whether it is there (a header package has no program to probe for); and what the text of a test, of what it
 * imports or of a file that it names contains if it needs the package.
 */
const PACKAGES = /** @type {[name: string, isThere: () => boolean, sign: RegExp][]} */ ([
  ["mbpoll", () => program("mbpoll"), /\bmbpoll\b/],
  ["tshark", () => program("tshark"), /"tshark"/],
  ["slowhttptest", () => program("slowhttptest"), /\bslowhttptest\b/],
  ["wrk", () => program("wrk"), /\bwrk\b/],
  ["curl", () => program("curl"), /\bcurl\b/],
  ["socat", () => program("socat"), /\bopen(Pty|Terminals)\b/],
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
  ["ca-certificates", () => file("/usr/share/ca-certificates/mozilla/ISRG_Root_X1.crt"), /\broots\.mjs"/],
  ["apprise", () => python("apprise"), /\/apprise\/capture\.py"/],
  ["chrony", () => program("chronyd"), /"chronyd"/],
  ["python3-jinja2", () => python("jinja2"), /\bjinja2\b/],
  ["python3-pymodbus", () => python("pymodbus"), /\bpymodbus\b/],
  ["python3-zeroconf", () => python("zeroconf"), /\bfrom zeroconf\b/],
  ["python3-serial", () => python("serial"), /\bpymodbus\b/],
  ["python3-serial-asyncio", () => python("serial_asyncio"), /\bpymodbus\b/],
  ["rsyslog", () => unpacked("rsyslog", "rsyslogd"), /"rsyslog"/],
  ["syslog-ng-core", () => unpacked("syslog-ng-core", "syslog-ng"), /"syslog-ng-core"/],
  ["tzdata", () => file("/usr/share/zoneinfo/Europe/Berlin"), /\/zoneinfo"/],
  ["libc6-dev", () => header("stdio.h"), COMPILES],
  ["libmbedtls-dev", () => header("mbedtls/ssl.h"), /-lmbedtls\b/],
  ["liblwip-dev", () => header("lwip/lwip/tcp.h"), /\bliblwip\b/],
]);

/** Installs the Debian packages alone: what root makes in the checkout would be root's. */
const SETUP = "scripts/setup.mjs --debian";

/** Runs a program as root, or through sudo without a password. */
function asRoot(isRoot, ...parameters) {
  const words = [...(isRoot ? [] : ["sudo", "-n"]), ...parameters];
  return succeeds(words[0], words.slice(1), ["ignore", "ignore", 2]);
}

const apt = (isRoot, ...parameters) =>
  asRoot(
    isRoot,
    "env",
    "DEBIAN_FRONTEND=noninteractive",
    // Keeps the installed daemons from starting: the tests start their own.
    "RUNLEVEL=1",
    ...["apt-get", "-q", "-o", "DPkg::Lock::Timeout=120"],
    ...parameters,
  );

/** Installs packages, or unpacks those of UNPACKED. Returns whether that succeeded. */
function install(isRoot, names) {
  const whole = names.filter((name) => !(name in UNPACKED));
  return (
    apt(isRoot, "update") &&
    (!whole.length || apt(isRoot, "install", "-y", "--no-install-recommends", ...whole)) &&
    names
      .filter((name) => name in UNPACKED)
      .every((name) => asRoot(isRoot, "sh", "-c", UNPACK, "sh", `${UNPACKED_IN}/${name}`, name, ...UNPACKED[name]))
  );
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
  if (may && install(isRoot, missing)) return;
  if (may) throw new Error("Some Debian packages could not be installed: apt-get's message is above.");
  // Some are unpacked rather than installed, and node may not be in root's PATH.
  throw new Error(`The tests need Debian packages (${missing.join(", ")}): sudo "$(command -v node)" ${SETUP}`);
}

/** Whether tests with these texts run the XS engine. */
export const needsXs = (texts) => !texts || texts.some((text) => COMPILES.test(text));
