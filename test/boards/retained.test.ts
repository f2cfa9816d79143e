/** The retained memory: one map, compared wherever it is written down again, and each of its areas in its place. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { KEPT_BYTES as SIMULATED_BYTES } from "../../host-sim/abort";
import * as map from "../../src/runtime/retained";

const defined = (name: string): number =>
  Number(new RegExp(`^#define ${name} (\\d+)$`, "m").exec(readFileSync("boards/esp32/retained.h", "utf8"))?.[1]);

it("C has the map of the firmware", () => {
  for (const name of ["KEPT_BYTES", "ABORT_AT", "ABORT_BYTES"] as const)
    expect([name, defined(name)]).toEqual([name, map[name]]);
  for (const file of ["boards/esp32/life.c", "linux/life.c"])
    expect(readFileSync(file, "utf8")).toMatch(/#include ".*retained\.h"/);
  expect(SIMULATED_BYTES).toBe(map.KEPT_BYTES);
});

it("its areas follow one another, within four fifths of the chips' 8,192 bytes of RTC memory", () => {
  const areas = [
    [0, map.HEADER_BYTES],
    [map.START_AT, map.START_BYTES],
    [map.ABORT_AT, map.ABORT_BYTES],
    [map.LINES_AT, map.LINES * map.LINE_BYTES],
    [map.HISTORY_AT, map.HISTORY_BYTES],
    [map.CELLS_AT, map.HISTORY_PACKS * map.CELLS_BYTES],
    [map.NOTIFY_AT, map.NOTIFY_BYTES],
    [map.CONDITIONS_AT, map.CONDITIONS_BYTES],
  ] as const;
  let end = 0;
  for (const [at, bytes] of areas) {
    expect(at).toBe(end);
    end = at + bytes;
  }
  expect(end).toBe(map.KEPT_BYTES);
  expect(end).toBeLessThanOrEqual(6_553);
});
