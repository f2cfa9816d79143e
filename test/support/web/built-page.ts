import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildWeb } from "../../../web/build.mjs";

/** Folder of the page as the device serves it, built once in a run of the tests: its temporary files are its own. */
export async function builtPage(): Promise<string> {
  const folder = join(tmpdir(), "built-page");
  if (existsSync(folder)) return folder;
  const own = mkdtempSync(join(tmpdir(), "page-"));
  await buildWeb({ out: own, log: () => undefined });
  try {
    renameSync(own, folder);
  } catch (error) {
    // Another file has built it meanwhile.
    if (!existsSync(folder)) throw error;
    rmSync(own, { recursive: true });
  }
  return folder;
}
