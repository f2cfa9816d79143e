/** Roots of the device for tests: the real ones have keys that nobody has. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { minimal, rootsFile } from "../../../scripts/roots.mjs";
import { dersOf, type Authority } from "./certificates";

/** A folder of resources in which the device's roots are the real ones and `authorities`. */
export function resourcesWith(...authorities: Authority[]): string {
  const folder = mkdtempSync(join(tmpdir(), "resources-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const own = authorities.flatMap(({ pem }) => dersOf(pem)).map(minimal);
  writeFileSync(join(folder, "roots.der"), Buffer.concat([rootsFile(), ...own]));
  return folder;
}
