import { expect, it } from "vitest";
import { isInUse } from "../../src/health/in-use";

const NOBODY = { web: { isInUse: false }, monitor: { writes: { pending: false } }, updater: { isRunning: false } };

it.each([
  ["nobody", {}, false],
  ["somebody signed in", { web: { isInUse: true } }, true],
  ["a write", { monitor: { writes: { pending: true } } }, true],
  ["an update", { updater: { isRunning: true } }, true],
])("by %s", (_who, change, used) => expect(isInUse({ ...NOBODY, ...change })).toBe(used));
