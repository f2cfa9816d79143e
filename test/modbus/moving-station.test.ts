/** One station that asks at several addresses. */
import { expect, it } from "vitest";
import { Bus } from "../../modules/modbus/bus";
import { LATE_REPLY, MAX_ADDRESS } from "../../modules/modbus/limits";
import { MovingStation } from "../../modules/modbus/moving-station";
import { encodeWrite } from "../support/modbus/encode-write";
import { PDU } from "../../modules/modbus/rtu";
import { Transaction } from "../../modules/modbus/transaction";
import type { Result } from "../../modules/modbus/types";
import { sealed } from "../support/bms/fake-bms";
import { lineBoard, onRequest, serialOf } from "../support/bms/line";

const HIGHEST = MAX_ADDRESS;

/** Slaves at all addresses; those that `late` has acknowledge a write after so many ms. */
function setUp(late: number) {
  const board = lineBoard();
  const bus = new Bus({ serial: serialOf(board), baud: 115200, mode: "auto" });
  const asked: number[] = [];
  onRequest(board, (request) => {
    const [address, code] = request as unknown as [number, number];
    asked.push(address);
    const reply = code === 3 ? sealed(address, 3, 2, 0, address) : sealed(address, 16, ...request.subarray(2, 6));
    board.clock.after(code === 3 ? 10 : late, () => board.wire.bms.send(reply));
  });
  const station = new MovingStation(bus, HIGHEST);
  const transaction = new Transaction();
  const results: Result[] = [];
  const start = (): void => station.start(transaction, 1, { answered: (result) => void results.push(result) });
  const read = (address: number): void => {
    station.moveTo(address);
    transaction.read(0x1200, 1);
    start();
  };
  const write = (address: number): void => {
    station.moveTo(address);
    transaction.prepare(encodeWrite(transaction.adu, PDU, 0x1070, Uint8Array.of(0, 0, 0, 1)));
    start();
  };
  return { board, bus, station, asked, results, read, write };
}

it("asks at each in turn", () => {
  const { board, bus, asked, results, read, station } = setUp(10);
  for (const address of [3, 0, HIGHEST]) {
    read(address);
    board.clock.runFor(2_000);
  }
  expect([asked, results]).toEqual([
    [3, 0, HIGHEST],
    ["reply", "reply", "reply"],
  ]);
  expect(() => station.moveTo(HIGHEST + 1)).toThrow(
    new RangeError(`address ${HIGHEST + 1} is not an integer from 0 to ${HIGHEST}`),
  );
  expect(() => new MovingStation(bus, 248)).toThrow(/^address 248 /);
  expect(station.address).toBe(HIGHEST);
});

it("does not move while it asks", () => {
  const { read, station } = setUp(10);
  read(3);
  expect(() => station.moveTo(4)).toThrow("in progress");
});

it("a late acknowledgement from where it was before proves no other master; one that it did not ask for does", () => {
  const { board, bus, read, write, results } = setUp(LATE_REPLY - 200);
  board.clock.runFor(2_000);
  write(3);
  board.clock.runFor(400);
  read(4);
  board.clock.runFor(3_000);
  expect(results).toEqual(["no-reply", "reply"]);
  expect(bus.foreign.present).toBe(false);
  board.wire.bms.send(sealed(5, 16, 0x10, 0x70, 0, 2));
  board.clock.runFor(100);
  expect(bus.foreign.present).toBe(true);
});

it("knows by address when it last wrote there", () => {
  const { board, station, write, read } = setUp(10);
  board.clock.runFor(2_000);
  const written = (): (number | undefined)[] => [0, 3, 4].map((address) => station.wroteTo(address));
  expect(written()).toEqual([undefined, undefined, undefined]);
  write(3);
  board.clock.runFor(1_000);
  const at = station.wroteAt;
  expect(at).toBeDefined();
  // Where it is, and where it was.
  expect(written()).toEqual([undefined, at, undefined]);
  read(4);
  board.clock.runFor(1_000);
  expect(written()).toEqual([undefined, at, undefined]);
});

it("a late acknowledgement from where it still is proves no other master", () => {
  const { board, bus, write, results } = setUp(LATE_REPLY - 200);
  board.clock.runFor(2_000);
  write(3);
  board.clock.runFor(3_000);
  expect(results).toEqual(["no-reply"]);
  expect(bus.counters.foreign).toBe(0);
});
