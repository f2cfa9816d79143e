/** What the SDK's mcconfig makes of the manifests for each board. Needs no ESP-IDF: nothing is compiled. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../host-sim/specifiers.mjs";
import { BOARDS, sdkEnvironment } from "../../scripts/moddable.mjs";
import { runProgram } from "../support/run-program";
import { REQUIRED, settingsOf } from "../support/sdkconfig";

let out: string;
beforeAll(() => void (out = mkdtempSync(join(tmpdir(), "boards-"))));
afterAll(() => rmSync(out, { recursive: true }));

const sources = ["src", "modules"]
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }))
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
  .map((file) => file.slice(0, -".ts".length));

const TLS = "tls-socket/";
/** These have the SDK's names there. */
const NAMED_OTHERWISE: Record<string, string> = {
  "tls-socket/sdk/cache": "ssl/cache",
  "tls-socket/sdk/cert": "ssl/cert",
  "tls-socket/sdk/ciphersuites": "ssl/ciphersuites",
  "tls-socket/sdk/tls": "~.embedded/io/socket/tcp/tls",
};
const WITHOUT_TLS = "esp32c3";

/** Runs one of the SDK's tools, or the TypeScript compiler as mcconfig does. */
const run = (command: string, parameters: string[]): Promise<{ code: number | null; output: string }> =>
  runProgram("env", [`PATH=${sdkEnvironment()["PATH"]}`, command, ...parameters], 110);

describe.each(BOARDS)("esp32/%s", (board) => {
  const wanted = sources.filter((source) => board !== WITHOUT_TLS || !source.startsWith(TLS));
  let made: string;
  let project: string;
  let makefile: string;
  beforeAll(async () => {
    const { code, output } = await run("mcconfig", ["-p", `esp32/${board}`, "-o", out, join(root, "manifest.json")]);
    expect([code, output]).toEqual([0, ""]);
    const folder = join(out, "tmp/esp32", board, "release");
    made = join(folder, readdirSync(folder).find((name) => name !== "lib") ?? "");
    project = join(made, readdirSync(made).find((name) => name.startsWith("xsProj")) ?? "");
    makefile = readFileSync(join(made, "makefile"), "utf8");
  });

  it("preloads every module of ours but main", () => {
    const preloaded = [...makefile.matchAll(/^\t-p (\S+)\.xsb/gm)].map(([, name]) => name!);
    const missing = wanted.filter((source) => !preloaded.includes(NAMED_OTHERWISE[source] ?? source));
    expect(missing).toEqual(["main"]);
    // On the one without it, what says so has its name.
    expect(preloaded).toContain("~.embedded/io/socket/tcp/tls");
    expect(preloaded.some((name) => name.startsWith(TLS))).toBe(board !== WITHOUT_TLS);
  });

  it("has the page, and two slots for the firmware", () => {
    for (const file of ["index.html.gz", "app.js.gz", "app.css.gz", "icon.svg.gz"])
      expect(makefile).toContain(`$(DATA_DIR)/${file}`);
    expect(readFileSync(join(project, "partitions.csv"), "utf8")).toBe(
      readFileSync(join(root, "boards/esp32/partitions.csv"), "utf8"),
    );
  });

  it("is built with our settings of ESP-IDF, whatever the SDK has for its chip", () => {
    const made = settingsOf(readFileSync(join(project, "sdkconfig.mc"), "utf8"));
    const ours = [...settingsOf(readFileSync(join(root, "boards/esp32/sdkconfig/sdkconfig.defaults"), "utf8"))];
    expect(ours.length).toBeGreaterThan(Object.keys(REQUIRED).length);
    expect(ours.filter(([name, value]) => made.get(name) !== value)).toEqual([]);
  });

  it("has a queue to XS that lwIP does not fill", () => {
    expect(readFileSync(join(made, "mc.defines.h"), "utf8")).toContain("#define MODDEF_TASK_QUEUELENGTH (48)\n");
  });

  it("compiles under mcconfig's own TypeScript configuration and the SDK's typings", async () => {
    const files = [...makefile.matchAll(/ : (\S+\.ts) /g)]
      .map(([, file]) => file)
      .filter((file) => !/\.d\.ts$/.test(file!));
    expect(files.length).toBeGreaterThan(wanted.length - 1);
    const all = join(made, "all-tsconfig.json");
    writeFileSync(
      all,
      JSON.stringify({
        extends: join(made, "modules/tsconfig-base.json"),
        compilerOptions: { noEmit: true, rootDir: "/" },
        files,
      }),
    );
    const { code, output } = await run("tsc", ["-p", all]);
    expect([code, output]).toEqual([0, ""]);
  });
});
