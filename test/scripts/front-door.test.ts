/** What a stranger meets first: the README, its commands in an empty clone, and the index of the docs. */
import { spawn } from "node:child_process";
import { mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { root } from "../../host-sim/specifiers.mjs";
import { Repository } from "../../scripts/docs/checks.mjs";
import { freePort } from "../support/free-port";
import { runProgram } from "../support/run-program";

const repository = Repository.here();
const pageOf = (path: string): string => repository.files.get(path) ?? "";
const readme = pageOf("README.md");

it("the README's commands run in an empty folder, up to the page", async () => {
  const [, block = ""] = /```sh\n([^`]*git clone[^`]*)```/.exec(readme) ?? [];
  const [clone = "", enter = "", start = "", ...rest] = block.trim().split("\n");
  expect(rest).toEqual([]);
  const folder = mkdtempSync(join(tmpdir(), "stranger-"));
  const cloned = await runProgram("sh", ["-c", `cd ${folder} && ADDRESS=${root} && ${clone} && ${enter} && pwd`]);
  const inside = cloned.stdout.trim();
  expect(inside, cloned.output).toBe(join(folder, "jk-bms-monitor"));
  // What the first start installs: test/scripts/npm-packages.test.ts.
  symlinkSync(join(root, "node_modules"), join(inside, "node_modules"));
  const port = await freePort();
  const command = start.replace(/ +#.*/, "");
  expect(command).toBe("npm start");
  const started = spawn("sh", ["-c", `${command} -- --port ${port}`], { cwd: inside, detached: true });
  onTestFinished(() => void (started.pid && process.kill(-started.pid, "SIGKILL")));
  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${port}/`).then(
        (response) => response.status,
        () => 0,
      ),
    )
    .toBe(200);
});

it("the README's demonstration builds", async () => {
  const [command = ""] = /`(npm run demo)`/.exec(readme)?.slice(1) ?? [];
  const { code, output } = await runProgram("sh", ["-c", `${command} -- --build`]);
  expect(code, output).toBe(0);
  expect(output).toContain("build/demo/index.html");
});

/** Pages that a page links to. */
const linked = (path: string): string[] =>
  [...pageOf(path).matchAll(/\]\(([^)\s#]+)/g)]
    .map(([, target = ""]) => normalize(join(dirname(path), target)))
    .map((target) => (repository.files.has(`${target}/README.md`) ? `${target}/README.md` : target));

it("the index leads to every page of the docs, itself or by an index of a folder", () => {
  const index = linked("docs/README.md");
  const reached = new Set([...index, ...index.filter((path) => path.endsWith("README.md")).flatMap(linked)]);
  const pages = repository.paths(".md").filter((path) => path.startsWith("docs/") && path !== "docs/README.md");
  expect(pages.filter((path) => !reached.has(path))).toEqual([]);
});
