/** Builds the page: small files, compressed at build time so that the device only sends them. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";
import { root } from "../host-sim/specifiers.mjs";
import { replaceFile } from "../scripts/replace-file.mjs";
import { MAX_FIRST } from "../scripts/size/budget.mjs";
import { recordsModule, setupModule, tablesModule } from "./generate-tables.mjs";
import { gzip } from "./gzip.mjs";
import { shortened } from "./minify.mjs";
import { LANGUAGES, split } from "./split.mjs";

const TARGET = "es2020";
const BUILD_DIGITS = 8;
const JAVASCRIPT = "text/javascript; charset=utf-8";
const POLICY = "src/web/policy.ts";
const source = (name) => `${root}web/${name}`;
const sha256 = (content, encoding) => createHash("sha256").update(content).digest(encoding);

/** Regenerates the tables when the firmware's tables have changed. */
async function refreshTables() {
  const wanted = {
    "tables.ts": await tablesModule(),
    "setup-table.ts": await setupModule(),
    "past/tables.ts": await recordsModule(),
  };
  for (const [name, text] of Object.entries(wanted)) {
    const present = await readFile(source(name), "utf8").catch(() => "");
    if (present !== text) replaceFile(source(name), text);
  }
}

/** The file as the device sends it, with the digest that the device takes for its ETag: CRC-32 and length, the trailer of RFC 1952. */
async function compress(name, type, content) {
  const compressed = await gzip(content);
  return { name, type, compressed, etag: compressed.subarray(-8).toString("hex") };
}

/** Relative: a proxy may have the page below a path. */
const addressOf = ({ name, etag }) => `${name}?${etag}`;

const inFunction = async (statements) => `(()=>{${await shortened(statements)}})()`;

/**
 * app.js, and the files that it loads later. Each of these works only with the app it was built with. Each is a function: esbuild gives several
 * files the same short names, and `var` outside a function would be the window's.
 */
async function scripts(without) {
  const { app, later, names: texts } = await split(TARGET, without);
  const build = sha256(app + texts + Object.values(later).join(), "hex").slice(0, BUILD_DIGITS);
  const files = await Promise.all(
    Object.entries(later).map(async ([name, statements]) =>
      compress(`${name}.js`, JAVASCRIPT, `"use strict";page.build=="${build}"&&${await inFunction(statements)}`),
    ),
  );
  const names = Object.keys(later);
  const addresses = Object.fromEntries(files.map((file, index) => [names[index], addressOf(file)]));
  const page = `var page={build:"${build}",addresses:${JSON.stringify(addresses)},names:${JSON.stringify(texts)},files:{}};`;
  return { app: await compress("app.js", JAVASCRIPT, `"use strict";${page}${await inFunction(app)}`), later: files };
}

async function minified(name, loader, options = {}) {
  const { code } = await transform(await readFile(source(name), "utf8"), {
    ...{ loader, minify: true, target: TARGET },
    ...options,
  });
  return code.trim();
}

const squeeze = (text) =>
  text
    .replace(/<!--[^]*?-->/g, "")
    .replace(/>\s+</g, "><")
    .replace(/\s+/g, " ")
    .trim();

/** The script in index.html; the policy of the firmware has to allow exactly this one. */
async function boot() {
  // For browsers that are too old for the rest, which it is to say.
  const script = await minified("boot.ts", "ts", { format: "iife", target: "es2015" });
  const digest = `'sha256-${sha256(script, "base64")}'`;
  if (!(await readFile(`${root}${POLICY}`, "utf8")).includes(digest))
    throw new Error(`web/boot.ts has changed, so script-src in ${POLICY} has to say ${digest}.`);
  return script;
}

/**
 * Writes `<name>.gz` for each file, and `facts.json`: `[{name, type, size, etag, file}]` with compressed sizes. index.html and app.js
 * request the other files with their digest in the query, so they can be cached for ever; their own ETags change with them. `without`: parts to
 * leave out, scripts/parts.mjs.
 * @returns the contents of facts.json
 */
export async function buildWeb({
  out = "build/web",
  log = console.log,
  without = /** @type {readonly string[]} */ ([]),
} = {}) {
  await refreshTables();
  const svg = squeeze(await readFile(source("icon.svg"), "utf8"));
  const icon = await compress("icon.svg", "image/svg+xml", svg);
  // For a phone's home screen. Safari takes no SVG there.
  const touchIcon = await compress("touch-icon.png", "image/png", await readFile(source("touch-icon.png")));
  const home = JSON.stringify(JSON.parse(await readFile(source("manifest.webmanifest"), "utf8")));
  const manifest = await compress("manifest.webmanifest", "application/manifest+json", home);
  const style = await compress("app.css", "text/css; charset=utf-8", await minified("app.css", "css"));
  const { app, later } = await scripts(without);
  // Inlined, the icon takes none of the device's few connections; the file serves requests for /favicon.ico.
  const embedded = `"data:image/svg+xml,${encodeURIComponent(svg)}"`;
  let html = squeeze(await readFile(source("index.html"), "utf8")).replace('"icon.svg"', embedded);
  for (const file of [style, app]) html = html.replace(`"${file.name}"`, `"${addressOf(file)}"`);
  html = html.replace("></script>", `>${await boot()}</script>`);
  const index = await compress("index.html", "text/html; charset=utf-8", html);

  const facts = [index, style, app, ...later, icon, touchIcon, manifest].map(({ name, type, compressed, etag }) => {
    replaceFile(join(out, `${name}.gz`), compressed);
    return { name, type, size: compressed.length, etag, file: `${name}.gz` };
  });
  replaceFile(join(out, "facts.json"), `${JSON.stringify(facts, undefined, 2)}\n`);
  report(facts, log);
  return facts;
}

/** Names of the files that a browser loads before the page shows anything. */
export const firstFiles = (language) => ["index.html", "app.css", "app.js", `${language}.js`];

function report(facts, log) {
  const line = (name, size, rest = "") => log(`${name.padEnd(16)} ${String(size).padStart(6)} bytes gzipped${rest}`);
  const sum = (files) => files.reduce((total, { size }) => total + size, 0);
  for (const { name, size } of facts) line(name, size);
  for (const language of LANGUAGES) {
    const first = facts.filter(({ name }) => firstFiles(language).includes(name));
    line(`first load, ${language}`, sum(first), ` of ${MAX_FIRST}`);
  }
  line("all", sum(facts));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildWeb();
