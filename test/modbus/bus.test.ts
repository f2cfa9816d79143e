import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Clock } from "../../host-sim/clock";
import { appendCrc } from "../../modules/modbus/crc";
import { DEFAULT_GAP, FIFO_BYTES, FIRST_BYTE_TIMEOUT, IDLE_GAP, MAX_READS } from "../../modules/modbus/limits";
import { Bus } from "../../modules/modbus/bus";
import type { ReplyListener, BusOptions, Reply, Result } from "../../modules/modbus/types";
import { encodeWrite } from "../support/modbus/encode-write";
import { PDU } from "../../modules/modbus/rtu";
import { Station } from "../../modules/modbus/station";
import { Transaction } from "../../modules/modbus/transaction";
import type { BoardOptions, SimulatedBoard } from "../../host-sim/board";
import Serial from "../../host-sim/io/serial";
import Timer from "../../host-sim/io/timer";
import { concat, sealed } from "../support/bms/fake-bms";
import { hex, unhex } from "../support/hex";
import { lineBoard, onRequest, serialOf } from "../support/bms/line";
import { claimedPins } from "../support/fakes/pins";

interface Ending {
  result: Result;
  bytes: string;
  exception: number;
  at: number;
}

/** A read reply of address 1 (or another) with `quantity` words counting up. */
function readReply(quantity: number, { address = 1, first = 0x40 } = {}): Uint8Array {
  const adu = new Uint8Array(5 + 2 * quantity);
  adu.set([address, 3, 2 * quantity]);
  for (let at = 3; at < 3 + 2 * quantity; at++) adu[at] = (first + at) & 0xff;
  appendCrc(adu, adu.length - 2);
  return adu;
}

describe("the bus", () => {
  let clock: Clock;
  let board: SimulatedBoard;
  let bus: Bus;
  let station: Station;
  let requests: { at: number; bytes: Uint8Array }[];
  let endings: Ending[];
  const transaction = new Transaction();

  beforeEach(() => {
    requests = [];
    endings = [];
    open();
  });

  afterEach(() => void vi.restoreAllMocks());

  function open(options: Partial<BusOptions> = {}, wire: BoardOptions = {}): void {
    board = lineBoard(wire);
    clock = board.clock;
    bus = new Bus({ serial: serialOf(board), baud: 115200, ...options });
    station = new Station(bus, 1);
  }

  const send = (bytes: Uint8Array | string): void =>
    board.wire.bms.send(typeof bytes === "string" ? unhex(bytes) : bytes);

  /** Answers the nth request with the nth step: bytes after 10 ms, or what the step does itself. */
  function answers(...steps: (Uint8Array | string | (() => void) | undefined)[]): void {
    onRequest(board, (bytes) => {
      const step = steps[requests.length];
      requests.push({ at: clock.now, bytes });
      if (typeof step === "function") step();
      else if (step) clock.after(10, () => send(step));
    });
  }

  const listener: ReplyListener = {
    answered(result: Result, reply: Reply): void {
      const bytes = hex(reply.bytes.slice(reply.start, reply.start + reply.length));
      endings.push({ result, bytes, exception: reply.exception, at: clock.now });
    },
  };

  function read(quantity: number, tries = 1): void {
    station.start(transaction.read(0x1200, quantity), tries, listener);
  }

  function write(register: number, data: string, tries = 1): void {
    station.start(transaction.prepare(encodeWrite(transaction.adu, PDU, register, unhex(data))), tries, listener);
  }

  describe("a transaction", () => {
    it("sends the request and passes on the reply", () => {
      answers(readReply(57));
      read(57);
      expect(bus.busy).toBe(true);
      clock.runFor(300);
      expect(requests.map(({ bytes }) => hex(bytes))).toEqual(["01 03 12 00 00 39 80 A0"]);
      expect(endings).toMatchObject([{ result: "reply", bytes: hex(readReply(57)), exception: 0 }]);
      expect(bus.busy).toBe(false);
      expect(bus.counters).toMatchObject({ requests: 1, replies: 1, timeouts: 0, crcErrors: 0, discarded: 0 });
    });

    it("measures from the end of the request to the end of the reply", () => {
      answers(readReply(4));
      read(4);
      clock.runFor(300);
      // 2 ms until the fake slave knows that the request is over, 10 ms of its own, 13 bytes, 4 idle characters.
      expect(bus.counters.lastReplyTime).toBeGreaterThanOrEqual(12);
      expect(bus.counters.lastReplyTime).toBeLessThanOrEqual(16);
    });

    it("accepts the longest reply of Modbus", () => {
      answers(readReply(125));
      read(125);
      clock.runFor(300);
      expect(endings).toMatchObject([{ result: "reply", bytes: hex(readReply(125)) }]);
      expect(board.uart.overflows).toBe(0);
    });

    it("never calls back from inside start", () => {
      vi.spyOn(Serial.prototype, "write").mockImplementation(() => {
        throw new Error("output full");
      });
      clock.runFor(200);
      read(4);
      expect(endings).toEqual([]);
      clock.runFor(100);
      expect(endings).toMatchObject([{ result: "no-reply" }]);
    });

    it("excludes others: a second one throws and disturbs nothing", () => {
      answers(readReply(4));
      read(4);
      const other = new Transaction();
      other.read(0, 1);
      expect(() => station.start(other, 1, listener)).toThrow("a transaction is in progress");
      clock.runFor(80);
      expect([bus.awaited, bus.busy]).toEqual([transaction, true]);
      expect(() => station.start(other, 1, listener)).toThrow("a transaction is in progress");
      clock.runFor(300);
      expect(endings).toMatchObject([{ result: "reply" }]);
    });

    it("can be followed by the next inside its callback", () => {
      answers(readReply(4), readReply(6));
      const results: Result[] = [];
      const second = { answered: (result: Result) => void results.push(result) };
      station.start(transaction.read(0, 4), 1, {
        answered(result) {
          results.push(result);
          station.start(transaction.read(8, 6), 1, second);
        },
      });
      clock.runFor(600);
      expect(results).toEqual(["reply", "reply"]);
    });

    it("accepts a write acknowledgement that repeats register and quantity", () => {
      answers("01 10 10 70 00 02 44 D3");
      write(0x1070, "00 00 00 01");
      clock.runFor(300);
      expect(hex((requests[0] as { bytes: Uint8Array }).bytes)).toBe("01 10 10 70 00 02 04 00 00 00 01 F8 8B");
      expect(endings).toMatchObject([{ result: "reply", bytes: "01 10 10 70 00 02 44 D3" }]);
    });
  });

  it("passes on nothing beyond the reply", () => {
    answers(concat(readReply(4), Uint8Array.of(0, 0xff, 1)));
    read(4);
    clock.runFor(300);
    expect(endings).toMatchObject([{ result: "reply", bytes: hex(readReply(4)) }]);
    read(4);
    clock.runFor(300);
    expect(bus.counters.discarded).toBe(3);
  });

  it("counts a wrong CRC even if the real reply follows", () => {
    const wrong = readReply(4).fill(0, 11);
    answers(concat(wrong, readReply(4)));
    read(4);
    clock.runFor(300);
    expect(endings).toMatchObject([{ result: "reply" }]);
    expect(bus.counters).toMatchObject({ replies: 1, timeouts: 0, crcErrors: 1, discarded: 13 });
  });

  it("discards bytes that leave no room for more, and finds the reply after them", () => {
    open({ bufferBytes: 128 + 13 });
    answers(() => {
      send("05 03 FF" + " 00".repeat(20));
      clock.after(10, () => send(readReply(4)));
    });
    read(4);
    clock.runFor(300);
    expect(endings).toMatchObject([{ result: "reply", bytes: hex(readReply(4)) }]);
    expect(bus.counters.discarded).toBe(23);
  });

  it("needs no running timer while idle", () => {
    const schedule = vi.spyOn(Timer, "schedule");
    open();
    expect(schedule.mock.lastCall).toHaveLength(1);
    answers(readReply(4));
    read(4);
    expect(schedule.mock.lastCall).toHaveLength(3);
    clock.runFor(300);
    expect(endings).toHaveLength(1);
    expect(schedule.mock.lastCall).toHaveLength(1);
  });

  describe("exceptions", () => {
    it("end the transaction at once, with their code, whatever retries are left", () => {
      answers("01 90 03 0C 01");
      write(0x1038, "00 03 0D 41", 4);
      clock.runFor(1000);
      expect(requests).toHaveLength(1);
      expect(endings).toMatchObject([{ result: "exception", exception: 3 }]);
      read(4);
      clock.runFor(1000);
      expect(endings[1]).toMatchObject({ result: "no-reply", bytes: "", exception: 0 });
      expect(requests).toHaveLength(2);
      expect(bus.counters).toMatchObject({ exceptions: 1, replies: 0, timeouts: 1 });
    });

    it("end the transaction at once when the reply before was torn", () => {
      let answered = 0;
      answers(readReply(57).subarray(0, 60), () => {
        answered = clock.now;
        send(sealed(1, 0x83, 2));
      });
      read(57, 2);
      clock.runFor(2000);
      expect(endings).toMatchObject([{ result: "exception", exception: 2 }]);
      expect(endings[0]!.at - answered).toBeLessThan(IDLE_GAP);
    });

    it("end the transaction at once when the one before was cancelled within its reply", () => {
      answers(readReply(57).subarray(0, 60), "01 83 02 C0 F1");
      read(57);
      while (!requests.length) clock.runFor(1);
      clock.runFor(25);
      station.cancel();
      read(57);
      clock.runFor(1000);
      const [, second] = requests;
      expect(endings).toMatchObject([{ result: "exception", exception: 2 }]);
      expect(endings[0]!.at - second!.at).toBeLessThan(10 + IDLE_GAP);
    });

    it("of another function or slave are ignored", () => {
      answers("01 86 02 C3 A1 02 83 02 30 F1");
      read(4);
      clock.runFor(1000);
      expect(endings).toMatchObject([{ result: "mismatch", exception: 0 }]);
    });
  });

  describe("time", () => {
    it("gives up without a first byte in time", () => {
      answers();
      clock.runFor(1000);
      read(4);
      const sent = clock.now + (8 * 10_000) / 115_200;
      clock.runUntil(sent + FIRST_BYTE_TIMEOUT - 1);
      expect(endings).toEqual([]);
      clock.runUntil(sent + FIRST_BYTE_TIMEOUT + 11);
      expect(endings).toMatchObject([{ result: "no-reply" }]);
      expect(bus.counters).toMatchObject({ requests: 1, timeouts: 1 });
    });

    it.each([
      [115_200, 340],
      [9_600, 350],
    ])("costs the bus at %i baud at most %i ms a try of a silent station, with its gap", (baud, most) => {
      open({ baud }, { baud });
      answers();
      read(120, 3);
      clock.runFor(3 * most);
      expect(endings).toMatchObject([{ result: "no-reply" }]);
      expect(requests).toHaveLength(3);
    });

    it("accepts a reply that begins just before that", () => {
      answers(() => clock.after(FIRST_BYTE_TIMEOUT - 5, () => send(readReply(57))));
      read(57);
      clock.runFor(1000);
      expect(endings).toMatchObject([{ result: "reply" }]);
    });

    it("does not wait for another reply once one has come damaged", () => {
      const damaged = readReply(57);
      damaged[50]! ^= 1;
      const answer = (): unknown => clock.after(20, () => send(damaged));
      answers(answer, answer);
      read(57, 2);
      clock.runFor(1000);
      expect(endings).toMatchObject([{ result: "no-reply" }]);
      expect(bus.counters).toMatchObject({ timeouts: 2, crcErrors: 2 });
      const [first, second] = requests as { at: number }[] as [{ at: number }, { at: number }];
      // The reply begins after 20 ms and takes 11; its end is known 20 ms later.
      expect(second.at - first.at).toBeLessThan(20 + 11 + IDLE_GAP + 20 + DEFAULT_GAP + 10);
    });

    it("gives up on a reply that does not end", () => {
      answers(() => clock.after(FIRST_BYTE_TIMEOUT - 10, () => send(readReply(57).subarray(0, 60))));
      read(57);
      clock.runFor(1000);
      const [ending] = endings as [Ending];
      expect(ending.result).toBe("no-reply");
      expect(ending.at - (requests[0] as { at: number }).at).toBeLessThan(FIRST_BYTE_TIMEOUT + 11 + 50 + 10);
      expect(bus.counters.discarded).toBe(60);
    });

    it("allows at 9,600 baud as long from the end of the request to the first byte, and a reply the time it needs", () => {
      open({ baud: 9600 }, { baud: 9600 });
      answers(undefined, () => clock.after(FIRST_BYTE_TIMEOUT - 15, () => send(readReply(125))));
      read(125);
      clock.runFor(75 + 9 + FIRST_BYTE_TIMEOUT - 1);
      expect(endings).toEqual([]);
      clock.runFor(14);
      expect(endings).toMatchObject([{ result: "no-reply" }]);
      read(125);
      clock.runFor(1000);
      expect(endings[1]).toMatchObject({ result: "reply" });
    });

    it("answers once when the reply is found after noise just as the time ends", () => {
      answers(() => {
        // The beginning of a long frame, that never falls silent for long enough to be given up.
        for (const [at, bytes] of [
          [FIRST_BYTE_TIMEOUT - 10, "05 03 FF"],
          [FIRST_BYTE_TIMEOUT + 6, "00"],
          [FIRST_BYTE_TIMEOUT + 21, "00"],
        ] as const)
          clock.after(at, () => send(bytes));
        clock.after(FIRST_BYTE_TIMEOUT + 35, () => send(readReply(4)));
      });
      read(4);
      clock.runFor(1000);
      expect(endings).toMatchObject([{ result: "reply", bytes: hex(readReply(4)) }]);
      expect(bus.counters).toMatchObject({ replies: 1, timeouts: 0, discarded: 5 });
    });

    it("gives up although the noise never ends", () => {
      answers();
      for (let at = 0; at < 3000; at += 3) clock.at(at, () => send(Uint8Array.of(0x01, 0x03, 0x08)));
      read(4);
      clock.runFor(1100);
      expect(endings).toMatchObject([{ result: "no-reply" }]);
    });

    it.each([
      ["is no frame", [0x55]],
      ["resembles the beginning of the reply", [0x01, 0x03, 0x08]],
    ])("gives up although every tick finds noise that %s", (_, noise) => {
      // One second without a pause.
      answers(() => send(concat(...Array.from({ length: 11_520 / noise.length }, () => Uint8Array.from(noise)))));
      read(4);
      clock.runFor(700);
      const [ending] = endings as [Ending];
      expect(ending.result).toBe("no-reply");
      expect(ending.at - (requests[0] as { at: number }).at).toBeLessThan(FIRST_BYTE_TIMEOUT + 2 + 50 + 10);
      expect(bus.counters).toMatchObject({ requests: 1, timeouts: 1 });
    });

    it("knows how long a try takes at most: gap, request, a reply that does not end, the check that notices", () => {
      answers(() => send(new Uint8Array(11_520).fill(0x55)));
      const start = clock.now;
      read(4);
      expect(station.tryTime(transaction)).toBe(75 + 1 + (FIRST_BYTE_TIMEOUT + 2 + 50) + 10);
      clock.runFor(1000);
      const [ending] = endings as [Ending];
      expect(ending.at - start).toBeLessThanOrEqual(station.tryTime(transaction));
      expect(ending.at - start).toBeGreaterThan(station.tryTime(transaction) - 15);
    });

    it("finds a reply in the FIFO however long the script was busy", () => {
      answers(readReply(57));
      read(57);
      clock.runFor(80);
      board.script.busyFor(900);
      clock.runFor(1000);
      expect(endings).toMatchObject([{ result: "reply", bytes: hex(readReply(57)) }]);
      expect(board.uart.overflows).toBe(0);
    });

    it("also finds it after the echo of the request", () => {
      open({}, { echo: true });
      answers(readReply(57));
      read(57);
      clock.runFor(80);
      board.script.busyFor(900);
      clock.runFor(1000);
      expect(endings).toMatchObject([{ result: "reply" }]);
      expect(board.uart.overflows).toBe(0);
    });

    it.each([30, 75, 120])("keeps the bus quiet for %i ms after a reply and after a timeout", (gap) => {
      open({ gap });
      answers(readReply(4), undefined, readReply(4));
      const sends: number[] = [];
      const send = board.wire.board.send.bind(board.wire.board);
      board.wire.board.send = (bytes) => {
        sends.push(clock.now);
        send(bytes);
      };
      let heard = 0;
      const { onByte } = board.wire.board;
      board.wire.board.onByte = (byte) => {
        if (sends.length === 1) heard = clock.now;
        onByte?.(byte);
      };
      clock.runFor(500);
      read(4);
      clock.runFor(21);
      expect(sends).toEqual([500]);
      read(4, 2);
      clock.runFor(3000);
      expect(sends).toHaveLength(3);
      const [, second, third] = sends as [number, number, number];
      expect(second - heard).toBeGreaterThanOrEqual(gap);
      expect(third - second).toBeGreaterThanOrEqual(FIRST_BYTE_TIMEOUT + gap);
    });

    it.each([30, 75, 120])("keeps %i ms of quiet when the next request is made at once", (gap) => {
      open({ gap });
      answers(readReply(4), readReply(6));
      let heard = 0;
      const { onByte } = board.wire.board;
      board.wire.board.onByte = (byte) => {
        heard = clock.now;
        onByte?.(byte);
      };
      let sent = 0;
      station.start(transaction.read(0, 4), 1, {
        answered() {
          const send = board.wire.board.send.bind(board.wire.board);
          board.wire.board.send = (bytes) => {
            sent = clock.now - heard;
            send(bytes);
          };
          station.start(transaction.read(8, 6), 1, listener);
        },
      });
      clock.runFor(1000);
      expect(endings).toMatchObject([{ result: "reply" }]);
      expect(sent).toBeGreaterThanOrEqual(gap);
      expect(sent).toBeLessThan(gap + 4);
    });

    it("sends at once when the bus has been quiet for exactly the gap, not 1 ms earlier", () => {
      clock.runFor(75);
      read(4);
      expect(bus.awaited).toBe(transaction);
      open();
      clock.runFor(74);
      read(4);
      expect(bus.awaited).toBeUndefined();
    });

    it("discards other bytes while idle, and counts the gap from them", () => {
      clock.runFor(100);
      send("55 AA");
      clock.runFor(80);
      read(4);
      expect(bus.counters.discarded).toBe(2);
      expect(bus.awaited).toBe(transaction);
    });

    it("waits for a bus that others use, but not forever", () => {
      answers(readReply(4));
      for (let at = 0; at < 300; at += 20) clock.at(at, () => send("55"));
      read(4);
      clock.runFor(1000);
      const quiet = (requests[0] as { at: number }).at - 2 - 280;
      expect(quiet).toBeGreaterThanOrEqual(75);
      for (let at = 1000; at < 3000; at += 20) clock.at(at, () => send("55"));
      clock.runFor(100);
      read(4);
      clock.runFor(600);
      expect(requests).toHaveLength(2);
    });

    it("clears the FIFO when the request is sent, even bytes unseen by a busy script", () => {
      answers(undefined, readReply(4, { first: 0x80 }));
      read(4);
      clock.runFor(500);
      expect(endings).toMatchObject([{ result: "no-reply" }]);
      const since = (requests[0] as { at: number }).at + 600;
      clock.runUntil(since);
      // Stale bytes begin the gap anew; its end and a stale reply then fall into the time in which the script is busy.
      send("55");
      clock.runFor(20);
      read(4);
      clock.runFor(50);
      board.script.busyFor(60);
      clock.at(since + 100, () => send(readReply(4)));
      clock.runFor(1000);
      expect(endings[1]).toMatchObject({ result: "reply", bytes: hex(readReply(4, { first: 0x80 })) });
    });

    it("is not held by bytes that keep coming: the script is free after each few reads", () => {
      const reads = vi.spyOn(Serial.prototype, "read");
      let chunk = FIFO_BYTES;
      let left = 0;
      // As if the bus were faster than the script, up to a number of reads that ends an unbounded loop.
      reads.mockImplementation(() => (left-- > 0 ? chunk : undefined));
      for (const size of [1, FIFO_BYTES])
        for (const awaited of [false, true]) {
          chunk = size;
          open();
          if (awaited) {
            left = 0;
            read(4);
            clock.runFor(100);
            expect(bus.awaited).toBe(transaction);
          }
          left = 1000;
          reads.mockClear();
          bus.readable();
          expect(reads.mock.calls.length).toBe(awaited && size < FIFO_BYTES ? 1 : MAX_READS);
        }
    });

    it("continues across the tick wrap", () => {
      for (let start = 2400; start < 3050; start += 50) {
        requests = [];
        endings = [];
        open();
        answers(undefined, readReply(4));
        clock.runUntil(start);
        read(4, 2);
        clock.runFor(1000);
        expect(endings).toMatchObject([{ result: "reply" }]);
        expect((requests[1] as { at: number }).at - start).toBeLessThan(500);
      }
    });

    it.each([29, 1001, NaN])("refuses a gap of %d ms", (gap) => {
      expect(() => open({ gap })).toThrow(new RangeError(`gap ${gap} is not from 30 to 1000 ms`));
    });

    it.each([30, 1000])("accepts a gap of %d ms", (gap) => {
      expect(() => open({ gap })).not.toThrow();
    });

    it.each([0, -1, NaN])("refuses a baud rate of %d", (baud) => {
      expect(() => open({ baud })).toThrow(new RangeError(`baud rate ${baud}`));
    });
  });

  describe("retries", () => {
    it("send the request again, as often as configured", () => {
      answers();
      read(4, 3);
      clock.runFor(5000);
      expect(requests.map(({ bytes }) => hex(bytes))).toEqual(Array(3).fill("01 03 12 00 00 04 41 71"));
      expect(endings).toMatchObject([{ result: "no-reply" }]);
      expect(bus.counters).toMatchObject({ requests: 3, timeouts: 3 });
    });

    it("end with the first reply", () => {
      answers(undefined, readReply(4));
      read(4, 6);
      clock.runFor(5000);
      expect(requests).toHaveLength(2);
      expect(endings).toMatchObject([{ result: "reply" }]);
    });

    it("are told with the result: the slave may have acted on an earlier request", () => {
      answers(undefined, readReply(4), readReply(4));
      const retried: boolean[] = [];
      for (let turn = 0; turn < 2; turn++) {
        const told: ReplyListener = { answered: (_, reply) => retried.push(reply.retried) };
        station.start(transaction.read(0x1200, 4), 2, told);
        clock.runFor(2000);
      }
      expect(retried).toEqual([true, false]);
    });

    it("are at most five", () => {
      expect(() => read(4, 7)).toThrow(new RangeError("tries 7 not 1 to 6"));
      expect(() => read(4, 0)).toThrow(RangeError);
      expect(bus.busy).toBe(false);
    });
  });

  describe("cancel and close", () => {
    it("cancel ends it without a callback; the late reply is discarded and not taken for the next one", () => {
      answers(() => clock.after(100, () => send(readReply(4))), readReply(6));
      read(4);
      clock.runFor(100);
      station.cancel();
      expect(bus.busy).toBe(false);
      read(6);
      clock.runFor(1000);
      expect(endings).toMatchObject([{ result: "reply", bytes: hex(readReply(6)) }]);
      expect(bus.counters.discarded).toBe(13);
    });

    it("cancel while waiting for a quiet bus sends nothing", () => {
      answers();
      read(4);
      station.cancel();
      clock.runFor(1000);
      expect(requests).toEqual([]);
      expect(endings).toEqual([]);
    });

    it("close cancels, releases the port and starts nothing more", () => {
      answers(readReply(4));
      read(4);
      clock.runFor(80);
      const closed = vi.spyOn(Serial.prototype, "close");
      bus.close();
      bus.close();
      expect(closed).toHaveBeenCalledOnce();
      expect(claimedPins(board)).toEqual([]);
      clock.runFor(1000);
      expect(endings).toEqual([]);
      expect(() => read(4)).toThrow("closed");
    });
  });

  it("survives late callbacks of the platform: a stopped timer, a closed port", () => {
    open();
    const reads = vi.spyOn(Serial.prototype, "read");
    bus.tick();
    expect(reads).not.toHaveBeenCalled();
    bus.close();
    bus.readable();
    expect(reads).not.toHaveBeenCalled();
  });

  it("leaves no timer behind when the port cannot be opened", () => {
    const { count } = board.timers;
    expect(() => new Bus({ serial: serialOf(board), baud: 115200 })).toThrow("in use");
    expect(board.timers.count).toBe(count);
    answers(undefined, readReply(4));
    read(4, 2);
    for (let at = 0; at < 1000; at += 10) {
      clock.runFor(10);
      expect(board.timers.count).toBe(count);
    }
    expect(endings).toMatchObject([{ result: "reply" }]);
    bus.close();
    expect(board.timers.count).toBe(count - 1);
  });

  it("refuses a reply larger than its buffer, and accepts one that just fits", () => {
    open({ bufferBytes: 128 + 13 });
    answers(readReply(4));
    expect(() => read(5)).toThrow(new RangeError("reply longer than the buffer"));
    read(4);
    clock.runFor(300);
    expect(endings).toMatchObject([{ result: "reply" }]);
  });

  it("refuses a request larger than the transmit FIFO, and sends one that just fits", () => {
    answers();
    const large = new Transaction(new Uint8Array(256));
    encodeWrite(large.adu, PDU, 0, new Uint8Array(120));
    expect(() => station.start(large.prepare(126), 1, listener)).toThrow(new RangeError("request over 128 bytes"));
    station.start(large.prepare(125), 1, listener);
    clock.runFor(1000);
    expect(requests[0]?.bytes).toHaveLength(128);
  });
});

it("frees its port when there is no memory for its timer: it can be tried again", () => {
  const board = lineBoard();
  const make = (): Bus => new Bus({ serial: serialOf(board), baud: 115200 });
  board.refusals.failAllocation(2);
  expect(make).toThrow("add failed");
  expect(make).not.toThrow();
});
