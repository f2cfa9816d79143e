/** A reply that comes after its time-out is told by its length and by the order of the requests. */
import { beforeEach, expect, it } from "vitest";
import type { Clock } from "../../host-sim/clock";
import type { SimulatedBoard } from "../../host-sim/board";
import { Bus } from "../../modules/modbus/bus";
import { appendCrc } from "../../modules/modbus/crc";
import { FIRST_BYTE_TIMEOUT, LATE_REPLIES, LATE_REPLY, SLOW_FIRST_BYTE_TIMEOUT } from "../../modules/modbus/limits";
import { encodeWrite } from "../support/modbus/encode-write";
import { PDU } from "../../modules/modbus/rtu";
import { MovingStation } from "../../modules/modbus/moving-station";
import { Transaction } from "../../modules/modbus/transaction";
import { lineBoard, onRequest, serialOf } from "../support/bms/line";
import { poweredBoard } from "../support/system/simulated-board";

const sealedOf = (...bytes: number[]): Uint8Array => {
  const adu = new Uint8Array(bytes.length + 2);
  adu.set(bytes);
  appendCrc(adu, bytes.length);
  return adu;
};
const reply = (address: number, quantity: number, first = 0): Uint8Array =>
  sealedOf(address, 3, 2 * quantity, ...Array.from({ length: 2 * quantity }, (_, at) => (first + at) & 0xff));

let board: SimulatedBoard;
let clock: Clock;
let bus: Bus;
let station: MovingStation;
const transaction = new Transaction();
let requests: number;
/** Result, and the first data byte of a reply. */
let endings: (string | number)[];
/** ms after each request, and what then comes. */
let answer: (request: Uint8Array, count: number) => readonly (readonly [after: number, bytes: Uint8Array])[];

beforeEach(() => {
  poweredBoard();
  board = lineBoard();
  ({ clock } = board);
  bus = new Bus({ serial: serialOf(board), baud: 115200 });
  station = new MovingStation(bus, 1);
  requests = 0;
  endings = [];
  onRequest(board, (bytes) => {
    for (const [after, sent] of answer(bytes, requests++)) clock.after(after, () => board.wire.bms.send(sent));
  });
});

const listener = {
  answered: (result: string, { bytes, start, length }: { bytes: Uint8Array; start: number; length: number }) => {
    endings.push(result === "reply" && length > 8 ? (bytes[start + 3] as number) : result);
  },
};

function read(quantity: number, { address = 1, tries = 1, register = 0x1200, rest = 3_000 } = {}): void {
  station.moveTo(address);
  station.start(transaction.read(register, quantity), tries, listener);
  ended(rest);
}

/** The transaction has ended, and so many ms have passed since. */
function ended(rest = 0): void {
  const { length } = endings;
  while (endings.length === length) clock.runFor(1);
  clock.runFor(rest);
}

it("a slave that is late three times in a row is waited for up to 500 ms, and no other is", () => {
  let delay = 400;
  answer = (request) => [[delay, reply(request[0]!, 4)]];
  for (let time = 0; time < LATE_REPLIES; time++) {
    expect(bus.counters.late).toBe(2 * time);
    read(4);
    read(4, { address: 2 });
  }
  expect(bus.counters.late).toBe(2 * LATE_REPLIES);
  expect(new Set(endings)).toEqual(new Set(["no-reply"]));
  endings = [];
  read(4);
  read(4, { address: 3 });
  expect(endings).toEqual([0, "no-reply"]);
  for (const [after, result] of [
    [SLOW_FIRST_BYTE_TIMEOUT - 15, 0],
    [SLOW_FIRST_BYTE_TIMEOUT + 15, "no-reply"],
  ] as const) {
    delay = after;
    endings = [];
    read(4);
    expect(endings).toEqual([result]);
  }
});

it("one that answers in time in between is not learned as slow", () => {
  answer = (request, count) => [[count % LATE_REPLIES === LATE_REPLIES - 1 ? 20 : 400, reply(request[0]!, 4)]];
  for (let time = 0; time < 4 * LATE_REPLIES; time++) read(4);
  expect(endings.filter((ending) => ending !== "no-reply")).toHaveLength(4);
});

it("of a repeated request the second reply proves that the first was late; a lost one proves nothing", () => {
  // Late, but before the repetition times out.
  answer = () => [[350, reply(1, 4)]];
  for (let time = 0; time < LATE_REPLIES; time++) read(4, { tries: 2 });
  expect(endings).toEqual([0, 0, 0]);
  expect([requests, bus.counters.late]).toEqual([2 * LATE_REPLIES, LATE_REPLIES]);
  read(4, { tries: 2 });
  expect(requests).toBe(2 * LATE_REPLIES + 1);

  // Another, every other reply of which is lost.
  answer = (_, count) => (count % 2 ? [] : [[20, reply(2, 4)]]);
  for (let time = 0; time < 10; time++) read(4, { address: 2, tries: 2 });
  answer = () => [[350, reply(2, 4)]];
  endings = [];
  read(4, { address: 2 });
  expect(endings).toEqual(["no-reply"]);
});

it.each([
  ["a reply of the same length", reply(1, 4, 0x77)],
  ["an exception", sealedOf(1, 0x83, 2)],
])("%s to another question at the same address is not taken for this one's", (_, late) => {
  answer = (_request, count) => (count ? [[60, reply(1, 4, 0x11)]] : [[FIRST_BYTE_TIMEOUT + 120, late]]);
  read(4, { rest: 0 });
  read(4, { register: 0x1300 });
  expect(endings).toEqual(["no-reply", 0x11]);
  expect(bus.counters.late).toBe(1);
});

it("what is late is no answer to something else: a write whose acknowledgement is lost has no reply", () => {
  answer = (_, count) => (count ? [] : [[FIRST_BYTE_TIMEOUT + 120, reply(1, 4)]]);
  read(4, { rest: 0 });
  station.start(transaction.prepare(encodeWrite(transaction.adu, PDU, 0x100c, Uint8Array.of(1, 2))), 1, listener);
  ended();
  expect(endings).toEqual(["no-reply", "no-reply"]);
  expect(bus.counters.late).toBe(1);
});

it("what comes later still, or to what was answered, is not late", () => {
  answer = () => [[LATE_REPLY + FIRST_BYTE_TIMEOUT + 100, reply(1, 4)]];
  read(4);
  answer = () => [
    [20, reply(1, 4)],
    [400, reply(1, 4)],
  ];
  for (let time = 0; time < LATE_REPLIES; time++) read(4);
  expect([endings, bus.counters.late]).toEqual([["no-reply", 0, 0, 0], 0]);
});
