import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../../host-sim/specifiers.mjs";

/** What `npm start` and `npm test` need of a clone. */
const CLONE = ["scripts", "host-sim", "src", "modules", "package.json", "package-lock.json", "tsconfig.base.json"];
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
  expect(err).toMatch(/^The tests need these Debian packages: sudo apt-get install .*\bgcc make .*\blibc6-dev\b.*\n$/);
});
