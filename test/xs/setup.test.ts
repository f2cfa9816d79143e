import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../../host-sim/specifiers.mjs";

/** What `npm start` and `npm test` need of a clone. */
const CLONE = [
  "scripts",
  "host-sim",
  "src",
  "modules",
  "manifest.json",
  "package.json",
  "package-lock.json",
  "tsconfig.base.json",
];
const STAMP = ".installed";

let clone: string;
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), "clone-"));
  for (const name of CLONE) cpSync(join(root, name), join(clone, name), { recursive: true });
  const packages = join(clone, "node_modules");
  mkdirSync(packages);
  for (const name of readdirSync(join(root, "node_modules")))
    if (name !== STAMP) symlinkSync(join(root, "node_modules", name), join(packages, name));
  cpSync(join(root, "package-lock.json"), join(packages, STAMP));
  mkdirSync(join(clone, "bin"));
  symlinkSync("/bin/sh", join(clone, "bin/sh"));
});
afterAll(() => rmSync(clone, { recursive: true }));

/** Runs a script of the clone on a machine where nothing but the shell is installed. */
function run(script: string, ...parameters: string[]): { status: number | null; out: string; err: string } {
  const environment = { PATH: join(clone, "bin") };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(clone, "scripts", script), ...parameters], {
    cwd: clone,
    env: environment,
    encoding: "utf8",
  });
  return { status, out: stdout, err: stderr };
}

it("npm start does not need a C compiler", () => {
  expect(run("start.mjs", "--help")).toMatchObject({ status: 0, err: "" });
});

it.each([["--engine", "xs"], ["--engine=xs"]])(
  "without a C compiler npm start -- %s %s says in a line what to install",
  (...words) => {
    expect(run("start.mjs", ...words)).toEqual({
      status: 1,
      out: "",
      err: "The XS engine is compiled with a C compiler and make: sudo apt-get install gcc make libc6-dev\n",
    });
  },
);

it("without a C compiler npm test fails and says what to install", () => {
  const { status, err } = run("test.mjs");
  expect(status).toBe(1);
  expect(err).toMatch(/^The tests need Debian packages \(.*\bgcc, make, .*\blibc6-dev\b.*\): sudo .*\n$/);
});

it("the line that npm test says works when it is pasted", () => {
  const line = run("test.mjs").err.trim().split("): ")[1]!;
  const log = join(clone, "apt.log");
  const program = (name: string, script: string): void =>
    writeFileSync(join(clone, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  // An ordinary user has a node that is not in root's PATH.
  const rootPath = join(clone, "root-bin");
  mkdirSync(rootPath);
  symlinkSync("/bin/sh", join(rootPath, "sh"));
  symlinkSync("/usr/bin/env", join(rootPath, "env"));
  program("root-bin/apt-get", `echo "$*" >> ${log}`);
  program("bin/sudo", `PATH=${rootPath} exec "$@"`);
  symlinkSync(process.execPath, join(clone, "bin/node"));
  const { status, stderr } = spawnSync("/bin/sh", ["-c", line], {
    cwd: clone,
    env: { PATH: join(clone, "bin") },
    encoding: "utf8",
  });
  const [, install = ""] = readFileSync(log, "utf8").split("\n");
  expect(install).toMatch(/ install -y --no-install-recommends mbpoll .*\bsocat\b/);
  expect(install).not.toMatch(/syslog/);
  expect([status, stderr]).toEqual([0, expect.stringMatching(/^Installing Debian packages: mbpoll .* …\n$/)]);
});
