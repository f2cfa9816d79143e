import Timer from "timer";
import { enter, onError, onReadable, onTimer, onWritable, threw } from "door/enter";
import { beforeEach, describe, expect, it } from "vitest";
import { poweredBoard } from "../support/system/simulated-board";

/** Throws at each call, and says with what. */
class Failing {
  constructor(
    readonly part?: string,
    readonly owner?: object,
  ) {}
  tick(): void {
    throw new Error("tick");
  }
  readable(count?: number, more?: unknown): void {
    throw new Error(`readable ${count} ${String(more)}`);
  }
  writable(count: number): void {
    throw new Error(`writable ${count}`);
  }
  lost(reason: unknown, from: { readonly name: string }): void {
    throw new Error(`lost ${String(reason)} ${from.name}`);
  }
}

/** A socket of the platform's. */
const socketOf = (target: object): { target: object; name: string } => ({ target, name: "socket" });

let told: string[];
let board: ReturnType<typeof poweredBoard>;
beforeEach(() => {
  board = poweredBoard();
  told = [];
  globalThis.faults = { threw: (part, error) => void told.push(`${part}: ${(error as Error).message}`) };
});

/** Each door, and what it calls its target with. */
const DOORS: readonly [string, (target: Failing) => void, string][] = [
  ["a timer", (target) => onTimer({ target }), "tick"],
  ["bytes, packets, connections", (target) => onReadable.call(socketOf(target), 3, "more"), "readable 3 more"],
  ["room", (target) => onWritable.call(socketOf(target), 5), "writable 5"],
  ["an error", (target) => onError.call(socketOf(target), "reset"), "lost reset socket"],
  ["any other method", (target) => enter(target, "writable", 7), "writable 7"],
];

describe.each(DOORS)("%s", (_, call, message) => {
  it("passes on to the target what the platform gives, and tells what that throws under its part", () => {
    call(new Failing("mdns"));
    expect(told).toEqual([`mdns: ${message}`]);
  });

  it("under the part of its owner, or of nobody", () => {
    call(new Failing(undefined, new Failing(undefined, new Failing("mqtt"))));
    call(new Failing(undefined, new Failing()));
    expect(told).toEqual([`mqtt: ${message}`, `undefined: ${message}`]);
  });

  it("throws where nobody hears", () => {
    globalThis.faults = undefined;
    expect(() => call(new Failing("mdns"))).toThrow(message);
  });
});

it("a target that is not there yet is not called", () => {
  enter<Failing, "tick">(undefined, "tick");
  expect(told).toEqual([]);
});

it("a timer that throws goes on, as do the others", () => {
  let ticks = 0;
  for (const target of [new Failing("led"), { tick: () => ticks++ }])
    Object.assign(Timer.repeat(onTimer, 100), { target });
  board.clock.runFor(350);
  expect([told, ticks]).toEqual([["led: tick", "led: tick", "led: tick"], 3]);
});

it("each device hears of its own", () => {
  const first = board;
  const other: string[] = [];
  const second = poweredBoard();
  globalThis.faults = { threw: (part) => void other.push(part ?? "") };
  first.post(() => threw("first", new Error("no")));
  second.post(() => threw("second", new Error("no")));
  first.clock.runFor(1);
  second.clock.runFor(1);
  expect([told, other]).toEqual([["first: no"], ["second"]]);
});
