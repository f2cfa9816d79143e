import { expect, it } from "vitest";
import { isInUse } from "../../src/health/in-use";

const NOBODY = { web: { isInUse: false }, monitor: { writes: { pending: false } }, updater: { state: "idle" } };

it.each([
  ["nobody", {}, false],
  ["somebody signed in", { web: { isInUse: true } }, true],
  ["a write", { monitor: { writes: { pending: true } } }, true],
  ["an update that arrives", { updater: { state: "receiving" } }, true],
  ["an update to be started", { updater: { state: "restarting" } }, true],
  ["an update that failed", { updater: { state: "failed" } }, false],
])("by %s", (_who, change, used) => expect(isInUse({ ...NOBODY, ...change })).toBe(used));
