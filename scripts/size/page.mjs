/** The page and the roots of TLS, as they are embedded. */
import { readFileSync, statSync } from "node:fs";
import { root } from "../../host-sim/specifiers.mjs";

/** Bytes of the files that manifest.json embeds. They must have been built. */
export function pageBytes() {
  const { data } = JSON.parse(readFileSync(`${root}manifest.json`, "utf8"));
  return data["*"].reduce(
    (total, file) => total + statSync(`${root}${file}${file.startsWith("./build/web/") ? ".gz" : ".der"}`).size,
    0,
  );
}
