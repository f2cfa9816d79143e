import { type ChildProcess, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { root } from "../../host-sim/specifiers.mjs";
import { capturePath, expected } from "../support/bms/captures";
import { freePort } from "../support/free-port";
import { PATIENCE } from "../support/patience";

/** What `npm start` needs of a clone. */
const CLONE = [
  ...["scripts", "host-sim", "src", "modules", "web", "docs/grafana-dashboard.json"],
  ...["manifest.json", "package.json", "package-lock.json", "tsconfig.json", "tsconfig.base.json"],
];
const FRAME = "dbus-sb_t02_addr3_PB2A16S20P_15.41";

interface Lock {
  packages: Record<string, { dev?: true }>;
}
const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Lock;
/** Paths of the packages that are not only for tests and tools. */
const SMALL = Object.keys(packages).filter((path) => path && !packages[path]?.dev && existsSync(join(root, path)));

let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "clone-"));
  for (const name of CLONE) cpSync(join(root, name), join(clone, name), { recursive: true });
  mkdirSync(join(clone, "bin"));
  symlinkSync("/bin/sh", join(clone, "bin/sh"));
});
const runs: Run[] = [];
afterEach(async () => {
  for (const run of runs.splice(0)) {
    try {
      // The group: npm as well.
      if (run.child.pid) process.kill(-run.child.pid, "SIGKILL");
    } catch {
      // It has ended.
    }
    // Its output is closed when the last of the group has ended: until then, files are written.
    await ended(run);
  }
  rmSync(clone, { recursive: true });
});

interface Run {
  readonly child: ChildProcess;
  out: string;
  err: string;
  /** Exit status; undefined while it runs. */
  status: number | null | undefined;
}

/** Runs a script of the clone on a machine with Node.js, a shell and what `bin` has. */
function run(words: readonly string[], more: NodeJS.ProcessEnv = {}, node: readonly string[] = []): Run {
  const child = spawn(process.execPath, [...node, join(clone, "scripts", words[0] ?? ""), ...words.slice(1)], {
    cwd: clone,
    env: { PATH: join(clone, "bin"), HOME: clone, ...more },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const result: Run = { child, out: "", err: "", status: undefined };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (result.out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (result.err += text));
  child.on("close", (status) => (result.status = status));
  runs.push(result);
  return result;
}

const ended = (result: Run): Promise<void> =>
  vi.waitFor(() => expect(result.status, result.err).not.toBeUndefined(), PATIENCE);

/** Links the packages of `npm start`, as `npm ci --omit=dev` installs them. */
function linkSmall(): void {
  for (const path of SMALL) {
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    if (!existsSync(join(clone, path))) symlinkSync(join(root, path), join(clone, path));
  }
}

/** Gives the clone what this checkout has made of the page, but for the smallest parts: the clone makes these itself. */
function copyKept(kind: "gzip" | "terser"): () => void {
  const [from, to] = [join(root, ".cache", kind), join(clone, ".cache", kind)];
  const bySize = readdirSync(from).sort((a, b) => statSync(join(from, a)).size - statSync(join(from, b)).size);
  const half = bySize.slice(bySize.length / 2);
  for (const name of half) cpSync(join(from, name), join(to, name));
  return () => expect(readdirSync(to).length, kind).toBeGreaterThan(half.length);
}

const fakeNpm = (script: string, name = "npm"): void =>
  writeFileSync(join(clone, "bin", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

it("npm start serves page and API with the packages of npm ci --omit=dev alone", async () => {
  linkSmall();
  writeFileSync(
    join(clone, "node_modules/.installed-to-start"),
    readFileSync(join(clone, "package-lock.json"), "utf8"),
  );
  const madeMore = [copyKept("gzip"), copyKept("terser")];
  const port = String(await freePort());
  const started = run(["start.mjs", "--port", port, "--snmp-port", port, "--token", "from-the-test-run"]);
  await vi.waitFor(() => expect(started.out, started.err).toContain("Ctrl-C"), PATIENCE);
  const address = `http://127.0.0.1:${port}`;
  expect(await (await fetch(address)).text()).toContain("<html");
  for (const check of madeMore) check();
  const headers = { Authorization: "Bearer from-the-test-run" };
  expect((await fetch(`${address}/api`, { headers })).status).toBe(200);
});

it("installs for npm start only what it needs, then nothing until all is needed; output of npm goes to standard error", async () => {
  linkSmall();
  fakeNpm("echo npm $*");
  const decode = async (...words: string[]): Promise<Run> => {
    const decoded = run(["decode.mjs", ...words]);
    await ended(decoded);
    return decoded;
  };
  const first = await decode(capturePath(FRAME));
  expect([first.status, JSON.parse(first.out)]).toMatchObject([0, expected(FRAME)]);
  expect(first.err).toMatch(/^Installing npm packages from the lockfile …\nnpm ci .*--omit=dev\n$/);
  const second = await decode(capturePath(FRAME));
  expect([second.status, second.err]).toEqual([0, ""]);
  const all = run(["mqtt-docs.mjs"]);
  await ended(all);
  expect(all.err).toMatch(/^Installing npm packages from the lockfile …\nnpm ci (?!.*--omit=dev)/);
  expect((await decode(capturePath(FRAME))).err).toBe("");
});

it("a failed installation is tried again the next time", async () => {
  fakeNpm("echo what npm says >&2; exit 1");
  for (let time = 0; time < 2; time++) {
    const failed = run(["start.mjs"]);
    await ended(failed);
    expect([failed.status, failed.out]).toEqual([1, ""]);
    expect(failed.err).toBe(
      "Installing npm packages from the lockfile …\nwhat npm says\n" +
        "The npm packages could not be installed: npm's message is above. The first run needs a network; later ones do not.\n",
    );
  }
});

it("installs nothing into a link", async () => {
  symlinkSync(join(root, "node_modules/ajv"), join(clone, "node_modules"));
  fakeNpm("echo must not run");
  const linked = run(["start.mjs"]);
  await ended(linked);
  expect([linked.status, linked.out]).toEqual([1, ""]);
  expect(linked.err).toMatch(/^node_modules is a link, so nothing is installed: /);
});

/** npm itself, as `npm start` makes it known to what it runs. */
const REAL_NPM = { npm_execpath: "/usr/lib/node_modules/npm/bin/npm-cli.js" };

it("npm start says what is wrong if nothing answers at the registry's address", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  const offline = run(["start.mjs"], { ...REAL_NPM, npm_config_registry: `http://127.0.0.1:${port}/` });
  await ended(offline);
  expect([offline.status, offline.out]).toEqual([1, ""]);
  expect(offline.err).toMatch(/ECONNREFUSED/);
  expect(offline.err).toMatch(/The first run needs a network; later ones do not\.\n$/);
});

it("npm start says so when the registry takes the connection and never answers", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const silent = run(["start.mjs"], { ...REAL_NPM, npm_config_registry: `http://127.0.0.1:${port}/` });
  await vi.waitFor(() => expect(silent.err).toContain("The npm registry does not answer"), PATIENCE);
  expect(silent.status).toBeUndefined();
});

const fake = (code: string): string[] => ["--import", `data:text/javascript,${encodeURIComponent(code)}`];

/** Twenty times as fast for the script, not for npm. */
const FAST = `
  const { now } = Date;
  Date.now = () => now() * 20;
  const every = setInterval;
  globalThis.setInterval = (call, ms) => every(call, ms / 20);`;

it("npm is given up when it has only waited for a minute", async () => {
  symlinkSync("/bin/sleep", join(clone, "bin/sleep"));
  fakeNpm("exec sleep 1000");
  const silent = run(["start.mjs"], {}, fake(FAST));
  await ended(silent);
  expect(silent.status).toBe(1);
  expect(silent.err).toContain("The npm registry does not answer");
});

it("npm that is at work for minutes before the first package is left alone", async () => {
  // Four seconds of processor time, at least 80 s for the script.
  fakeNpm(
    "while read -r line < /proc/$$/stat; set -- ${line##*) }; [ $((${12} + ${13})) -lt 400 ]; do :; done; exit 3",
  );
  const slow = run(["start.mjs"], {}, fake(FAST));
  await ended(slow);
  expect(slow.err).not.toContain("does not answer");
  expect(slow.err).toMatch(/could not be installed/);
});

it("Windows: npm is run as the script that npm start names, or through its shell", async () => {
  const windows = fake('Object.defineProperty(process, "platform", { value: "win32" })');
  writeFileSync(join(clone, "npm-cli.js"), 'console.log("npm-cli", ...process.argv.slice(2)); process.exit(1);');
  const named = run(["start.mjs"], { npm_execpath: join(clone, "npm-cli.js") }, windows);
  await ended(named);
  expect(named.err).toMatch(/\nnpm-cli ci .*--omit=dev\n/);

  fakeNpm("echo shell $*; exit 1", "cmd.exe");
  const bare = run(["start.mjs"], { comspec: "cmd.exe" }, windows);
  await ended(bare);
  expect(bare.err).toMatch(/\nshell \/d \/s \/c "npm ci .*--omit=dev"\n/);
});

it.each(["start.mjs", "test.mjs", "check.mjs", "decode.mjs"])(
  "Node.js 18 gets one sentence from %s",
  async (script) => {
    const old = fake('Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } })');
    const refused = run([script], {}, old);
    await ended(refused);
    expect([refused.status, refused.out]).toEqual([1, ""]);
    expect(refused.err).toBe("This needs Node.js 20.19 or newer, and this is 18.20.8: https://nodejs.org\n");
  },
);
