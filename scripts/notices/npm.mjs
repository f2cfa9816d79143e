/** The npm packages whose code is in the device's page and in the page that flashes. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "../../host-sim/specifiers.mjs";

/** @typedef {{ name: string, version: string, licence: string, text: string }} Package */

/** Some packages name their licence without its text. */
const TEXT = /^(licen[cs]e|copying)(\.\w+)?$/i;

/** @returns {Package} Throws if an installed package has neither a licence nor its text. */
function packageOf(name, textOf = name) {
  const { version, license } = JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8"));
  const folder = join(root, "node_modules", textOf);
  const file = readdirSync(folder).find((entry) => TEXT.test(entry));
  if (!license || !file) throw new Error(`${name} ${version}: no licence, or no text of it`);
  return { name, version, licence: license, text: readFileSync(join(folder, file), "utf8") };
}

/** What the device's page contains: Preact, according to esbuild. */
export async function packagesOfPage() {
  const { metafile } = await build({
    entryPoints: [join(root, "web/main.tsx")],
    bundle: true,
    write: false,
    metafile: true,
    jsx: "automatic",
    jsxImportSource: "preact",
    absWorkingDir: root,
    logLevel: "silent",
  });
  const names = Object.keys(metafile.inputs).flatMap(
    (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
  );
  return [...new Set(names)].sort().map((name) => packageOf(name));
}

/** Packages of declarations are not in the bundle; this one has no text of its own and is published with lit. */
const TEXT_ELSEWHERE = { "@lit-labs/ssr-dom-shim": "lit" };

/** ESP Web Tools is published as a bundle: it and all that it depends on. */
export function packagesOfFlashPage() {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const names = new Set(["esp-web-tools"]);
  for (const name of names)
    for (const next of Object.keys(packages[`node_modules/${name}`].dependencies ?? {}))
      if (!next.startsWith("@types/") && existsSync(join(root, "node_modules", next))) names.add(next);
  return [...names].sort().map((name) => packageOf(name, TEXT_ELSEWHERE[name]));
}
