import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import manifest from "../../boards/esp32/manifest.json";
import { root } from "../../host-sim/specifiers.mjs";

/** Enough for every socket at once: lwIP waits for room in it without end, while XS may wait for lwIP (docs/building.md). */
const QUEUE_LENGTH = 48;

it("the queue to XS is as long as the socket tests assume", () => {
  const harness = readFileSync(join(root, "test/native/harness/harness.c"), "utf8");
  expect(manifest.defines.task.queueLength).toBe(QUEUE_LENGTH);
  expect(Number(/^#define MAX_MESSAGES (\d+)$/m.exec(harness)?.[1])).toBe(QUEUE_LENGTH);
});
