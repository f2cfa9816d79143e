import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ENGINE_FOLDER, XS_WORKER } from "../../host-sim/xs/engine.mjs";
import { root } from "../../host-sim/specifiers.mjs";
import { needsXs, packagesFor } from "../../scripts/setup/debian.mjs";
import { textsOf } from "../../scripts/setup/needs.mjs";

const COMPILER = ["gcc", "make", "libc6-dev"];
const PYMODBUS = ["python3-pymodbus", "python3-serial", "python3-serial-asyncio"];

describe("npm test -- PART asks only for what PART needs", () => {
  it.each([
    [["test/bms"], []],
    [["test/json", "test/modbus"], []],
    [["test/json", "test/web-page"], ["tzdata"]],
    [["./test/bms/monitor.test.ts:12"], []],
    [["test/snmp/mib-file"], ["smitools"]],
    [["test/browser/old"], ["chromium-headless-shell"]],
    [["test/host-sim/bms/peers"], ["mbpoll", "socat", ...PYMODBUS]],
    [["test/http-server/abuse"], ["slowhttptest", "wrk"]],
    [["test/native/tls"], [...COMPILER, "openssl", "libmbedtls-dev", "nginx", "prometheus"]],
    [["test/scripts/roots"], ["ca-certificates"]],
    [["test/notify/apprise"], ["apprise"]],
    [["test/system/integrations"], [...COMPILER, "mosquitto", "nut-client", "nut-server", "nut-snmp", "prometheus"]],
    [["test/system/mdns"], [...COMPILER, "python3-zeroconf"]],
    [["test/system/session"], [...COMPILER, "curl"]],
  ])("%j: %j", (parameters, packages) => {
    const texts = textsOf(root, parameters);
    expect(packagesFor(texts).sort()).toEqual(packages.sort());
    expect(needsXs(texts)).toBe(packages.includes("gcc"));
  });

  it.each([[[]], [["--coverage"]], [["-t", "test/json"]], [["no such test"]]])("%j: for everything", (parameters) => {
    expect(textsOf(root, parameters)).toBeUndefined();
  });

  it("every package is one that a test needs", () => {
    expect(packagesFor(textsOf(root, [".test.ts"]))).toEqual(packagesFor(undefined));
  });
});

it("docs/testing.md names the packages", () => {
  const line = /^Debian packages: (.*)\.$/m.exec(readFileSync("docs/testing.md", "utf8"))?.[1] ?? "";
  expect(
    line
      .replace(/ \(.*?\)/g, "")
      .split(", ")
      .sort(),
  ).toEqual(packagesFor(undefined).sort());
});

describe("a bare clone", () => {
  let clone: string;
  beforeEach(() => {
    // Not in this run's own folder, which other users cannot read.
    clone = mkdtempSync("/tmp/clone-");
    chmodSync(clone, 0o755);
    for (const name of ["scripts", "host-sim", "modules", "manifest.json", "package.json", "package-lock.json"])
      cpSync(join(root, name), join(clone, name), { recursive: true });
    mkdirSync(join(clone, "node_modules/.bin"), { recursive: true });
    cpSync(join(root, "package-lock.json"), join(clone, "node_modules/.installed"));
    writeFileSync(join(clone, "node_modules/.bin/vitest"), "#!/bin/sh\necho vitest $*\n", { mode: 0o755 });
    mkdirSync(join(clone, "bin"));
    symlinkSync("/bin/sh", join(clone, "bin/sh"));
  });
  afterEach(() => rmSync(clone, { recursive: true }));

  function run(script: string, parameters: readonly string[], path: string, more = {}): object {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(clone, "scripts", script), ...parameters], {
      cwd: clone,
      env: { PATH: path, HOME: "/nonexistent" },
      encoding: "utf8",
      ...more,
    });
    return { status, out: stdout, err: stderr };
  }

  it("npm test -- test/json runs on a machine without any of the programs", () => {
    mkdirSync(join(clone, "test/json"), { recursive: true });
    cpSync(join(root, "test/json"), join(clone, "test/json"), { recursive: true });
    expect(run("test.mjs", ["test/json"], join(clone, "bin"))).toEqual({
      status: 0,
      out: "vitest run test/json\n",
      err: "",
    });
  });

  it("an ordinary user, without /usr/sbin in the PATH, has all that the tests need", () => {
    for (const file of [join(ENGINE_FOLDER, "built-from.json"), XS_WORKER]) {
      const copy = join(clone, relative(root, file));
      mkdirSync(dirname(copy), { recursive: true });
      cpSync(file, copy);
    }
    const path = "/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games";
    const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    expect(run("setup.mjs", [], path, nobody)).toEqual({ status: 0, out: "", err: "" });
  });
});
