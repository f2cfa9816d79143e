import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../host-sim/specifiers.mjs";
import { KEPT_BYTES } from "../../src/health/limits";

it.each(["boards/esp32/life.c", "linux/life.c"])("%s retains as many bytes as the firmware needs", (file) => {
  const [, bytes] = /^#define KEPT_BYTES (\d+)$/m.exec(readFileSync(join(root, file), "utf8")) ?? [];
  expect(Number(bytes)).toBe(KEPT_BYTES);
});
