import { readdirSync, readFileSync } from "node:fs";

const USE = /\bFIELDS\.(\w+)/g;

/** Names of the fields of the BMS that the firmware uses. */
export const usedFields = (): ReadonlySet<string> =>
  new Set(
    ["src", "modules"].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith(".ts"))
        .flatMap((path) => [...readFileSync(`${folder}/${path}`, "utf8").matchAll(USE)].map(([, name]) => name!)),
    ),
  );
