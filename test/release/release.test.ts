import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import product from "../../package.json";
import { isNewer, released, sectionOf, sectionsOf } from "../../scripts/release/changelog.mjs";

const CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n\n## [0.1.0] - 2026-01-02\n\n- First.\n";

describe("the changelog", () => {
  it("has a form that can be read", () => {
    const [first] = sectionsOf(readFileSync("CHANGELOG.md", "utf8"));
    expect(first?.version).toBe("Unreleased");
  });

  it("turns the unreleased section into a version with a date", () => {
    const text = released(CHANGELOG, "0.2.0", "2026-11-22");
    expect(sectionsOf(text)).toEqual([
      { version: "Unreleased", date: undefined, text: "" },
      { version: "0.2.0", date: "2026-11-22", text: "### Added\n\n- A thing." },
      { version: "0.1.0", date: "2026-01-02", text: "- First." },
    ]);
    expect(sectionOf(text, "0.2.0")).toBe("### Added\n\n- A thing.");
  });

  it.each(["0.1.0", "1.2", "v1.2.3", "01.2.3"])("is unchanged for %s", (version) => {
    expect(() => released(CHANGELOG, version, "2026-11-22")).toThrow(version);
  });

  it("is unchanged when nothing is unreleased", () => {
    const empty = released(CHANGELOG, "0.2.0", "2026-11-22");
    expect(() => released(empty, "0.3.0", "2026-11-23")).toThrow("The section Unreleased of CHANGELOG.md is empty");
  });

  it("compares versions numerically", () => {
    expect(isNewer("0.10.0", "0.9.9")).toBe(true);
    expect(isNewer("0.9.9", "0.10.0")).toBe(false);
    expect(isNewer("1.0.0", "1.0.0")).toBe(false);
  });
});

describe("npm run release, in a scratch repository", () => {
  let folder: string;
  const git = (...parameters: string[]): string =>
    execFileSync("git", parameters, { cwd: folder, encoding: "utf8" }).trim();
  const commit = (message: string): void => {
    git("add", "--all");
    git("commit", "--quiet", "--message", message);
  };
  const release = (version: string): string => {
    try {
      return execFileSync(process.execPath, ["scripts/release.mjs", version], {
        cwd: folder,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      });
    } catch (error) {
      return (error as { stderr: string }).stderr;
    }
  };
  const versionIn = (path: string): string =>
    (JSON.parse(readFileSync(join(folder, path), "utf8")) as { version: string }).version;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "release-"));
    git("init", "--quiet");
    git("config", "user.name", "Tester");
    git("config", "user.email", "tester@example.org");
    execFileSync("mkdir", ["-p", join(folder, "scripts/release")]);
    for (const path of ["release", "release/changelog", "homepage", "replace-file"])
      copyFileSync(resolve(`scripts/${path}.mjs`), join(folder, `scripts/${path}.mjs`));
    for (const path of ["package.json", "package-lock.json"]) copyFileSync(resolve(path), join(folder, path));
    git("remote", "add", "origin", "git@github.com:somebody/monitor.git");
    writeFileSync(join(folder, "CHANGELOG.md"), CHANGELOG.replace("0.1.0", "0.0.1"));
    commit("Begin");
  });

  it.each([
    ["has no remote", ["remote", "remove", "origin"]],
    ["is not at GitHub", ["remote", "set-url", "origin", "https://example.org/monitor.git"]],
  ])("is refused while the repository %s", (_, change) => {
    git(...change);
    expect(release("9.0.0")).toContain("docs/releasing.md");
    expect([versionIn("package.json"), git("tag")]).toEqual([product.version, ""]);
  });

  it("sets the version, the changelog and a tag", () => {
    expect(release("9.0.0")).toContain("git push origin HEAD v9.0.0");
    expect([versionIn("package.json"), versionIn("package-lock.json")]).toEqual(["9.0.0", "9.0.0"]);
    expect(sectionOf(readFileSync(join(folder, "CHANGELOG.md"), "utf8"), "9.0.0")).toContain("A thing.");
    expect(git("describe", "--exact-match", "HEAD")).toBe("v9.0.0");
    expect(JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))).toMatchObject({
      homepage: "https://github.com/somebody/monitor",
      bugs: "https://github.com/somebody/monitor/issues",
    });
    expect(git("status", "--porcelain")).toBe("");
    expect(git("show", "--stat", "--format=%s", "HEAD")).toMatch(/^Release 9\.0\.0\n/);
  });

  it("accepts the current version for the first release only", () => {
    expect(release(product.version)).toContain(`v${product.version} is tagged`);
    expect(release(product.version)).toContain("is not newer than");
  });

  it.each([
    ["an older version", "0.0.9", "is not newer than"],
    ["no version", "1.2", "X.Y.Z"],
  ])("refuses %s and changes nothing", (_, version, message) => {
    expect(release(version)).toContain(message);
    expect(git("status", "--porcelain")).toBe("");
    expect(git("tag")).toBe("");
  });

  it("refuses a working tree with changes", () => {
    writeFileSync(join(folder, "CHANGELOG.md"), "other");
    expect(release("9.0.0")).toContain("uncommitted");
    expect(git("tag")).toBe("");
  });
});
