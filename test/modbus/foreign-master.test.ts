/** Another master on the bus: what shows it, what does not, and how long nothing is sent. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Clock } from "../../host-sim/clock";
import Timer from "../../host-sim/io/timer";
import type { SimulatedBoard } from "../../host-sim/board";
import { Bus } from "../../modules/modbus/bus";
import {
  FIRST_BYTE_TIMEOUT,
  FIRST_LISTEN,
  IDLE_GAP,
  LATE_ACKNOWLEDGEMENT,
  MAX_SILENCE,
  MIN_SILENCE,
} from "../../modules/modbus/limits";
import { encodeWrite } from "../support/modbus/encode-write";
import { PDU } from "../../modules/modbus/rtu";
import { Station } from "../../modules/modbus/station";
import { Transaction } from "../../modules/modbus/transaction";
import type { BusOptions, Result } from "../../modules/modbus/types";
import { concat, sealed } from "../support/bms/fake-bms";
import { hex } from "../support/hex";
import { lineBoard, onRequest, serialOf } from "../support/bms/line";

const READ = sealed(7, 3, 0x12, 0x00, 0, 4);
const WRITE = sealed(7, 0x10, 0x16, 0x20, 0, 1, 2, 0, 0);
const ACKNOWLEDGEMENT = sealed(0, 0x10, 0x16, 0x20, 0, 1);
const GAP = 75;

let board: SimulatedBoard;
let clock: Clock;
let bus: Bus;
let station: Station;
let results: Result[];
/** When each request was sent. */
let sent: number[];
const transaction = new Transaction();

function open(options: Partial<BusOptions> = {}, echo = false): void {
  board = lineBoard({ echo });
  ({ clock } = board);
  bus = new Bus({ serial: serialOf(board), baud: 115200, mode: "auto", ...options });
  station = new Station(bus, 1);
  results = [];
  sent = [];
  const send = board.wire.board.send.bind(board.wire.board);
  board.wire.board.send = (bytes) => {
    sent.push(clock.now);
    send(bytes);
  };
}

beforeEach(() => open());
afterEach(() => void vi.restoreAllMocks());

const hear = (bytes: Uint8Array): void => {
  board.wire.bms.send(bytes);
  clock.runFor(40);
};

const ask = (tries = 1): void =>
  station.start(transaction.read(0x1200, 4), tries, { answered: (result) => void results.push(result) });

const write = (): void =>
  station.start(transaction.prepare(encodeWrite(transaction.adu, PDU, 0x1070, new Uint8Array(4))), 1, {
    answered: (result) => void results.push(result),
  });

/** Past the first second, in which nothing is sent. */
const settle = (): void => {
  clock.runFor(FIRST_LISTEN);
  expect(bus.foreign.wait).toBe(0);
};

describe("before the first byte", () => {
  it("the port is listened to for a second", () => {
    ask();
    clock.runFor(FIRST_LISTEN - 1);
    expect(sent).toEqual([]);
    clock.runFor(3);
    expect(sent).toHaveLength(1);
    expect(bus.foreign.listening).toBe(false);
  });

  it("another master is heard, and nothing is sent at all", () => {
    ask();
    clock.runFor(300);
    hear(READ);
    clock.runFor(FIRST_LISTEN);
    expect([sent, results]).toEqual([[], ["withheld"]]);
    expect(bus.foreign.present).toBe(true);
    expect(bus.counters).toMatchObject({ foreign: 1, requests: 0 });
  });

  it("in mode poll there is no wait, whatever is heard", () => {
    open({ mode: "poll" });
    clock.runFor(GAP);
    hear(READ);
    clock.runFor(GAP);
    ask();
    expect(sent).toHaveLength(1);
    expect(bus.foreign.listening).toBe(false);
  });

  it("in mode listen nothing is ever sent", () => {
    open({ mode: "listen" });
    for (let second = 0; second < 3600; second += 60) {
      ask();
      clock.runFor(60_000);
    }
    expect(sent).toEqual([]);
    expect(new Set(results)).toEqual(new Set(["withheld"]));
    expect([bus.foreign.listening, bus.foreign.present, bus.foreign.wait]).toEqual([true, false, Infinity]);
    hear(READ);
    expect(bus.foreign.present).toBe(true);
  });
});

describe("a master is shown by", () => {
  it.each([
    ["a read request to any address", READ],
    ["a write request to any address", WRITE],
    ["an acknowledgement that nobody asked for", ACKNOWLEDGEMENT],
    ["a request to our own station", sealed(1, 3, 0x12, 0x00, 0, 57)],
    ["a request behind noise that looks like the beginning of a long reply", concat(Uint8Array.of(5, 3, 0xff), READ)],
  ])("%s", (_, bytes) => {
    settle();
    hear(bytes);
    ask();
    clock.runFor(GAP + 50);
    expect([sent, results]).toEqual([[], ["withheld"]]);
    expect(bus.foreign.present).toBe(true);
  });

  it.each([
    ["a read", READ],
    ["a trigger", WRITE],
  ])("%s heard while our own reply is awaited, which is still taken", (_, bytes) => {
    settle();
    onRequest(board, () => {
      clock.after(5, () => board.wire.bms.send(bytes));
      clock.after(25, () => board.wire.bms.send(sealed(1, 3, 8, 0, 1, 0, 2, 0, 3, 0, 4)));
    });
    ask();
    clock.runFor(300);
    expect(results).toEqual(["reply"]);
    expect(bus.foreign.present).toBe(true);
    ask();
    clock.runFor(300);
    expect(results).toEqual(["reply", "withheld"]);
  });

  it("a request that arrives in two parts", () => {
    settle();
    board.wire.bms.send(READ.subarray(0, 5));
    clock.runFor(5);
    hear(READ.subarray(5));
    expect(bus.foreign.present).toBe(true);
    expect(bus.counters.discarded).toBe(READ.length);
  });

  it("a request that follows our reply without a pause, but whose end comes later", () => {
    settle();
    onRequest(board, () => {
      board.wire.bms.send(concat(sealed(1, 3, 8, 0, 1, 0, 2, 0, 3, 0, 4), READ.subarray(0, 4)));
      clock.after(8, () => board.wire.bms.send(READ.subarray(4)));
    });
    ask();
    clock.runFor(300);
    expect(results).toEqual(["reply"]);
    expect(bus.foreign.present).toBe(true);
  });

  it("the second of two requests like ours behind noise: only one can be the echo", () => {
    settle();
    onRequest(board, (request) => board.wire.bms.send(concat(Uint8Array.of(0xff), request, request)));
    ask();
    clock.runFor(1000);
    expect(bus.counters.foreign).toBe(1);
  });

  it("an acknowledgement from where only reads were sent", () => {
    settle();
    ask();
    clock.runFor(1000);
    hear(sealed(1, 0x10, 0x10, 0x70, 0, 2));
    expect(bus.foreign.present).toBe(true);
  });

  it("a request some time after one of ours was cancelled, which is not its echo", () => {
    settle();
    ask();
    station.cancel();
    clock.runFor(IDLE_GAP + 5);
    hear(READ);
    expect(bus.foreign.present).toBe(true);
  });

  it("a request that follows our reply without a pause", () => {
    settle();
    onRequest(board, () => board.wire.bms.send(concat(sealed(1, 3, 8, 0, 1, 0, 2, 0, 3, 0, 4), READ)));
    ask();
    clock.runFor(300);
    expect(results).toEqual(["reply"]);
    expect(bus.foreign.present).toBe(true);
  });

  it("a request behind noise that with its first byte could be an exception", () => {
    settle();
    const noise = Uint8Array.of(0x4a, 0x89, 0xf4, 0x36);
    const request = sealed(1, 0x10, 0x16, 0x1e, 0, 1, 2, 0, 0);
    expect(sealed(...noise.subarray(0, 3))).toEqual(concat(noise, request.subarray(0, 1)));
    hear(concat(noise, request));
    expect(bus.foreign.present).toBe(true);
  });

  it("a request between two tries: the second is not sent", () => {
    settle();
    ask(3);
    clock.runFor(FIRST_BYTE_TIMEOUT + 60);
    expect(sent).toHaveLength(1);
    hear(READ);
    clock.runFor(3000);
    expect([sent.length, results]).toEqual([1, ["withheld"]]);
  });
});

it("what waits for a quiet bus ends when another master is heard, not when the gap is over", () => {
  open({ gap: 1000 });
  settle();
  hear(Uint8Array.of(0x55));
  ask();
  clock.runFor(20);
  hear(READ);
  expect([sent, results]).toEqual([[], ["withheld"]]);
});

it("no timer runs because another master was heard", () => {
  settle();
  const schedule = vi.spyOn(Timer, "schedule");
  hear(READ);
  expect(bus.foreign.present).toBe(true);
  expect(schedule).not.toHaveBeenCalled();
});

describe("what is said to another master", () => {
  /** Hears answers that begin with 0xaa and have their length in the second byte. */
  class TestSniffer {
    readonly heard: string[] = [];
    sniff(bytes: Uint8Array, start: number, end: number, idle: boolean): number {
      if (bytes[start] !== 0xaa) return -1;
      const length = end - start > 1 ? (bytes[start + 1] as number) : Infinity;
      if (end - start < length) return idle ? -1 : 0;
      this.heard.push(hex(bytes.subarray(start, start + length)));
      return length;
    }
    answeredTwice(): void {
      throw new Error("nothing was asked");
    }
    answeredLate(): void {
      throw new Error("nothing was asked");
    }
  }
  let sniffer: TestSniffer;
  beforeEach(() => {
    sniffer = new TestSniffer();
    open({ sniffer });
    settle();
  });
  const ANSWER = Uint8Array.of(0xaa, 5, 1, 2, 3);

  it("is left to the sniffer, and is not noise", () => {
    hear(READ);
    const { discarded } = bus.counters;
    hear(concat(ANSWER, READ, ANSWER));
    expect(sniffer.heard).toEqual(["AA 05 01 02 03", "AA 05 01 02 03"]);
    expect(bus.counters).toMatchObject({ discarded, foreign: 2 });
  });

  it("is nobody's while no other master is known", () => {
    hear(ANSWER);
    expect(sniffer.heard).toEqual([]);
    clock.runFor(GAP);
    ask();
    expect(bus.counters.discarded).toBe(ANSWER.length);
  });

  it("may arrive in parts", () => {
    hear(READ);
    for (const byte of concat(ANSWER, READ)) {
      board.wire.bms.send(Uint8Array.of(byte));
      clock.runFor(3);
    }
    expect(sniffer.heard).toEqual(["AA 05 01 02 03"]);
    expect(bus.counters.foreign).toBe(2);
  });

  it("is found behind noise, which is discarded", () => {
    hear(READ);
    const { discarded } = bus.counters;
    hear(concat(Uint8Array.of(0x55), ANSWER));
    expect(sniffer.heard).toHaveLength(1);
    expect(bus.counters.discarded).toBe(discarded + 1);
  });
});

describe("no master is", () => {
  const unheard = (): void => {
    expect(bus.counters.foreign).toBe(0);
    expect(bus.foreign.present).toBe(false);
  };

  it.each([
    ["noise", Uint8Array.of(0x55, 0, 0xff, 1, 3, 2)],
    ["a read reply", sealed(7, 3, 4, 1, 2, 3, 4)],
    ["an exception", sealed(7, 0x83, 2)],
    ["a read of no registers", sealed(7, 3, 0x12, 0, 0, 0)],
    ["a read of 126 registers", sealed(7, 3, 0x12, 0, 0, 126)],
    ["a write whose byte count is wrong", sealed(7, 0x10, 0x16, 0x20, 0, 2, 2, 0, 0)],
    ["an acknowledgement of no registers", sealed(7, 0x10, 0x16, 0x20, 0, 0)],
  ])("%s", (_, bytes) => {
    settle();
    hear(bytes);
    clock.runFor(100);
    ask();
    expect(sent).toHaveLength(1);
    unheard();
  });

  it("the echo of our own request, at each try, in whatever it is embedded", () => {
    for (const noise of [new Uint8Array(0), Uint8Array.of(0), Uint8Array.of(0xff, 0x55), Uint8Array.of(1, 3, 9)]) {
      open();
      settle();
      onRequest(board, (request) => board.wire.bms.send(concat(noise, request)));
      ask(3);
      clock.runFor(3000);
      expect(results).toEqual(["no-reply"]);
      unheard();
    }
  });

  it("an echo that arrives after its transaction was cancelled", () => {
    open({}, true);
    settle();
    ask();
    station.cancel();
    clock.runFor(1000);
    unheard();
  });

  it("but a second request like ours is one: only one can be the echo", () => {
    settle();
    onRequest(board, (request) => board.wire.bms.send(concat(request, request)));
    ask();
    clock.runFor(1000);
    expect(bus.foreign.present).toBe(true);
  });

  it("our own reply, however late", () => {
    settle();
    ask();
    clock.runFor(900);
    hear(sealed(1, 3, 8, 0, 1, 0, 2, 0, 3, 0, 4));
    unheard();
  });

  it("an acknowledgement to us, up to half a minute late", () => {
    settle();
    write();
    clock.runFor(LATE_ACKNOWLEDGEMENT - 60);
    expect(results).toEqual(["no-reply"]);
    hear(sealed(1, 0x10, 0x10, 0x70, 0, 2));
    unheard();
    clock.runFor(200);
    hear(sealed(1, 0x10, 0x10, 0x70, 0, 2));
    expect(bus.foreign.present).toBe(true);
  });

  it("our own acknowledgement with another address, while it is awaited", () => {
    settle();
    write();
    clock.runFor(100);
    hear(sealed(2, 0x10, 0x10, 0x70, 0, 2));
    unheard();
    clock.runFor(2000);
    expect(results).toEqual(["no-reply"]);
    hear(sealed(2, 0x10, 0x10, 0x70, 0, 2));
    expect(bus.foreign.present).toBe(true);
  });

  it.each([
    ["of another register", 2, 0x72, 2],
    ["of another quantity", 2, 0x70, 1],
    ["from address 0, which needs no request", 0, 0x70, 2],
  ])("but one %s shows a master", (_what, address, low, quantity) => {
    settle();
    write();
    clock.runFor(100);
    hear(sealed(address, 0x10, 0x10, low, 0, quantity));
    expect(bus.foreign.present).toBe(true);
  });

  it("an acknowledgement in the first second: it may answer what was asked before the port was opened", () => {
    hear(ACKNOWLEDGEMENT);
    unheard();
  });
});

describe("nothing is sent", () => {
  /** ms from the end of what was heard to the moment at which sending is allowed. */
  const silence = (): number => {
    const since = clock.now - 40;
    expect(bus.foreign.present).toBe(true);
    while (bus.foreign.wait) clock.runFor(Math.max(1, bus.foreign.wait));
    return Math.round((clock.now - since) / 1000) * 1000;
  };

  it("until half a minute has passed without a sign of the other", () => {
    settle();
    for (let signs = 0; signs < 10; signs++) {
      hear(READ);
      clock.runFor(MIN_SILENCE - 1000);
      expect(bus.foreign.present).toBe(true);
    }
    clock.runFor(1000);
    expect([bus.foreign.present, bus.foreign.wait]).toEqual([false, 0]);
    ask();
    expect(sent).toHaveLength(1);
  });

  it("for twice as long each time it returns, up to ten minutes", () => {
    settle();
    const waits: number[] = [];
    for (let turn = 0; turn < 7; turn++) {
      hear(READ);
      waits.push(silence());
      clock.runFor(10_000);
    }
    expect(waits).toEqual([30_000, 60_000, 120_000, 240_000, 480_000, 600_000, 600_000]);
  });

  it("for half a minute again once it has stayed away for ten", () => {
    settle();
    hear(READ);
    silence();
    clock.runFor(MAX_SILENCE - 1000);
    hear(READ);
    expect(silence()).toBe(2 * MIN_SILENCE);
    clock.runFor(MAX_SILENCE);
    hear(READ);
    expect(silence()).toBe(MIN_SILENCE);
  });

  it("and a master that speaks once a minute is disturbed once at most", () => {
    settle();
    let disturbed = 0;
    for (let minute = 0; minute < 120; minute++) {
      hear(READ);
      const before = sent.length;
      for (let second = 0; second < 60; second++) {
        if (!station.busy) ask();
        clock.runFor(1000);
      }
      if (sent.length > before) disturbed++;
    }
    expect(disturbed).toBeLessThanOrEqual(1);
  });
});
