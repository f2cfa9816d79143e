/** Two slaves at one address: what proves them on the wire, and what does not. */
import { beforeEach, describe, expect, it } from "vitest";
import { Bus } from "../../modules/modbus/bus";
import { LATE_REPLY, MAX_OWED, MAX_SILENCE, OWED_FOR } from "../../modules/modbus/limits";
import { MovingStation } from "../../modules/modbus/moving-station";
import { PDU } from "../../modules/modbus/rtu";
import { Transaction } from "../../modules/modbus/transaction";
import { withCrc } from "../../host-sim/bms/codec";
import type { SimulatedBoard } from "../../host-sim/board";
import { lineBoard, onRequest, serialOf } from "../support/bms/line";
import { encodeWrite } from "../support/modbus/encode-write";

const QUANTITY = 20;
let content = 0;
/** Each has other registers than the ones before. */
const reply = (address = 1, quantity = QUANTITY): Uint8Array => {
  content++;
  return withCrc([
    address,
    3,
    2 * quantity,
    ...Array.from({ length: 2 * quantity }, (_, at) => (content * 7 + at) & 0xff),
  ]);
};
const damaged = (bytes: Uint8Array): Uint8Array => Uint8Array.from(bytes, (byte, at) => (at === 9 ? byte ^ 1 : byte));
const joined = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts));

let board: SimulatedBoard;
let bus: Bus;
let station: MovingStation;
const transaction = new Transaction();
/** Addresses that two slaves have, once for each proof; and those of late answers. */
let told: number[];
let late: number[];
/** What comes so many ms after a request. */
let answer: readonly (readonly [after: number, bytes: Uint8Array])[];

function open(): void {
  const sniffer = {
    sniff: () => -1,
    answeredTwice: (address: number) => void told.push(address),
    answeredLate: (address: number) => void late.push(address),
  };
  bus = new Bus({ serial: serialOf(board), baud: 115_200, sniffer });
  station = new MovingStation(bus, 1);
}

beforeEach(() => {
  board = lineBoard();
  told = [];
  late = [];
  open();
  onRequest(board, () => {
    for (const [after, sent] of answer) board.clock.after(after, () => board.wire.bms.send(sent));
  });
  board.clock.runFor(OWED_FOR);
});

/** Asks once and lets `rest` ms pass. */
function ask(answers: typeof answer, rest = 1_000, tries = 1): string {
  answer = answers;
  let ended = "";
  station.start(transaction.read(0x1200, QUANTITY), tries, { answered: (result) => void (ended = result) });
  board.clock.runFor(rest);
  return ended;
}

describe("is proved", () => {
  it.each([0, 1, 20, 60])("by a second reply %i ms behind the first", (pause) => {
    expect(
      ask([
        [10, reply()],
        [15 + pause, reply()],
      ]),
    ).toBe("reply");
    expect(told).toEqual([1]);
  });

  it("by one behind zeros, an exception, or in place of one", () => {
    expect(ask([[10, joined(withCrc([1, 0x83, 2]), reply())]])).toBe("exception");
    ask([[10, joined(reply(), Uint8Array.of(0, 0), reply())]]);
    ask([[10, joined(reply(), withCrc([1, 0x83, 2]))]]);
    expect(told).toEqual([1, 1, 1]);
  });

  it("by one that begins before the first has ended, at each address", () => {
    for (const address of [1, 8, 15]) {
      station.moveTo(address);
      expect(ask([[10, joined(reply(address).subarray(0, 12), reply(address))]])).toBe("reply");
    }
    expect(told).toEqual([1, 8, 15]);
  });

  it("by registers that do not change", () => {
    const both = joined(reply(), reply());
    ask([[10, both]]);
    ask([[10, both]]);
    expect(told).toEqual([1, 1]);
  });
});

describe("is not proved", () => {
  it.each([
    ["noise", () => Uint8Array.of(1, 3, 40, 7, 9)],
    ["a damaged one", () => damaged(reply())],
    ["the same once more", (first: Uint8Array) => first],
    ["another slave's", () => reply(2)],
    ["one behind noise", () => joined(Uint8Array.of(7), reply())],
    ["a request", () => withCrc([1, 3, 0x12, 0, 0, QUANTITY])],
    ["another master's request and its reply", () => joined(withCrc([1, 3, 0x12, 0, 0, QUANTITY]), reply())],
  ] as const)("by %s behind a reply", (_, next) => {
    const first = reply();
    ask([[10, joined(first, next(first))]]);
    expect(told).toEqual([]);
  });

  it("by the same acknowledgement twice", () => {
    const acknowledgement = withCrc([1, 0x10, 0x10, 0x70, 0, 2]);
    answer = [[10, joined(acknowledgement, acknowledgement)]];
    let ended = "";
    const write = transaction.prepare(encodeWrite(transaction.adu, PDU, 0x1070, Uint8Array.of(0, 0, 0, 1)));
    station.start(write, 1, { answered: (result) => void (ended = result) });
    board.clock.runFor(1_000);
    expect([ended, told]).toEqual(["reply", []]);
  });

  it("by a reply once the next request has been sent", () => {
    ask([[10, reply()]], 100);
    ask([[10, joined(reply(2), reply())]]);
    expect(told).toEqual([]);
  });

  it("by what was asked before the port was opened", () => {
    bus.close();
    open();
    const both = (): string => ask([[10, joined(reply(), reply())]]);
    for (let owed = 0; owed < MAX_OWED; owed++) both();
    expect(told).toEqual([]);
    both();
    expect(told).toEqual([1]);
  });

  it("by a late reply to a request that was sent again", () => {
    expect(ask([[400, reply()]], 1_500, 2)).toBe("reply");
    expect([told, bus.counters.timeouts]).toEqual([[], 1]);
  });

  it("by late ones that pass for the next ones, nor by one after a cancelled request", () => {
    // The reply to this one is taken for that to the next, whose own comes behind that of the third.
    ask([[1_100, reply()]], 1_050);
    expect(ask([[1_100, reply()]], 1_000)).toBe("reply");
    expect(ask([[10, reply()]], LATE_REPLY)).toBe("reply");
    expect(told).toEqual([]);
    answer = [[100, reply()]];
    station.start(transaction.read(0x1200, QUANTITY), 1, { answered: () => undefined });
    board.clock.runFor(90);
    station.cancel();
    ask([[40, reply()]]);
    expect(told).toEqual([]);
  });

  it("by a stale one before the right one, also after several that were not told from right ones", () => {
    const [one, two, three, four] = [reply(), reply(), reply(), reply()];
    ask([[10, one]]);
    ask([[10, joined(one, two)]]);
    ask([[10, three]]);
    // One reply behind, for two requests.
    ask([[10, three]]);
    ask([[10, four]]);
    ask([[10, joined(reply(), reply())]]);
    expect(told).toEqual([]);
  });
});

it("what is owed counts once, and not for longer than OWED_FOR", () => {
  for (let missed = 0; missed < MAX_OWED + 2; missed++) ask([], 400);
  for (let twice = 0; twice < MAX_OWED; twice++) ask([[10, joined(reply(), reply())]], 100);
  expect(told).toEqual([]);
  ask([[10, joined(reply(), reply())]], 100);
  expect(told).toEqual([1]);
  ask([], 400);
  ask([], OWED_FOR + 400);
  ask([[10, joined(reply(), reply())]]);
  expect(told).toEqual([1, 1]);
});

it("another master that was heard has to be silent for MAX_SILENCE", () => {
  const both = (): string => ask([[10, joined(reply(), reply())]]);
  board.wire.bms.send(withCrc([2, 3, 0x12, 0, 0, 4]));
  board.clock.runFor(100);
  expect(bus.counters.foreign).toBe(1);
  both();
  board.clock.runFor(MAX_SILENCE - 2_000);
  both();
  expect(told).toEqual([]);
  board.clock.runFor(2_000);
  both();
  expect(told).toEqual([1]);
});

describe("a late answer", () => {
  it.each([1, 8, 15])(
    "is told, of address %i, however late it comes: a reply, an exception, an acknowledgement",
    (address) => {
      for (const [at, ms] of [500, 2_500, 15_000].entries()) {
        for (const answered of [
          reply(address),
          withCrc([address, 0x83, 2]),
          withCrc([address, 0x10, 0x16, 0x20, 0, 1]),
        ]) {
          station.moveTo(address);
          const write = transaction.prepare(encodeWrite(transaction.adu, PDU, 0x1620, Uint8Array.of(0, 0)));
          answer = [];
          station.start(write, 1, { answered: () => undefined });
          board.clock.runFor(ms);
          board.wire.bms.send(answered);
          board.clock.runFor(1_000);
        }
        expect(late).toEqual(Array(3 * (at + 1)).fill(address));
      }
      expect([told, bus.counters.foreign]).toEqual([[], 0]);
    },
  );

  it("is none as long as a slow slave is waited for, nor what another slave may have said to the same request", () => {
    station.moveTo(1);
    expect(ask([[400, reply(1)]])).toBe("no-reply");
    board.clock.runFor(1_000);
    expect([late, bus.counters.late]).toEqual([[], 1]);
    const first = [10, reply()] as const;
    expect(ask([first, [100, reply()]])).toBe("reply");
    expect(late).toEqual([]);
    ask([first, [600, reply()]]);
    expect(late).toEqual([1]);
  });

  it("is told while another address is asked, which it does not answer", () => {
    station.moveTo(2);
    expect(ask([[50, reply(1)]])).toBe("no-reply");
    expect([late, told]).toEqual([[1], []]);
  });

  it("is none while another master may have asked", () => {
    board.wire.bms.send(withCrc([2, 3, 0x12, 0, 0, 4]));
    board.clock.runFor(100);
    board.wire.bms.send(reply(2));
    board.clock.runFor(MAX_SILENCE - 1_000);
    expect(late).toEqual([]);
    board.clock.runFor(1_000);
    board.wire.bms.send(reply(2));
    board.clock.runFor(100);
    expect(late).toEqual([2]);
  });
});
