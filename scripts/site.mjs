/**
 * npm run site [-- --base /PATH/] [--to FOLDER] [--release build/release]: docs, API reference, demonstration and, from a release, the page that
 * flashes, as one static site with search. `--base`: the path below which it will be; default: that of GitHub Pages.
 */
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { writeFlashPage } from "./flash-page.mjs";
import { buildPage } from "./page.mjs";
import { homepageOf } from "./homepage.mjs";
import { setUp } from "./setup.mjs";
import { landingPage } from "./site/landing.mjs";
import { fileOf, isPage, pageOf, sidebarOf, sitePage } from "./site/pages.mjs";

const { values } = parseArgs({
  options: { base: { type: "string" }, to: { type: "string", default: "build/site" }, release: { type: "string" } },
});
await setUp();
const { build } = await import("vitepress");
const { Repository } = await import("./docs/checks.mjs");
const { referencePage } = await import("./site/reference.mjs");
const { buildDemo } = await import("../web-sim/build.mjs");

const repository = Repository.here();
const homepage = homepageOf(JSON.parse(repository.files.get("package.json")));
/** A project's pages are below its name. */
const base = values.base ?? (homepage ? `/${homepage.split("/").at(-1)}/` : "/");
const to = resolve(values.to);
/** One for each run: the pages as VitePress takes them. */
const source = resolve(`build/site-source-${process.pid}`);

function write(path, text) {
  const file = join(source, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

for (const path of repository.paths("")) {
  if (isPage(path)) write(pageOf(path), sitePage(repository, path, homepage));
  else if (fileOf(path)) {
    mkdirSync(dirname(join(source, "public", path)), { recursive: true });
    cpSync(path, join(source, "public", fileOf(path)));
    // An image is an asset of its page.
    if (/\.(?:png|svg)$/.test(path)) {
      mkdirSync(dirname(join(source, path)), { recursive: true });
      cpSync(path, join(source, path));
    }
  }
}
write("index.md", landingPage(sitePage(repository, "README.md", homepage), base, Boolean(values.release)));
write("docs/openapi.md", referencePage(repository.files.get("docs/openapi.yaml")));

const demo = { text: "Try it", link: "/demo/index.html", target: "_self" };
const flasher = values.release ? [{ text: "Flash", link: "/flash/index.html", target: "_self" }] : [];
const config = {
  title: "JK BMS Monitor",
  description: "Firmware for an ESP32 that monitors and controls JK PB battery-management systems",
  base,
  outDir: to,
  themeConfig: {
    search: { provider: "local" },
    nav: [
      { text: "Documentation", link: "/docs/" },
      { text: "Nothing answers?", link: "/docs/fix/nothing-answers" },
      demo,
      ...flasher,
      ...(homepage ? [{ text: "GitHub", link: homepage }] : []),
    ],
    sidebar: sidebarOf(repository.files.get("docs/README.md")),
    outline: { level: [2, 3] },
  },
};
write(
  ".vitepress/config.mjs",
  `import { markdown } from ${JSON.stringify(resolve("scripts/site/markdown.mjs"))};
export default { ...${JSON.stringify(config)}, markdown };
`,
);
cpSync(join(import.meta.dirname, "site/theme"), join(source, ".vitepress/theme"), { recursive: true });

try {
  await build(source);
} finally {
  rmSync(source, { recursive: true, force: true });
}
await buildPage();
await buildDemo({ out: join(to, "demo") });
if (values.release) writeFlashPage(values.release, join(to, "flash"));
if (!existsSync(join(to, "index.html"))) throw new Error(`${to} has no index.html`);
console.log(`${values.to}: serve it below ${base}`);
