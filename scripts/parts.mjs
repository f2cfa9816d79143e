/** Parts of the firmware that a board can do without: `without` in its manifest's `config`, for an image that would not fit. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../host-sim/specifiers.mjs";

/** Of each part the sources that the firmware gets it from, each with the one with the same exports in its place. */
export const PARTS = Object.freeze({
  "bms-log": [
    ["src/catalogue/bms-log.ts", "src/catalogue/without-bms-log.ts"],
    ["modules/jk-bms/system-log.ts", "modules/jk-bms/without-system-log.ts"],
    ["src/endpoints/bms-log.ts", "src/endpoints/without-bms-log.ts"],
  ],
  "own-mib": [["src/snmp/own-mib.ts", "src/snmp/without-own-mib.ts"]],
  "rare-texts": [["web/texts/later/rare.ts", "web/texts/later/without-rare.ts"]],
  modbus: [["src/modbus/open-modbus.ts", "src/modbus/without-modbus.ts"]],
  notify: [["src/notify/open-notify.ts", "src/notify/without-notify.ts"]],
});

/**
 * @param {readonly string[]} without names of parts. Throws for one that there is not.
 * @returns {import("esbuild").Plugin}
 */
export function leaveOut(without) {
  const replaced = new Map(
    without.flatMap((name) => {
      const part = PARTS[name];
      if (!part) throw new Error(`"without": there is no part "${name}": ${Object.keys(PARTS).join(", ")}`);
      return part.map(([source, other]) => [join(root, source), join(root, other)]);
    }),
  );
  return {
    name: "parts that the board does without",
    setup(build) {
      if (replaced.size === 0) return;
      build.onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        const other = replaced.get(path);
        if (other === undefined) return undefined;
        return { contents: readFileSync(other, "utf8"), loader: "ts", resolveDir: dirname(other) };
      });
    },
  };
}
