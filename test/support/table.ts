/** A table of cases is one test, whatever the number of its rows, which stands in its name: a count of tests says how many things are tested. */
import { it } from "vitest";

type Mutable<Row> = { -readonly [Cell in keyof Row]: Row[Cell] };
type Cells<Row> = Row extends readonly unknown[] ? Mutable<Row> : [Row];

type Between = () => Promise<void> | void;
type Run<Row> = (...cells: Cells<Row>) => Promise<void> | void;

/** As much of a row names it. */
const MAX_NAME = 120;

const nameOf = (row: unknown): string => (JSON.stringify(row) ?? String(row)).slice(0, MAX_NAME);

/** Tries every row; throws what failed, with the rows. `between`: what each but the first needs before it. */
export async function tryRows<Row>(rows: readonly Row[], run: Run<Row>, between?: Between): Promise<void> {
  if (rows.length === 0) throw new Error("no rows");
  const failed: unknown[] = [];
  for (const [at, row] of rows.entries())
    try {
      if (at > 0) await between?.();
      await run(...((Array.isArray(row) ? row : [row]) as Cells<Row>));
    } catch (error) {
      if (error instanceof Error) error.message = `${nameOf(row)}: ${error.message}`;
      failed.push(error);
    }
  if (failed.length === 1) throw failed[0];
  if (failed.length) throw new AggregateError(failed, failed.map(String).join("\n"));
}

/** As `it.each`: see `tryRows`. */
export const table =
  <const Row>(rows: readonly Row[], between?: Between) =>
  (name: string, run: Run<Row>): void =>
    it(`${name} (${rows.length} rows)`, () => tryRows(rows, run, between));
