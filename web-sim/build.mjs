/** Builds the demonstration: static files that work below any path. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { esbuildPlatformInBrowser, root } from "../host-sim/specifiers.mjs";
import { leaveOut } from "../scripts/parts.mjs";

/** What needs a network that a browser does not have. */
const WITHOUT = ["modbus", "notify"];
const TARGET = "es2022";
const COPIED = ["index.html", "demo.css"];
const DIGITS = 12;

const commit = () => {
  try {
    return execFileSync("git", ["rev-parse", "--short=12", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
  } catch {
    return "unknown";
  }
};

/** The files that a build of the firmware embeds; `page`: folder of the page. */
function resources(page) {
  const names = readdirSync(page).filter((name) => name.endsWith(".gz"));
  const lineOf = (name, path) =>
    `${JSON.stringify(name)}: bytes(${JSON.stringify(readFileSync(path).toString("base64"))}),`;
  const lines = names.map((name) => lineOf(name, join(page, name)));
  lines.push(lineOf("roots.der", `${root}src/notify/roots.der`));
  return `const bytes = (text) => Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0));\nexport default {${lines.join("\n")}};`;
}

/** Modules made here, by name. */
const virtual = (modules) => ({
  name: "made by the build",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^web-sim:/ }, ({ path }) => ({ path, namespace: "made" }));
    onLoad({ filter: /.*/, namespace: "made" }, ({ path }) => ({ contents: modules[path.slice("web-sim:".length)]() }));
  },
});

/** A script as bytes. What is Node's does not resolve, and so fails the build. */
async function bundle(entry, modules) {
  const { outputFiles } = await build({
    entryPoints: [entry],
    absWorkingDir: root,
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    platform: "browser",
    conditions: ["browser"],
    target: TARGET,
    logLevel: "warning",
    plugins: [virtual(modules), leaveOut(WITHOUT), esbuildPlatformInBrowser],
  });
  return outputFiles[0]?.contents ?? new Uint8Array(0);
}

/**
 * @param {{ out?: string, page?: string, worker?: string }} [options] `page`: folder of the built page; `worker`: another entry point of the
 *   dedicated worker, for tests.
 * @returns {Promise<Record<string, number>>} the bytes of each file
 */
export async function buildDemo({
  out = `${root}build/demo`,
  page = `${root}build/web`,
  worker = "web-sim/worker.ts",
} = {}) {
  const modules = { resources: () => resources(page), build: () => `export default ${JSON.stringify(commit())};` };
  const files = {
    ...Object.fromEntries(COPIED.map((name) => [name, readFileSync(`${root}web-sim/${name}`)])),
    "demo.js": await bundle("web-sim/demo.ts", modules),
    "worker.js": await bundle(worker, modules),
  };
  const digest = createHash("sha256");
  for (const content of Object.values(files)) digest.update(content);
  const version = digest.digest("hex").slice(0, DIGITS);
  const assets = () =>
    `export const ASSETS = ${JSON.stringify(Object.keys(files))}; export const VERSION = "${version}";`;
  files["service-worker.js"] = await bundle("web-sim/service-worker.ts", { assets });
  mkdirSync(out, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(out, name), content);
  return Object.fromEntries(Object.entries(files).map(([name, { length }]) => [name, length]));
}
