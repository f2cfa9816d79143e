/** Pictures in pages: each is shown, and says in words what it shows. */
import { dirname, join, normalize } from "node:path";

const FENCE = /^(```+)(\w*)\n([\s\S]*?)^\1$/gm;
const IMAGE = /<img\b[^>]*>|!\[[^\]]*\]\([^)\s]+\)/g;
const FOLDER = "docs/images/";

const sourceOf = (image) => /src="([^"]+)"|\]\(([^)\s]+)\)/.exec(image)?.slice(1).find(Boolean) ?? "";
const wordsOf = (image) => /alt="([^"]*)"|^!\[([^\]]*)\]/.exec(image)?.slice(1).find(Boolean) ?? "";

/** @param {import("./repository.mjs").Repository} repository */
export function brokenPictures(repository) {
  const shown = new Set();
  const problems = [];
  for (const [path, text] of repository.files) {
    if (!path.endsWith(".md")) continue;
    for (const [image] of text.replace(FENCE, "").matchAll(IMAGE)) {
      const source = sourceOf(image);
      shown.add(normalize(join(dirname(path), source)));
      if (!wordsOf(image)) problems.push(`${path}: the picture ${source} has no words`);
    }
  }
  const unseen = repository.paths(".png", ".svg").filter((path) => path.startsWith(FOLDER) && !shown.has(path));
  return [...problems, ...unseen.map((path) => `${path} is in no page`)];
}
