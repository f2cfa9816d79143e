/** vitest's global set-up: the page, which the whole system serves, is there before the first test, in a new clone too. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../host-sim/specifiers.mjs";
import { replaceFile } from "../../../scripts/replace-file.mjs";
import { builtPage } from "./built-page.ts";

/** vitest calls this once for each project of a run. */
let built: Promise<void> | undefined;

async function build(): Promise<void> {
  const folder = await builtPage();
  for (const name of readdirSync(folder)) replaceFile(join(root, "build/web", name), readFileSync(join(folder, name)));
}

export default async function setup(): Promise<void> {
  await (built ??= build());
}
