import { existsSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleDevice } from "../../../scripts/device-bundle.mjs";

/** The device's bundle with everything, by the files' names; made once in a run of the tests: its temporary files are its own. */
export async function builtBundle(): Promise<Map<string, string>> {
  const file = join(tmpdir(), "built-bundle.json");
  if (!existsSync(file)) {
    const own = join(mkdtempSync(join(tmpdir(), "bundle-")), "bundle.json");
    writeFileSync(own, JSON.stringify([...(await bundleDevice())]));
    renameSync(own, file);
  }
  return new Map(JSON.parse(readFileSync(file, "utf8")) as [string, string][]);
}
