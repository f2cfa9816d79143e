/** Installs npm packages from the lockfile, with progress. Runs before any package is installed. */
import { spawn } from "node:child_process";
import { existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

const QUIET = ["--no-audit", "--no-fund", "--loglevel=error", "--progress=false"];
/** A registry that cannot be reached is reported within seconds; npm's own pauses add up to more than a minute. */
const SOON = ["--fetch-retries=2", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=3000"];

/** ms between two lines of progress, on a terminal and elsewhere. */
const TICK = { terminal: 500, log: 5_000 };
/** ms without a package and without work after which the registry is said not to answer, and after which npm is ended. */
const SILENT = 10_000;
const GIVE_UP = 60_000;
/** Processor time (ticks of a 100th of a second) between two looks that is no work: npm only waits. */
const IDLE_TICKS = 1;

/** @returns {[command: string, parameters: string[], options: object]} what runs npm on this platform */
export function npmCommand(...parameters) {
  const { npm_execpath: script = "" } = process.env;
  // What `npm start` runs in; without it, Windows has npm as a script of cmd.exe.
  return /^npm-cli\.c?js$/.test(basename(script))
    ? [process.execPath, [script, ...parameters], {}]
    : ["npm", parameters, { shell: process.platform === "win32" }];
}

/** The files of which an installed package has one: those of the lockfile's packages for this machine. */
function installedFiles(folder, lock, all) {
  const fits = (list, own) => !list || list.includes(own) || (list[0][0] === "!" && !list.includes(`!${own}`));
  return Object.entries(JSON.parse(lock).packages)
    .filter(
      ([path, { dev, os, cpu }]) => path && (all || !dev) && fits(os, process.platform) && fits(cpu, process.arch),
    )
    .map(([path]) => join(folder, path, "package.json"));
}

/** States of proc_pid_stat(5) in which a process is at work: it runs or waits for a processor, or for a disk. */
const AT_WORK = ["R", "D"];

/**
 * Processor time of a process, ticks; Infinity for one that is at work, even if others have kept the processor from it. Without /proc it
 * counts as always at work: then npm's own limits apply.
 */
function ticksOf(pid) {
  try {
    // The name in parentheses may have spaces; behind it state, and user and system time as fields 14 and 15.
    const [, rest = ""] = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ");
    const fields = rest.split(" ");
    return AT_WORK.includes(fields[0] ?? "") ? Infinity : Number(fields[11]) + Number(fields[12]);
  } catch {
    return Infinity;
  }
}

/**
 * Reports how many packages are there; `silent` says for how many ms none has come and process `pid` has only waited: on a slow machine npm may
 * work for minutes before the first.
 */
function watch(files, pid, silent) {
  const { stderr } = process;
  const count = () => files.filter((file) => existsSync(file)).length;
  let since = Date.now();
  let ticks = 0;
  let last = count();
  let grew = false;
  const timer = setInterval(
    () => {
      const now = count();
      const spent = ticksOf(pid);
      grew ||= now > last;
      if (now > last || spent === Infinity || spent - ticks > IDLE_TICKS) since = Date.now();
      last = now;
      if (spent !== Infinity) ticks = spent;
      const text = `Installing npm packages: ${now} of about ${files.length} …`;
      if (grew) stderr.write(stderr.isTTY ? `\r${text}` : `${text}\n`);
      silent(Date.now() - since);
    },
    stderr.isTTY ? TICK.terminal : TICK.log,
  );
  return () => {
    clearInterval(timer);
    if (grew && stderr.isTTY) stderr.write("\n");
  };
}

/** Resolves to whether npm succeeded. */
function ci(folder, files, parameters) {
  const [command, words, options] = npmCommand("ci", ...QUIET, ...SOON, ...parameters);
  // What npm says belongs to standard error: standard output belongs to the requested command and may be piped.
  const npm = spawn(command, words, { cwd: folder, stdio: ["ignore", 2, 2], ...options });
  let said = false;
  const stop = watch(files, npm.pid, (ms) => {
    if (ms >= SILENT && !said) {
      said = true;
      console.error("The npm registry does not answer: is this machine online? Ctrl-C ends the attempt.");
    }
    if (ms >= GIVE_UP) npm.kill();
  });
  return new Promise((done) => {
    npm.on("error", ({ message }) => (console.error(message), stop(), done(false)));
    npm.on("close", (status) => (stop(), done(status === 0)));
  });
}

/**
 * Installs the packages of a folder's lockfile; does nothing if node_modules already matches it.
 * @param {string} folder
 * @param {boolean} all also what only the tests and tools need (`devDependencies`)
 * Throws an Error that says what to do.
 */
export async function installNpmPackages(folder, all) {
  const modules = join(folder, "node_modules");
  const stampOf = (everything) => join(modules, everything ? ".installed" : ".installed-to-start");
  const lock = readFileSync(join(folder, "package-lock.json"), "utf8");
  const matches = (stamp) => existsSync(stamp) && readFileSync(stamp, "utf8") === lock;
  if (matches(stampOf(true)) || (!all && matches(stampOf(false)))) return;
  // npm would empty the target of a symbolic link.
  if (existsSync(modules) && lstatSync(modules).isSymbolicLink())
    throw new Error(
      "node_modules is a link, so nothing is installed: run npm ci where it points to, then copy package-lock.json to its .installed.",
    );
  console.error("Installing npm packages from the lockfile …");
  for (const everything of [true, false]) rmSync(stampOf(everything), { force: true });
  if (!(await ci(folder, installedFiles(folder, lock, all), all ? [] : ["--omit=dev"])))
    throw new Error(
      "The npm packages could not be installed: npm's message is above. The first run needs a network; later ones do not.",
    );
  writeFileSync(stampOf(all), lock);
}
