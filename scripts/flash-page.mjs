/** The page that flashes: docs/flash, ESP Web Tools and the files of a release, for the site (site.mjs). */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const PAGE = ["index.html", "flash.css", "flash.js"];

/** Names of the boards on the page, by their images. @returns {Record<string, string>} */
export const boardNames = () =>
  Object.fromEntries(
    [
      ...readFileSync(join(root, "docs/flash/index.html"), "utf8").matchAll(
        /<option value="(\w+)">\s*([^<:]+?)\s*[:<]/g,
      ),
    ].map(([, board, name]) => [board, name]),
  );

/** @param {string} release build/release, as scripts/release/collect.mjs makes it. @param {string} to is emptied first */
export function writeFlashPage(release, to) {
  if (!existsSync(join(release, "SHA256SUMS"))) throw new Error(`${release} has no release: it has no SHA256SUMS`);
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  for (const name of PAGE) cpSync(join(root, "docs/flash", name), join(to, name));
  cpSync(join(root, "node_modules/esp-web-tools/dist/web"), join(to, "esp-web-tools"), { recursive: true });
  cpSync(join(root, "node_modules/esp-web-tools/LICENSE"), join(to, "esp-web-tools/LICENSE"));
  for (const name of readdirSync(release))
    if (/\.(bin|json)$|^(SHA256SUMS|LICENSE|THIRD-PARTY-NOTICES)$/.test(name))
      cpSync(join(release, name), join(to, name));
}
