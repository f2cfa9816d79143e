/** Who is watched by the chip's task watchdog, and what that means for a busy script: the arithmetic, on a model of the tasks. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { TASK_WATCHDOG } from "../../host-sim/board";
import { settingsOf } from "../support/boards/sdkconfig";
import { biteOf, type Turn } from "../support/boards/task-watchdog";

const sdkconfig = readFileSync("boards/esp32/sdkconfig/sdkconfig.defaults", "utf8");

const HOUR = 3_600_000;
const turns = (turn: Turn, total: number): Turn[] =>
  new Array<Turn>(Math.ceil(total / (turn.busy + turn.rest))).fill(turn);

it("the simulator's watchdog has the chip's timeout", () => {
  expect(Number(settingsOf(sdkconfig).get("ESP_TASK_WDT_TIMEOUT_S")) * 1_000).toBe(TASK_WATCHDOG);
});

describe.each([0, 1] as const)("core %d", (core) => {
  it.each([
    ["requests without a pause", { busy: 40, rest: 0 }],
    ["password hashing, step after step", { busy: 250, rest: 0 }],
    ["steps just below the timeout", { busy: TASK_WATCHDOG - 1, rest: 0 }],
    ["nothing to do", { busy: 1, rest: 10 * TASK_WATCHDOG }],
  ])("an hour of %s: no restart", (_, turn) => {
    expect(biteOf(sdkconfig, core, turns(turn, HOUR))).toBeUndefined();
  });

  it("a step that does not end is restarted", () => {
    const stuck = [...turns({ busy: 40, rest: 60 }, 1_000), { busy: TASK_WATCHDOG, rest: 0 }];
    expect(biteOf(sdkconfig, core, stuck)).toEqual({ at: 1_000 + TASK_WATCHDOG, task: "main" });
  });
});
