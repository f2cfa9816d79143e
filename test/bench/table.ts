export type Cell = string | number;

/** Prints a Markdown table, unless it is empty. */
export function table(title: string, head: readonly string[], rows: readonly (readonly Cell[])[]): void {
  if (!rows.length) return;
  const texts = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...texts.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [first = [], ...rest] = texts;
  console.log(
    [
      `\n${title}\n`,
      line(first),
      `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`,
      ...rest.map(line),
    ].join("\n"),
  );
}
