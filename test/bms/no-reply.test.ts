/** Five kinds of no reply, told apart by what was received: on the page, in the log, in the metrics. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withCrc } from "../../host-sim/bms/codec";
import type { SimulatedBoard } from "../../host-sim/board";
import Serial from "../../host-sim/io/serial";
import type { BmsMonitor } from "../../src/bms/monitor";
import { BmsPort } from "../../src/bms/port";
import { OFFLINE_POLLS } from "../../src/packs/limits";
import { NO_REPLIES } from "../../src/packs/types";
import { BANK_SETTINGS } from "../support/bms/bank-writes";
import { lineBoard, onRequest } from "../support/bms/line";
import { SoloMonitor } from "../support/bms/solo-monitor";
import { identities } from "../support/bms/test-bank";

/** What comes after a request to the pack. */
type Answers = (request: Uint8Array) => readonly Uint8Array[];
const ANSWERS: Readonly<Record<(typeof NO_REPLIES)[number], Answers>> = {
  silence: () => [],
  // As of another baud rate.
  noise: () => [Uint8Array.of(0xf8, 0x00, 0x7e, 0xe0, 0x1c, 0xff, 0x80)],
  others: ([, code = 0]) => [withCrc(Uint8Array.of(9, code, ...(code === 3 ? [2, 0, 1] : [0x16, 0x20, 0, 1])))],
  echo: (request) => [request],
  exceptions: ([address = 0, code = 0]) => [withCrc(Uint8Array.of(address, code | 0x80, 2))],
};
/** A reply that is right. */
const right: Answers = ([address = 0, , , , , quantity = 0]) => [
  withCrc(Uint8Array.of(address, 3, 2 * quantity, ...new Uint8Array(2 * quantity))),
];

let board: SimulatedBoard;
let monitor: BmsMonitor;
let told: string[];
/** By address. */
let answers: Record<number, Answers>;

beforeEach(() => {
  board = lineBoard();
  answers = {};
  told = [];
  onRequest(board, (request) => {
    board.clock.after(10, () => {
      for (const bytes of (answers[request[0]!] ?? right)(request)) board.wire.bms.send(bytes);
    });
  });
});
afterEach(() => monitor.close());

function start(count: number): void {
  monitor = new SoloMonitor({
    settings: { ...BANK_SETTINGS, readMode: "registers" },
    opener: new BmsPort({
      serial: Serial,
      build: board.config,
      parts: { failed: () => undefined, works: () => undefined },
    }),
    packs: identities(count),
  });
  monitor.observe({ packUnanswered: ({ identity, noReply }) => told.push(`${identity.address} ${noReply}`) });
  monitor.start();
}

describe.each(NO_REPLIES)("%s", (kind) => {
  it("is told of a pack that has never answered, once, and counted", () => {
    answers[1] = ANSWERS[kind];
    start(1);
    board.clock.runFor(30_000);
    expect(told).toEqual([`1 ${kind}`]);
    expect(monitor.packs[0].noReply).toBe(kind);
    const { silences, noises, others, echoes, exceptions, timeouts } = monitor.bus!.statistics;
    const counts = { silence: silences, noise: noises, others, echo: echoes, exceptions };
    expect(Object.entries(counts).flatMap(([name, count]) => (count ? [name] : []))).toEqual([kind]);
    expect(timeouts).toBe(kind === "exceptions" ? 0 : counts[kind]);
  });

  it.each([1, 2, 3])("is told of pack %i of three, and of no other", (address) => {
    answers[address] = ANSWERS[kind];
    start(3);
    board.clock.runFor(120_000);
    expect(told).toEqual([`${address} ${kind}`]);
    expect(monitor.packs.map(({ noReply }) => noReply)).toEqual(
      [1, 2, 3].map((one) => (one === address ? kind : undefined)),
    );
  });

  it("is told again of a pack that has answered in between", () => {
    start(1);
    board.clock.runFor(5_000);
    expect([told, monitor.packs[0].noReply]).toEqual([[], undefined]);
    for (const times of [1, 2]) {
      answers[1] = ANSWERS[kind];
      board.clock.runFor(20_000);
      expect(told).toEqual(Array(times).fill(`1 ${kind}`));
      delete answers[1];
      board.clock.runFor(5_000);
      expect([monitor.packs[0].online, monitor.packs[0].noReply]).toEqual([true, undefined]);
    }
  });
});

it("is not told of fewer than three polls, nor each time that a line is silent and noisy in turn", () => {
  let count = 0;
  answers[1] = (request) => (count++ % 5 ? [] : ANSWERS.noise(request));
  start(1);
  while (monitor.packs[0].polls < OFFLINE_POLLS - 1) board.clock.runFor(10);
  expect(told).toEqual([]);
  board.clock.runFor(120_000);
  expect(told.toSorted()).toEqual(["1 noise", "1 silence"]);
});
