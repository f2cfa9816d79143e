type Cell = string | number;

/** Prints a table of Markdown. */
export function table(title: string, head: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const texts = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...texts.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  const [first = [], ...rest] = texts;
  console.log([`\n${title}\n`, line(first), rule, ...rest.map(line)].join("\n"));
}
