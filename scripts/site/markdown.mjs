/** What VitePress does with Markdown, as GitHub shows it, and accessible. */
import { anchorOf } from "../docs/markdown.mjs";

export const markdown = {
  // The links are written for GitHub's anchors.
  anchor: { slugify: anchorOf },
  theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  config: emptyHeads,
};

/** A head without a text is no head for a screen reader. */
function emptyHeads(md) {
  md.core.ruler.push("empty-heads", ({ tokens }) => {
    tokens.forEach((token, index) => {
      if (token.type !== "th_open" || tokens[index + 1].content.trim()) return;
      token.tag = "td";
      tokens[index + 2].tag = "td";
    });
  });
}
