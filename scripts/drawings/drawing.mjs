/** An SVG as wide as a phone's page: boxes, wires and words. Its colours follow the reader's light or dark scheme. */

/** Of a phone's page, so that a text has the size that it says. */
const WIDTH = 360;
const SIZE = 13;
/** px that text of a box keeps from its edge, and between its lines. */
const PADDING = 12;
const LINE = 17;

/** By class: in the light, in the dark. */
export const COLOURS = {
  paper: ["#fff", "#12171d"],
  ink: ["#12212f", "#e8eef4"],
  never: ["#b00000", "#ff9b93"],
  pack: ["#e6eef7", "#1d2d3f"],
  part: ["#fff0cf", "#3a3015"],
  board: ["#e2f3e5", "#173222"],
  other: ["#efefef", "#2a3037"],
  edge: ["#4a5b6b", "#8b9bab"],
  plus: ["#c40000", "#ff6b61"],
  minus: ["#1b1b1b", "#d0d7de"],
  orange: ["#d97200", "#ff9a2e"],
  green: ["#178038", "#3fb968"],
  blue: ["#2059c0", "#6ea0ff"],
  brown: ["#7a4a21", "#b98658"],
  white: ["#fff", "#fff"],
};

/** The class fills a box or a text, with "w-" before it it draws a wire or an edge. */
const styleOf = (at) =>
  Object.entries(COLOURS)
    .map(([name, colours]) => `.${name}{fill:${colours[at]}}.w-${name}{stroke:${colours[at]}}`)
    .join("");

const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

export class Drawing {
  #parts = [];

  /** @param {string} title what it shows, for a screen reader that opens the file itself */
  constructor(title) {
    this.title = title;
  }

  text(x, y, words, { kind = "ink", bold = false, size = SIZE, anchor = "start" } = {}) {
    const weight = bold ? ' font-weight="bold"' : "";
    this.#parts.push(
      `<text x="${x}" y="${y}" class="${kind}" font-size="${size}" text-anchor="${anchor}"${weight}>${escape(words)}</text>`,
    );
    return this;
  }

  /**
   * Lines below each other.
   * @param {string[]} all
   * @param {Parameters<Drawing["text"]>[3]} [options]
   */
  lines(x, y, all, options) {
    all.forEach((line, index) => this.text(x, y + index * LINE, line, options));
    return this;
  }

  /** A box, with a head in bold and lines below it. @param {string[]} [words] */
  box(x, y, width, height, kind, words = []) {
    const [head, ...lines] = words;
    this.#parts.push(`<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6" class="${kind} w-edge"/>`);
    if (head) this.text(x + PADDING, y + 21, head, { bold: true });
    return this.lines(x + PADDING, y + 21 + LINE, lines, { size: 12 });
  }

  /** A small box with its text in the middle: a terminal, a socket, a fuse. @param {string[]} lines */
  terminal(x, y, width, height, ...lines) {
    this.#parts.push(`<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="4" class="paper w-edge"/>`);
    const first = y + height / 2 + 4.5 - ((lines.length - 1) * 15) / 2;
    lines.forEach((line, index) => this.text(x + width / 2, first + index * 15, line, { size: 12, anchor: "middle" }));
    return this;
  }

  /** `kind`: a colour, "white-" before it for a striped wire; `points` of a polyline. */
  wire(kind, points, thickness = 4) {
    const striped = kind.startsWith("white-");
    const colour = kind.replace("white-", "");
    const line = (name, width, more = "") =>
      this.#parts.push(
        `<polyline points="${points}" fill="none" class="w-${name}" stroke-width="${width}" stroke-linejoin="round"${more}/>`,
      );
    line(colour, striped ? thickness + 1 : thickness);
    if (striped) line("white", thickness - 1, ' stroke-dasharray="6 5"');
    return this;
  }

  svg(height) {
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="system-ui, sans-serif" role="img">
<title>${escape(this.title)}</title>
<style>${styleOf(0)}@media(prefers-color-scheme:dark){${styleOf(1)}}</style>
<rect width="100%" height="100%" rx="8" class="paper"/>
${this.#parts.join("\n")}
</svg>
`;
  }
}
