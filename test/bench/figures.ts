/** docs/figures.md: a section for each command that measures, a line for each row, so that branches merge. */

export const FIGURES = "docs/figures.md";

export type Cell = string | number;

export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

const shown = (cell: Cell): string => (typeof cell === "number" ? cell.toLocaleString("en-US") : cell);
const line = (cells: readonly Cell[]): string => `| ${cells.map(shown).join(" | ")} |`;

const textOf = ({ title, head, rows }: Table): string =>
  [`### ${title}`, "", line(head), line(head.map((_, at) => (at ? "---:" : "---"))), ...rows.map(line)].join("\n");

/** Where the part of `text` with this heading begins and ends. Undefined: there is none. */
function partOf(text: string, heading: string): readonly [start: number, end: number] | undefined {
  const start = `\n${text}`.indexOf(`\n${heading}\n`);
  if (start < 0) return undefined;
  const body = start + heading.length;
  // The next one of its level, or of one above.
  const length = text.slice(body).search(new RegExp(`\n#{1,${heading.indexOf(" ")}} `));
  return [start, length < 0 ? text.length : body + length];
}

/** `text` with this section of `command`, in place of the one that it had, or as its last. */
export function withSection(text: string, command: string, about: string, tables: readonly Table[]): string {
  const heading = `## \`${command}\``;
  const section = [heading, about, ...tables.map(textOf)].join("\n\n");
  const [start, end] = partOf(text, heading) ?? [text.length, text.length];
  return `${[text.slice(0, start), section, text.slice(end)]
    .map((part) => part.trim())
    .filter(Boolean)
    .join("\n\n")}\n`;
}

/** The number in this column of a row. Throws if there is none. */
export function figureIn(text: string, title: string, row: string, column: string): number {
  const [start, end] = partOf(text, `### ${title}`) ?? [0, 0];
  const [head, ...rows] = [...text.slice(start, end).matchAll(/^\| (.*) \|$/gm)].map(([, cells = ""]) =>
    cells.split(" | "),
  );
  const at = head?.indexOf(column) ?? -1;
  const cell = rows.find(([name]) => name === row)?.[at];
  if (!cell) throw new Error(`${FIGURES} has no ${column} of "${row}" in "${title}"`);
  return Number(cell.replaceAll(",", ""));
}
