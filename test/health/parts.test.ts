import { beforeEach, expect, it, vi } from "vitest";
import { MAX_EVENT_TEXT } from "../../src/events/limits";
import { MAX_REASON, RETRY_PARTS } from "../../src/health/limits";
import { PARTS, Parts, type PartName } from "../../src/health/parts";
import { poweredBoard } from "../support/system/simulated-board";

const SAFE: readonly PartName[] = [
  "relay",
  "pins",
  "button",
  "led",
  "network",
  "portal",
  "server",
  "token",
  "energy",
  "trial",
  "supervisor",
];

let board: ReturnType<typeof poweredBoard>;
let broken: Map<PartName, unknown>;
let started: PartName[];
let told: string[];
beforeEach(() => {
  board = poweredBoard();
  broken = new Map();
  started = [];
  told = [];
});

function make(safe = false): Parts {
  const parts = new Parts(
    {
      startPart(part) {
        if (broken.has(part)) throw broken.get(part);
        started.push(part);
      },
    },
    safe,
  );
  parts.log = { add: (event) => void told.push(event) };
  return parts;
}

it("starts all parts in order, and in safe mode only those that repair needs", () => {
  make().start("relay");
  expect(started).toEqual(PARTS);
  started = [];
  const safe = make(true);
  safe.start("relay");
  safe.begin("monitoring");
  expect(started).toEqual(SAFE);
});

it("in safe mode starts those that report it only once the run has lasted, and tries them again", () => {
  const safe = make(true);
  safe.start("relay");
  for (const part of ["mqtt", "snmp", "syslog", "notify", "time", "bms"] as const) safe.begin(part);
  expect(started).toEqual(SAFE);
  started = [];
  safe.report();
  for (const part of ["bms", "monitoring", "mdns"] as const) safe.begin(part);
  expect(started).toEqual(["mqtt", "snmp", "syslog", "notify", "time"]);
});

it("can be stopped before a part", () => {
  make().start("relay", "network");
  expect(started).toEqual(["relay", "pins", "button", "led"]);
});

it.each(PARTS)(
  "%s: a failure is reported with its reason, keeps no other from starting, and is tried again until it starts",
  (part) => {
    const parts = make();
    broken.set(part, new Error("in use"));
    parts.start("relay");
    expect(started).toEqual(PARTS.filter((other) => other !== part));
    const problem = `part-failed\t${part}\tin use`;
    expect([parts.problems, told]).toEqual([[problem], [problem]]);
    board.clock.runFor(3 * RETRY_PARTS);
    expect(told).toEqual([problem]);
    broken.clear();
    board.clock.runFor(RETRY_PARTS);
    expect(started.at(-1)).toBe(part);
    expect([parts.problems, told.slice(1)]).toEqual([[], [`part-works\t${part}`]]);
    started = [];
    board.clock.runFor(10 * RETRY_PARTS);
    expect([started, board.timers.count]).toEqual([[], 0]);
  },
);

it("all at once: each is reported, and nothing is thrown", () => {
  const parts = make();
  for (const part of PARTS) broken.set(part, new Error(part));
  parts.start("relay");
  expect(parts.problems).toEqual(PARTS.map((part) => `part-failed\t${part}\t${part}`));
  broken.clear();
  board.clock.runFor(RETRY_PARTS);
  expect([parts.problems, started]).toEqual([[], PARTS]);
});

it("without memory for the timer of the attempts it begins with the next part", () => {
  const parts = make();
  broken.set("led", new Error("in use"));
  board.refusals.failAllocation(1);
  parts.begin("led");
  broken.clear();
  board.clock.runFor(3 * RETRY_PARTS);
  expect([started, parts.problems.length]).toEqual([[], 1]);
  parts.begin("portal");
  board.clock.runFor(RETRY_PARTS);
  expect([started, parts.problems]).toEqual([["portal", "led"], []]);
});

it.each([
  ["a text", "no memory", "no memory"],
  ["nothing", undefined, "undefined"],
  ["null", null, "null"],
  ["an object without a message", {}, "[object Object]"],
  ["tabs, which separate an event's parameters", new Error("a\tb"), "a b"],
  ["more than the log has room for", new Error("x".repeat(MAX_REASON + 1)), "x".repeat(MAX_REASON)],
])("what is thrown may be %s", (_, thrown, reason) => {
  const parts = make();
  broken.set("supervisor", thrown);
  parts.start("relay");
  expect(parts.problems).toEqual([`part-failed\tsupervisor\t${reason}`]);
});

it("the longest report fits a line of the log", () => {
  const longest = Math.max(...PARTS.map((part) => part.length));
  expect("part-failed\t".length + longest + 1 + MAX_REASON).toBeLessThanOrEqual(MAX_EVENT_TEXT);
});

it("another reason is reported once more, in place of the old one", () => {
  const parts = make();
  parts.failed("bms", new Error("in use"));
  parts.failed("bms", new Error("in use"));
  parts.failed("bms", new Error("no memory"));
  expect(told).toEqual(["part-failed\tbms\tin use", "part-failed\tbms\tno memory"]);
  expect(parts.problems).toEqual(["part-failed\tbms\tno memory"]);
  parts.works("bms");
  parts.works("bms");
  expect([parts.problems, told.length]).toEqual([[], 3]);
});

it("a part that tries again by itself is not started a second time", () => {
  const parts = make();
  parts.failed("bms", new Error("in use"));
  board.clock.runFor(3 * RETRY_PARTS);
  expect([started, parts.problems.length]).toEqual([[], 1]);
});

it("close ends the attempts", () => {
  const parts = make();
  const tick = vi.spyOn(parts, "begin");
  broken.set("led", new Error("in use"));
  parts.start("relay");
  parts.close();
  tick.mockClear();
  board.clock.runFor(3 * RETRY_PARTS);
  expect(tick).not.toHaveBeenCalled();
});
