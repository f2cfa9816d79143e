/**
 * Splits the page's script into files: `app`, which every page loads, and those loaded later: a language each, and the screens
 * below lazy/. esbuild splits ES modules; here they become classic scripts, because a script that failed can be requested again,
 * while a browser need not fetch a failed module twice (HTML standard, "fetch a single module script": the module map keeps it).
 */
import { readdirSync } from "node:fs";
import { basename, extname } from "node:path";
import { build } from "esbuild";
import { root } from "../host-sim/specifiers.mjs";
import { leaveOut } from "../scripts/parts.mjs";
import { nameless } from "./nameless.mjs";

const WEB = `${root}web/`;
const MAIN = `${WEB}main.tsx`;

const namesIn = (folder) =>
  readdirSync(`${WEB}${folder}`, { withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [basename(entry.name, extname(entry.name))] : [],
  );
/** Below texts/later are those of lazy files. */
export const LANGUAGES = namesIn("texts");
const LAZY = namesIn("lazy");

/**
 * A lazy file counts as if it imported the app as well: everything that the app has is then common to all, and esbuild puts it into one
 * file.
 */
const beside = {
  name: "beside the app",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^lazy:/ }, ({ path }) => ({ path: path.slice("lazy:".length), namespace: "lazy" }));
    onLoad({ filter: /./, namespace: "lazy" }, ({ path }) => ({
      contents: `import "./main"; export * from "./lazy/${path}";`,
      resolveDir: WEB,
    }));
  },
};

/** The modules that esbuild makes of these entry points: name, text, and the sources in each. */
async function modules(entryPoints, target, plugins) {
  const { outputFiles, metafile } = await build({
    entryPoints,
    plugins: [beside, ...plugins],
    absWorkingDir: root,
    outdir: "/",
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    minify: true,
    format: "esm",
    target,
    jsx: "automatic",
    jsxImportSource: "preact",
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
  });
  const outputs = Object.entries(metafile.outputs);
  return outputFiles.map(({ path, text }) => {
    const [, made] = outputs.find(([name]) => basename(name) === basename(path)) ?? [];
    return { name: basename(path, ".js"), text, inputs: Object.keys(made?.inputs ?? {}) };
  });
}

/** Without a list where nothing of the app is used. */
const IMPORT = /^import(?:\{([^{}]*)\}from)?"\.\/chunk-\w+\.js";/;
const EXPORT = /export\{([^{}]*)\};\s*$/;
const members = (list, form) =>
  list
    .split(",")
    .map((one) => form(...one.split(" as ")))
    .join();

/** The body of a module as statements; what it exports is assigned to `page.files.<name>`, what it imports comes from the app's. */
function statements(name, text) {
  const body = text
    .replace(IMPORT, (_, list) =>
      list ? `const{${members(list, (from, to = from) => `${from}:${to}`)}}=page.files.app;` : "",
    )
    .replace(EXPORT, (_, list) => `page.files.${name}={${members(list, (from, to = from) => `${to}:${from}`)}};`);
  if (!body.includes(`page.files.${name}=`) || /^(import|export)\b/m.test(body))
    throw new Error(`web/split.mjs does not understand what esbuild made of ${name}.js.`);
  return body.trim();
}

/**
 * @param {string} target JavaScript version
 * @param {readonly string[]} without parts to leave out, scripts/parts.mjs
 * @returns {Promise<{ app: string, later: Record<string, string>, names: string }>} statements, those loaded later by the name of their file; the names
 * of the texts in a language's file
 */
export async function split(target, without) {
  const languages = LANGUAGES.map((name) => ({ in: `${WEB}texts/${name}.ts`, out: name }));
  const lazy = LAZY.map((name) => ({ in: `lazy:${name}`, out: name }));
  const { plugin, names } = await nameless(LANGUAGES);
  const plugins = [leaveOut(without), plugin];
  const made = await modules([{ in: MAIN, out: "main" }, ...lazy], target, plugins);
  const app = made.find(({ inputs }) => inputs.includes("web/main.tsx"));
  if (!app) throw new Error("esbuild made no file of web/main.tsx.");
  const stray = made.find(({ name }) => ![app.name, "main", ...LAZY].includes(name));
  if (stray) throw new Error(`Used by several lazy files, so main.tsx has to import it: ${stray.inputs.join(", ")}`);
  const later = [...(await modules(languages, target, plugins)), ...made.filter(({ name }) => LAZY.includes(name))];
  return {
    names,
    app: statements("app", app.text),
    later: Object.fromEntries(later.map(({ name, text }) => [name, statements(name, text)])),
  };
}
