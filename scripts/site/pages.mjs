/** The repository's Markdown as pages of the site: where each is, and its links. */
import { dirname, join, normalize, relative } from "node:path";

const FENCED = /^(```+)\w*\n[\s\S]*?^\1$/gm;
const INLINE = /(`+)[^`][\s\S]*?\1/g;
/** Not pages: GitHub's own files, and licences. */
const NO_PAGE = /^(?:\.github|LICENSES)\//;
/** Files that pages link to, beside them on the site. */
const FILE = /^docs\/.*\.(?:png|svg|json|txt|ya?ml)$/;
const LICENCES = ["LICENSE", "THIRD-PARTY-NOTICES"];

export const isPage = (path) => path.endsWith(".md") && !NO_PAGE.test(path);
/** Where a file is on the site; undefined: it is not there. */
export const fileOf = (path) => (LICENCES.includes(path) ? `${path}.txt` : FILE.test(path) ? path : undefined);

/** Where the page of a file is: README.md is a folder's index. */
export const pageOf = (path) => path.replace(/(^|\/)README\.md$/, "$1index.md");

/** Applies `change` to what is not code. */
export function outsideCode(text, change) {
  const kept = [];
  const keep = (code) => `\u0000${kept.push(code) - 1}\u0000`;
  const open = text.replace(FENCED, keep).replace(INLINE, keep);
  let changed = change(open);
  while (changed.includes("\u0000")) changed = changed.replace(/\u0000(\d+)\u0000/g, (_, index) => kept[index]);
  return changed;
}

/**
 * The target of a link on the site. Code is at GitHub: its address, or undefined as long as there is none.
 * @param {import("../docs/checks.mjs").Repository} repository
 * @param {string | undefined} homepage
 */
export function targetOf(repository, from, target, homepage) {
  if (/^(?:[a-z]+:|#)/.test(target)) return target;
  const [file, anchor] = target.split("#");
  const to = normalize(join(dirname(from), decodeURI(file))).replace(/\/$/, "");
  if (to.startsWith("../../")) return homepage && `${homepage}/${to.slice(6)}`;
  const page = [to, `${to}/README.md`].find((path) => repository.files.has(path) && isPage(path));
  const end = anchor === undefined ? "" : `#${anchor}`;
  if (page) return beside(from, pageOf(page)) + end;
  if (fileOf(to)) return beside(from, fileOf(to));
  return homepage && `${homepage}/blob/main/${to}`;
}

const beside = (from, to) => {
  const path = relative(dirname(from), to);
  return path.startsWith(".") ? path : `./${path}`;
};

/** The text of a page. A link to what the site does not have becomes its text. */
export function sitePage(repository, path, homepage) {
  return outsideCode(repository.files.get(path), (text) =>
    text
      // An image within a link, a link, an image.
      .replace(/(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g, (_, image, words, target) => {
        const to = targetOf(repository, path, target, homepage);
        return to === undefined ? words : `${image}[${words}](${to})`;
      })
      .replace(/ src="([^":]+)"/g, (_, target) => ` src="${targetOf(repository, path, target, homepage)}"`)
      // Vue's.
      .replace(/\{\{/g, "&#123;&#123;")
      .replace(/<!--=[^>]*-->/g, ""),
  );
}

/** The sidebar: the sections of docs/README.md with their tables' rows, each the question and its first page. */
export function sidebarOf(index) {
  return [...index.matchAll(/^## (.+)\n([\s\S]*?)(?=^## |(?![\s\S]))/gm)].map(([, text, body]) => ({
    text,
    items: [...body.matchAll(/^\| *([^|]+?) *\| *\[([^\]]+)\]\(([^)]+)\)/gm)].flatMap(([, , title, target]) =>
      /^https?:/.test(target) ? [] : [{ text: title, link: linkOf(target) }],
    ),
  }));
}

/** From a link in docs/README.md to the site's root. */
function linkOf(target) {
  const [file, anchor] = target.split("#");
  const to = normalize(join("docs", file));
  if (to === "docs/openapi.yaml") return "/docs/openapi";
  return `/${pageOf(to).replace(/(?:index)?\.md$/, "")}${anchor ? `#${anchor}` : ""}`;
}
