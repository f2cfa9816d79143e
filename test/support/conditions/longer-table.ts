/** The table of conditions with further rows: its text is changed as by somebody who adds them. */
import { readFileSync } from "node:fs";
import { build } from "esbuild";
import type * as Table from "../../../src/conditions/table";

const TABLE = "src/conditions/table.ts";
/** The end of a list: the first is that of the packs, the second the device's. */
const END = /\n {2}\] as const,\n/g;

export async function tableWith(packs: readonly string[], device: readonly string[] = []): Promise<typeof Table> {
  const more = [packs, device];
  const contents = readFileSync(TABLE, "utf8").replace(
    END,
    (end) => (more.shift() ?? []).map((row) => `"${row}",`).join("") + end,
  );
  const { outputFiles } = await build({
    stdin: { contents, loader: "ts", resolveDir: "src/conditions" },
    bundle: true,
    write: false,
    format: "esm",
    logLevel: "warning",
  });
  const url = `data:text/javascript;base64,${Buffer.from(outputFiles[0]!.contents).toString("base64")}`;
  return (await import(/* @vite-ignore */ url)) as typeof Table;
}
