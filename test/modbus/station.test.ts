/** Several stations on one bus. */
import { beforeEach, describe, expect, it } from "vitest";
import type { SimulatedBoard } from "../../host-sim/board";
import { Bus } from "../../modules/modbus/bus";
import { MAX_STATIONS } from "../../modules/modbus/limits";
import { Station } from "../../modules/modbus/station";
import { Transaction } from "../../modules/modbus/transaction";
import type { Result } from "../../modules/modbus/types";
import { sealed } from "../support/bms/fake-bms";
import { lineBoard, onRequest, serialOf } from "../support/bms/line";

let board: SimulatedBoard;
let bus: Bus;
/** Addresses asked, in order. */
let asked: number[];
let silent: Set<number>;

beforeEach(() => {
  board = lineBoard();
  bus = new Bus({ serial: serialOf(board), baud: 115200 });
  asked = [];
  silent = new Set();
  onRequest(board, (request) => {
    const address = request[0] as number;
    asked.push(address);
    if (!silent.has(address)) board.clock.after(10, () => board.wire.bms.send(sealed(address, 3, 2, 0, address)));
  });
});

/** A station that asks `times` times, each time as soon as it can. */
function asking(address: number, times: number): { station: Station; results: Result[] } {
  const station = new Station(bus, address);
  const transaction = new Transaction();
  const results: Result[] = [];
  const ask = (): void =>
    station.start(transaction.read(0x1200, 1), 1, {
      answered(result, { bytes, start, length }) {
        results.push(result);
        if (result === "reply")
          expect([...bytes.subarray(start, start + length)]).toEqual([...sealed(address, 3, 2, 0, address)]);
        if (results.length < times) ask();
      },
    });
  ask();
  return { station, results };
}

describe("stations", () => {
  it("take turns, although each asks again at once", () => {
    const all = [3, 1, 2].map((address) => asking(address, 4));
    board.clock.runFor(3000);
    expect(asked).toEqual([3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2]);
    for (const { results } of all) expect(results).toEqual(["reply", "reply", "reply", "reply"]);
  });

  it("are not held up by one that is silent for longer than its tries", () => {
    silent.add(1);
    const [mute, other] = [asking(1, 2), asking(2, 2)];
    board.clock.runFor(5000);
    expect(mute.results).toEqual(["no-reply", "no-reply"]);
    expect(other.results).toEqual(["reply", "reply"]);
    expect(asked).toEqual([1, 2, 1, 2]);
  });

  it("keep the gap between one's reply and another's request", () => {
    const sent: number[] = [];
    const send = board.wire.board.send.bind(board.wire.board);
    board.wire.board.send = (bytes) => {
      sent.push(board.clock.now);
      send(bytes);
    };
    asking(1, 1);
    asking(2, 1);
    board.clock.runFor(1000);
    const [first, second] = sent as [number, number];
    expect(second - first).toBeGreaterThanOrEqual(75 + 10);
  });

  it("have one transaction each", () => {
    const { station } = asking(1, 1);
    expect(() => station.start(new Transaction().read(0, 1), 1, { answered: () => undefined })).toThrow(
      "a transaction is in progress",
    );
    expect(() => asking(2, 1)).not.toThrow();
  });

  it("cancel theirs whether it waits for its turn or is in progress, and the next one follows", () => {
    const [first, second, third] = [asking(1, 1), asking(2, 1), asking(3, 1)];
    second.station.cancel();
    board.clock.runFor(80);
    expect(bus.awaited).toBeDefined();
    first.station.cancel();
    board.clock.runFor(1000);
    expect(asked).toEqual([1, 3]);
    expect([first.results, second.results, third.results]).toEqual([[], [], ["reply"]]);
  });

  it("leave the bus when closed, whoever's turn it is", () => {
    const all = [1, 2, 3, 4].map((address) => asking(address, 3));
    board.clock.runFor(150);
    all[0]!.station.close();
    board.clock.runFor(100);
    all[2]!.station.close();
    board.clock.runFor(3000);
    expect(all[1]!.results).toHaveLength(3);
    expect(all[3]!.results).toHaveLength(3);
    all[2]!.station.close();
    for (let address = 5; address < 3 + MAX_STATIONS; address++) expect(() => new Station(bus, address)).not.toThrow();
    expect(() => new Station(bus, 100)).toThrow(`more than ${MAX_STATIONS} stations`);
  });

  // Asked last: 2, of 1 to 4.
  it.each([
    [1, [3, 4, 2]],
    [2, [3, 4, 1]],
    [3, [4, 1, 2]],
    [4, [3, 1, 2]],
  ])("keep their turns when %i leaves", (leaves, next) => {
    const all = [1, 2, 3, 4].map((address) => asking(address, 3));
    while (asked.length < 2) board.clock.runFor(10);
    board.clock.runFor(50);
    all[leaves - 1]!.station.close();
    asked.length = 0;
    while (asked.length < 3) board.clock.runFor(10);
    expect(asked).toEqual(next);
  });

  it("all forget their transactions when the bus is closed", () => {
    const [first, second] = [asking(1, 2), asking(2, 2)];
    board.clock.runFor(80);
    bus.close();
    expect([first.station.busy, second.station.busy]).toEqual([false, false]);
    board.clock.runFor(1000);
    expect([first.results, second.results]).toEqual([[], []]);
  });

  it("may close the bus in their callback", () => {
    const station = new Station(bus, 1);
    station.start(new Transaction().read(0, 1), 1, { answered: () => bus.close() });
    const other = asking(2, 1);
    board.clock.runFor(1000);
    expect(other.results).toEqual([]);
    expect(asked).toEqual([1]);
    expect(() => asking(3, 1)).toThrow(new Error("closed"));
  });

  it.each([-1, 248, 1.5])("have no address %d", (address) => {
    expect(() => new Station(bus, address)).toThrow(RangeError);
  });
});
