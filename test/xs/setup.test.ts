import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../../host-sim/specifiers.mjs";
import { capturePath, expected } from "../support/captures";

/** What `npm start` and `npm test` need of a clone. */
const CLONE = ["scripts", "host-sim", "src", "modules", "package.json", "package-lock.json", "tsconfig.base.json"];
const STAMP = ".lock-stamp";

let clone: string;
/** Removed: nothing says any more that the packages are those of the lockfile. */
let stamp: string;
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), "clone-"));
  for (const name of CLONE) cpSync(join(root, name), join(clone, name), { recursive: true });
  const packages = join(clone, "node_modules");
  mkdirSync(packages);
  for (const name of readdirSync(join(root, "node_modules")))
    if (name !== STAMP) symlinkSync(join(root, "node_modules", name), join(packages, name));
  stamp = join(packages, STAMP);
  cpSync(join(root, "package-lock.json"), stamp);
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

it("setup writes to standard error: npm run -s decode -- FILE | jq works the first time", () => {
  rmSync(stamp);
  writeFileSync(join(clone, "bin/npm"), "#!/bin/sh\necho added 1 package\n", { mode: 0o755 });
  const frame = "dbus-sb_t02_addr3_PB2A16S20P_15.41";
  const { status, out, err } = run("decode.mjs", capturePath(frame));
  expect([status, JSON.parse(out)]).toEqual([0, expected(frame)]);
  expect(err).toBe("Installing npm packages from the lockfile …\nadded 1 package\n");
});
