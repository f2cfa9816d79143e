/** Each command of package.json in a clone without packages: it installs them before it imports any, or needs none. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Repository } from "../../scripts/docs/checks.mjs";

const repository = Repository.here();
const { scripts } = JSON.parse(repository.files.get("package.json") ?? "") as { scripts: Record<string, string> };

/** What a script needs to get as far as it does without a board. */
const WORDS: Record<string, string> = {
  "build-esp32.mjs": "nodemcu",
  "flash.mjs": "nodemcu",
  "mutate.mjs": "src/bms",
  "keygen.mjs": "key.pem",
  "release.mjs": "9.9.9",
  "sign.mjs": "image.bin key.pem",
  "test-emulator.mjs": "nodemcu",
};

/** Scripts that end without a package, by what they say then. */
const WITHOUT: Record<string, RegExp> = {
  "drawings.mjs": /^$/,
  "keygen.mjs": /^key\.pem: back it up/,
  "release.mjs": /^There is no remote "origin"/,
  "roots.mjs": /^\d+ bytes|ca-certificates/,
  "sign.mjs": /no such file.*image\.bin/,
  "test-emulator.mjs": /^$|npm run build:esp32/,
};

/** Each command, those of `a && b` by themselves. */
const COMMANDS = [...new Set(Object.values(scripts).flatMap((script) => script.split(" && ")))];
const OWN = /^node (?:--\S+ )*scripts\/(\S+)(.*)$/;

let clone: string;
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), "clone-"));
  for (const [path, text] of repository.files) {
    if (/^(docs\/images|test)\//.test(path)) continue;
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    writeFileSync(join(clone, path), text);
  }
  mkdirSync(join(clone, "test/bms"), { recursive: true });
  mkdirSync(join(clone, "docs/images"), { recursive: true });
  mkdirSync(join(clone, "bin"));
  symlinkSync("/bin/sh", join(clone, "bin/sh"));
  writeFileSync(join(clone, "bin/npm"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
});
afterAll(() => rmSync(clone, { recursive: true }));

it.each(COMMANDS.filter((command) => OWN.test(command)))("%s", (command) => {
  const [, script = "", rest = ""] = OWN.exec(command) ?? [];
  const words = `${rest} ${WORDS[script] ?? ""}`.trim().split(/\s+/).filter(Boolean);
  const { stdout, stderr } = spawnSync(process.execPath, [join(clone, "scripts", script), ...words], {
    cwd: clone,
    // Without VITEST, in which nothing is set up.
    env: { PATH: join(clone, "bin"), HOME: clone },
    encoding: "utf8",
  });
  expect(stderr).not.toContain("ERR_MODULE_NOT_FOUND");
  const without = WITHOUT[script];
  if (without) expect(stdout + stderr).toMatch(without);
  else expect(stderr).toMatch(/^Installing npm packages from the lockfile …\nThe npm packages could not be installed/m);
});

it("a package's own command follows the set-up", () => {
  for (const script of Object.values(scripts)) {
    const foreign = script.split(" && ").findIndex((command) => !OWN.test(command));
    if (foreign >= 0) expect(script).toMatch(/^node scripts\/setup\.mjs --npm && /);
  }
});
