/** Which ESP-IDF is installed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./setup.mjs";

const textOf = (path) => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};

/** The version that releases are built with, such as "v6.0.2". */
export const wantedIdf = () => /^IDF_VERSION=(.*)$/m.exec(textOf(`${root}scripts/ci/versions`))?.[1] ?? "";

/** The version in a folder, from the file that its build reads; a release has no patch 0 in its name. Undefined: none is there. */
export function idfVersion(folder) {
  const text = textOf(join(folder, "tools/cmake/version.cmake"));
  const [major, minor, patch] = ["MAJOR", "MINOR", "PATCH"].map(
    (part) => new RegExp(`set\\(IDF_VERSION_${part} (\\d+)\\)`).exec(text)?.[1],
  );
  if (major === undefined) return undefined;
  return `v${major}.${minor}${patch === "0" ? "" : `.${patch}`}`;
}

/** A sentence if the version in `folder` is not the one that the firmware is made for. */
export function otherIdf(folder) {
  const found = idfVersion(folder);
  if (found === wantedIdf()) return undefined;
  return `IDF_PATH has ${found ? `ESP-IDF ${found}` : "no ESP-IDF"}; the firmware is made for ${wantedIdf()} (docs/building.md).`;
}
