/** The site's first page: the README for one who reads and does not clone. */

/** What it leads to, most wanted first, each in one tap. What is no page of VitePress, which leaves it as it is, has its whole path. */
const linksOf = (base, hasFlasher) => [
  `[Try it in the browser](${base}demo/index.html){target="_self"}`,
  "[What do I buy?](/docs/start/buy.md)",
  hasFlasher ? `[Flash a board](${base}flash/index.html){target="_self"}` : "[Flash a board](/docs/start/flash.md)",
  "[Home Assistant](/docs/recipes/home-assistant.md)",
  "[Look at your pack by USB](/docs/start/adapter.md)",
  "[Nothing answers?](/docs/fix/nothing-answers.md)",
];

/** Sections for one who clones: they come last. */
const CLONE = /^## (?:Try it in the browser|Try it on a PC)\n[^]*?(?=^## )/gm;

/**
 * @param {string} readme as a page of the site, sitePage()
 * @param {string} base of the site
 * @param {boolean} hasFlasher the site has the page that flashes
 */
export function landingPage(readme, base, hasFlasher) {
  const [head = "", lead = ""] = /^# .+\n\n(.+)\n/.exec(readme) ?? [];
  if (!lead) throw new Error("README.md does not begin with a title and a paragraph");
  const body = readme.slice(head.length);
  const cloned = body.match(CLONE) ?? [];
  const links = `<div class="landing">\n\n${linksOf(base, hasFlasher).join("\n")}\n\n</div>`;
  return `${head}\n${links}\n${body.replace(CLONE, "")}\n\n${cloned.join("")}`;
}
