/** How writes have ended reaches every observer, whatever follows in the same callback. */
import { expect, it, vi } from "vitest";
import Timer from "../../host-sim/io/timer";
import { BmsEvents } from "../../src/bms/events";
import type { WriteReport } from "../../src/bms/outcomes";
import { poweredBoard } from "../support/system/simulated-board";

const report = (pack: number, outcome: "confirmed" | "failed"): WriteReport => ({
  name: "cell_ovp_voltage",
  value: "3.6",
  unit: "V",
  outcome,
  detail: "",
  pack,
});

function observed(): { events: BmsEvents; told: WriteReport[] } {
  const events = new BmsEvents();
  const told: WriteReport[] = [];
  events.add({ writeEnded: (ended) => told.push(ended) });
  return { events, told };
}

it("of several writes that end before the timer each is told of, in order and once", () => {
  const { clock } = poweredBoard();
  const { events, told } = observed();
  const reports = [report(1, "confirmed"), report(2, "failed"), report(16, "failed")];
  for (const ended of reports) events.writeEnded(ended);
  expect(told).toEqual([]);
  clock.runFor(1);
  expect(told).toEqual(reports);
  clock.runFor(1_000);
  events.tick();
  expect(told).toEqual(reports);
});

it("without memory for the timer each is told of at the next beat", () => {
  poweredBoard();
  const { events, told } = observed();
  vi.spyOn(Timer, "set").mockImplementation(() => {
    throw new Error("no memory");
  });
  const reports = [report(1, "confirmed"), report(2, "failed")];
  for (const ended of reports) events.writeEnded(ended);
  events.tick();
  expect(told).toEqual(reports);
});
