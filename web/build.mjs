/** Builds the page: four small files, compressed at build time so that the device only sends them. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, transform } from "esbuild";
import { root } from "../host-sim/specifiers.mjs";
import { replaceFile } from "../scripts/replace-file.mjs";
import { tablesModule } from "./generate-tables.mjs";

/** Limit for all files together, compressed, bytes. */
export const MAX_SIZE = 60 * 1024;

const HASH_DIGITS = 16;
const TARGET = "es2020";
const source = (name) => `${root}web/${name}`;
const digest = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, HASH_DIGITS);

/** Regenerates web/tables.ts when the firmware's tables have changed. */
async function refreshTables() {
  const wanted = await tablesModule();
  const present = await readFile(source("tables.ts"), "utf8").catch(() => "");
  if (present !== wanted) replaceFile(source("tables.ts"), wanted);
}

async function script() {
  const { outputFiles } = await build({
    entryPoints: [source("main.tsx")],
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    target: TARGET,
    jsx: "automatic",
    jsxImportSource: "preact",
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
  });
  return Buffer.from(outputFiles[0].contents);
}

async function style() {
  const { code } = await transform(await readFile(source("app.css"), "utf8"), {
    loader: "css",
    minify: true,
    target: TARGET,
  });
  return Buffer.from(code);
}

const squeeze = (text) =>
  Buffer.from(
    text
      .replace(/<!--[^]*?-->/g, "")
      .replace(/>\s+</g, "><")
      .replace(/\s+/g, " ")
      .trim(),
  );

/**
 * Writes `<name>.gz` for each file, and `facts.json`: `[{name, type, size, etag, file}]` with compressed sizes. index.html requests
 * script and style with their digest in the query, so they can be cached for ever; its own ETag changes with them.
 * @returns the contents of facts.json
 */
export async function buildWeb({ out = "build/web", log = console.log } = {}) {
  await refreshTables();
  const icon = squeeze(await readFile(source("icon.svg"), "utf8"));
  const files = [
    ["app.js", "text/javascript; charset=utf-8", await script()],
    ["app.css", "text/css; charset=utf-8", await style()],
    ["icon.svg", "image/svg+xml", icon],
  ];
  // Inlined, the icon takes none of the device's few connections; the file serves requests for /favicon.ico.
  const embedded = `"data:image/svg+xml,${encodeURIComponent(icon.toString())}"`;
  let html = (await readFile(source("index.html"), "utf8")).replace('"/icon.svg"', embedded);
  for (const [name, , content] of files) html = html.replaceAll(`/${name}"`, `/${name}?${digest(content)}"`);
  files.unshift(["index.html", "text/html; charset=utf-8", squeeze(html)]);

  const facts = [];
  for (const [name, type, content] of files) {
    const compressed = gzipSync(content, { level: 9 });
    // RFC 1952, OS byte: fixed to "unknown", so that the build is reproducible.
    compressed[9] = 0xff;
    replaceFile(join(out, `${name}.gz`), compressed);
    facts.push({ name, type, size: compressed.length, etag: digest(compressed), file: `${name}.gz` });
  }
  replaceFile(join(out, "facts.json"), `${JSON.stringify(facts, undefined, 2)}\n`);
  const total = facts.reduce((sum, { size }) => sum + size, 0);
  for (const { name, size } of facts) log(`${name.padEnd(12)} ${String(size).padStart(6)} bytes gzipped`);
  log(`${"all".padEnd(12)} ${String(total).padStart(6)} of ${MAX_SIZE}`);
  if (total > MAX_SIZE) throw new Error(`The page takes ${total} bytes; it may take ${MAX_SIZE}.`);
  return facts;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildWeb();
