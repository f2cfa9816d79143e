/** Deadlines to the millisecond: bytes are handed over without a wire, whose time would blur them. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Clock } from "../../host-sim/clock";
import { Bus } from "../../modules/modbus/bus";
import {
  FIRST_LISTEN,
  IDLE_GAP,
  LATE_ACKNOWLEDGEMENT,
  MAX_DEFERRAL,
  MAX_SILENCE,
  MIN_SILENCE,
  POLL_INTERVAL,
  REPLY_MARGIN,
} from "../../modules/modbus/limits";
import { encodeWrite } from "../support/modbus/encode-write";
import { PDU } from "../../modules/modbus/rtu";
import { Station } from "../../modules/modbus/station";
import { Transaction } from "../../modules/modbus/transaction";
import type { BusOptions, Result } from "../../modules/modbus/types";
import { sealed } from "../support/bms/fake-bms";
import { lineBoard } from "../support/bms/line";
import { PipeSerial } from "../support/bms/pipe-serial";

const READ = sealed(7, 3, 0x12, 0x00, 0, 4);
const REPLY = sealed(1, 3, 8, 0, 1, 0, 2, 0, 3, 0, 4);
const ACKNOWLEDGEMENT = sealed(1, 0x10, 0x10, 0x70, 0, 2);
/** A request of eight bytes at 115,200 baud, ms. */
const REQUEST_TIME = 1;
/** The reply to it, ms. */
const REPLY_TIME = 2;
/** At a check the request has been out for whole intervals less its own time. */
const CHECKED = 16 * POLL_INTERVAL - REQUEST_TIME;

let clock: Clock;
let bus: Bus;
let port: PipeSerial;
let station: Station;
let results: Result[];
const transaction = new Transaction();
const listener = { answered: (result: Result) => void results.push(result) };

function open(options: Partial<BusOptions> = {}): void {
  ({ clock } = lineBoard());
  bus = new Bus({ serial: { io: PipeSerial }, baud: 115_200, mode: "auto", ...options });
  port = PipeSerial.opened;
  station = new Station(bus, 1);
  results = [];
}

beforeEach(() => open());

const hear = (bytes: Uint8Array): void => {
  port.receive(bytes);
  bus.readable();
};
const ask = (): void => station.start(transaction.read(0x1200, 4), 1, listener);
/** Past the first second: a request is sent at once. */
const settle = (): void => clock.runFor(FIRST_LISTEN + 1);

describe.each([
  [-1, false],
  [0, true],
])("%i ms from the end of the time in which it may be ours or an echo: another master %s", (from, is) => {
  it("for an acknowledgement after the port was opened", () => {
    clock.runFor(FIRST_LISTEN + from);
    hear(ACKNOWLEDGEMENT);
    expect(bus.foreign.present).toBe(is);
  });

  it("for an acknowledgement after our own write", () => {
    settle();
    station.start(transaction.prepare(encodeWrite(transaction.adu, PDU, 0x1070, new Uint8Array(4))), 1, listener);
    clock.runFor(LATE_ACKNOWLEDGEMENT + from);
    expect(results).toEqual(["no-reply"]);
    hear(ACKNOWLEDGEMENT);
    expect(bus.foreign.present).toBe(is);
  });

  it("for a request after one that was cancelled", () => {
    settle();
    ask();
    station.cancel();
    clock.runFor(REQUEST_TIME + IDLE_GAP + from);
    hear(READ);
    expect(bus.foreign.present).toBe(is);
  });
});

it.each([
  [-1, 2 * MIN_SILENCE],
  [0, MIN_SILENCE],
])("a master that returns %i ms from ten minutes is waited for for %i ms", (from, silence) => {
  settle();
  hear(READ);
  clock.runFor(MIN_SILENCE);
  expect(bus.foreign.wait).toBe(0);
  clock.runFor(MAX_SILENCE + from);
  hear(READ);
  expect(bus.foreign.wait).toBe(silence);
});

describe("at a check", () => {
  /** Right after the nth check since the request. */
  const check = (count: number): void => clock.runFor(count * POLL_INTERVAL);

  it("a reply that was begun is given up once the line has been silent for long enough", () => {
    settle();
    ask();
    check(1);
    hear(REPLY.subarray(0, 5));
    clock.runFor(IDLE_GAP - 1);
    expect(bus.counters.discarded).toBe(0);
    clock.runFor(1);
    expect(bus.counters.discarded).toBe(5);
  });

  it.each([
    [CHECKED, 16],
    [CHECKED + 1, 17],
  ])("a station has %i ms for its first byte: given up at check %i", (firstByteTimeout, count) => {
    open({ firstByteTimeout });
    settle();
    ask();
    check(count - 1);
    expect(results).toEqual([]);
    check(1);
    expect(results).toEqual(["no-reply"]);
  });

  it.each([
    [CHECKED, 16],
    [CHECKED + 1, 17],
  ])("a reply that was begun has %i ms to end: given up at check %i", (time, count) => {
    open({ firstByteTimeout: time - REPLY_TIME - REPLY_MARGIN });
    settle();
    ask();
    const begins = 8;
    for (let at = 1; at < count; at++) {
      check(1);
      // A byte at each, so that the line is never silent for long enough.
      if (at >= begins) hear(REPLY.subarray(at - begins, at - begins + 1));
    }
    expect(results).toEqual([]);
    check(1);
    expect(results).toEqual(["no-reply"]);
    expect(bus.counters.discarded).toBe(count - begins);
  });
});

it("what others say, which the port has not announced, is heard at the check, and the reply behind it is awaited", () => {
  open({ firstByteTimeout: CHECKED });
  settle();
  ask();
  clock.runFor(15 * POLL_INTERVAL);
  port.receive(sealed(7, 3, 4, 1, 2, 3, 4));
  clock.runFor(POLL_INTERVAL);
  expect(results).toEqual([]);
  hear(REPLY);
  expect(results).toEqual(["reply"]);
});

it("a request right after one that was cancelled before it was sent is no echo", () => {
  settle();
  ask();
  hear(REPLY);
  ask();
  station.cancel();
  hear(READ);
  expect(bus.foreign.present).toBe(true);
});

it("a reply in two parts is one as soon as its last byte is there", () => {
  settle();
  ask();
  clock.runFor(POLL_INTERVAL);
  hear(REPLY.subarray(0, REPLY.length - 1));
  expect(results).toEqual([]);
  hear(REPLY.subarray(REPLY.length - 1));
  expect(results).toEqual(["reply"]);
});

it("a bus that is never silent defers a request for exactly so long", () => {
  const gap = 99;
  open({ gap, mode: "poll" });
  hear(Uint8Array.of(0x55));
  ask();
  for (let deferred = gap + 1; deferred <= MAX_DEFERRAL; deferred += gap + 1) {
    expect(port.written).toHaveLength(0);
    port.receive(Uint8Array.of(0x55));
    clock.runFor(gap + 1);
  }
  expect(port.written).toHaveLength(1);
});

it("frames that are not for us are noise while we are the master", () => {
  settle();
  hear(sealed(7, 3, 4, 1, 2, 3, 4));
  expect(bus.counters.discarded).toBe(9);
});
