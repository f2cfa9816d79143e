import { describe, expect, it } from "vitest";
import { Clock } from "../../host-sim/clock";
import { byteTime, sampled, Wire, type WirePort } from "../../host-sim/wire";

function heard(clock: Clock, end: WirePort): { byte: number; at: number }[] {
  const bytes: { byte: number; at: number }[] = [];
  end.onByte = (byte) => bytes.push({ byte, at: clock.now });
  return bytes;
}

describe("Wire", () => {
  it("takes ten bits a byte, both ways in turn", () => {
    expect(byteTime(9600)).toBeCloseTo(1.0417, 4);
    const clock = new Clock();
    const wire = new Wire(clock, { baud: 10_000 });
    const bms = heard(clock, wire.bms);
    const board = heard(clock, wire.board);
    wire.board.send(Uint8Array.of(1, 2));
    wire.board.send(Uint8Array.of(4));
    expect([wire.board.unsent, wire.bms.incoming, wire.board.incoming]).toEqual([3, 3, 0]);
    clock.runFor(2.5);
    expect(bms).toEqual([
      { byte: 1, at: 1 },
      { byte: 2, at: 2 },
    ]);
    clock.runFor(10);
    expect(bms.at(-1)).toEqual({ byte: 4, at: 3 });
    wire.bms.send(Uint8Array.of(3));
    clock.runFor(1);
    expect(board).toEqual([{ byte: 3, at: 13.5 }]);
    wire.board.send(new Uint8Array(0));
    wire.board.send(Uint8Array.of(5));
    clock.runFor(10);
    expect(bms.at(-1)).toEqual({ byte: 5, at: 14.5 });
    expect(wire.collisions).toBe(0);
  });

  it("reports when a byte and when the last byte has been sent", () => {
    const clock = new Clock();
    const { board } = new Wire(clock, { baud: 10_000 });
    const events: string[] = [];
    board.onSent = () => events.push(`sent ${board.unsent}`);
    board.onIdle = () => events.push("idle");
    board.send(Uint8Array.of(1, 2));
    clock.runFor(5);
    expect(events).toEqual(["sent 1", "sent 0", "idle"]);
  });

  it("echoes to the board only", () => {
    const clock = new Clock();
    const wire = new Wire(clock, { baud: 10_000, echo: true });
    const board = heard(clock, wire.board);
    const bms = heard(clock, wire.bms);
    wire.board.send(Uint8Array.of(7));
    clock.runFor(5);
    wire.bms.send(Uint8Array.of(8));
    clock.runFor(5);
    expect(board.map(({ byte }) => byte)).toEqual([7, 8]);
    expect(bms.map(({ byte }) => byte)).toEqual([7]);
  });

  it("carries every byte to every other station", () => {
    const clock = new Clock();
    const wire = new Wire(clock, { baud: 10_000 });
    const third = wire.join();
    const all = [wire.board, wire.bms, third].map((port) => heard(clock, port));
    third.send(Uint8Array.of(1, 2));
    expect([wire.board.incoming, third.incoming]).toEqual([2, 0]);
    clock.runFor(2);
    wire.bms.send(Uint8Array.of(3));
    clock.runFor(5);
    expect(all.map((bytes) => bytes.map(({ byte }) => byte))).toEqual([[1, 2, 3], [1, 2], [3]]);
    expect(wire.collisions).toBe(0);
  });

  describe("when two stations send at once", () => {
    /** What a third station hears when the second begins `delay` byte times after the first. */
    function overlapped(delay: number, first = [1, 2, 3], second = [4, 5, 6]): { bytes: number[]; collisions: number } {
      const clock = new Clock();
      const wire = new Wire(clock, { baud: 10_000 });
      const bytes = heard(clock, wire.join());
      wire.board.send(Uint8Array.from(first));
      clock.runFor(delay);
      wire.bms.send(Uint8Array.from(second));
      clock.runFor(20);
      return { bytes: bytes.map(({ byte }) => byte), collisions: wire.collisions };
    }

    it("garbles both, wherever they overlap", () => {
      for (const delay of [0, 0.05, 0.5, 1, 1.3, 2, 2.05, 2.5, 2.95]) {
        const { bytes, collisions } = overlapped(delay);
        const text = ` ${bytes.join(" ")} `;
        expect(text, `${delay}`).not.toContain(" 1 2 3 ");
        expect(text, `${delay}`).not.toContain(" 4 5 6 ");
        expect(collisions, `${delay}`).toBeGreaterThanOrEqual(2);
        expect(bytes.length, "no more than the line can carry").toBeLessThanOrEqual(Math.ceil(delay + 3));
      }
      expect(overlapped(3)).toEqual({ bytes: [1, 2, 3, 4, 5, 6], collisions: 0 });
    });

    it("garbles every byte that overlaps, even with its equal or with zeros and ones", () => {
      for (const [first, second] of [
        [0, 0],
        [255, 255],
        [0, 255],
        [255, 0],
        [0x55, 0x55],
      ] as const) {
        const { bytes, collisions } = overlapped(0, [first], [second]);
        expect(bytes).toHaveLength(1);
        expect(bytes).not.toEqual([first]);
        expect(bytes).not.toEqual([second]);
        expect(collisions).toBe(2);
      }
    });

    it("spares what was sent before and after", () => {
      const before = Array.from({ length: 20 }, (_, index) => index);
      const { bytes, collisions } = overlapped(9.5, before, [100, 101, 102]);
      expect(bytes.slice(0, 9)).toEqual(before.slice(0, 9));
      expect(bytes.slice(13)).toEqual(before.slice(13));
      expect(bytes).toHaveLength(20);
      expect(collisions).toBe(7);
    });

    it("neither hears the other, unless it has an echo, which is garbled", () => {
      for (const echo of [false, true]) {
        const clock = new Clock();
        const wire = new Wire(clock, { baud: 10_000, echo });
        const board = heard(clock, wire.board);
        const bms = heard(clock, wire.bms);
        wire.board.send(Uint8Array.of(1, 2, 3));
        clock.runFor(1.5);
        wire.bms.send(Uint8Array.of(9));
        clock.runFor(10);
        expect(bms.map(({ byte }) => byte)).toEqual([1]);
        const own = board.map(({ byte }) => byte);
        expect(own).toHaveLength(echo ? 3 : 0);
        if (!echo) continue;
        expect(own[0]).toBe(1);
        expect(own.slice(1)).not.toEqual([2, 3]);
      }
    });

    it("leaves no trace of a station that lost its power before", () => {
      const clock = new Clock();
      const wire = new Wire(clock, { baud: 10_000 });
      const third = heard(clock, wire.join());
      wire.board.send(new Uint8Array(50));
      clock.runFor(2.5);
      wire.board.abort();
      wire.bms.send(Uint8Array.of(9));
      clock.runFor(10);
      expect(third.map(({ byte }) => byte)).toEqual([0, 0, 9]);
      expect(wire.collisions).toBe(0);
    });
  });

  it("never delivers bytes that were in flight at an abort", () => {
    const clock = new Clock();
    const wire = new Wire(clock, { baud: 10_000 });
    const bms = heard(clock, wire.bms);
    wire.board.send(Uint8Array.of(1, 2, 3));
    clock.runFor(1);
    wire.board.abort();
    expect(wire.board.unsent).toBe(0);
    wire.board.send(Uint8Array.of(9));
    clock.runFor(10);
    expect(bms.map(({ byte }) => byte)).toEqual([1, 9]);
  });

  it("hears garbage at another baud rate", () => {
    const frame = Uint8Array.of(0x01, 0x03, 0x12, 0x00, 0x55);
    for (const [sender, receiver] of [
      [9600, 115_200],
      [115_200, 9600],
    ] as const) {
      const clock = new Clock();
      const wire = new Wire(clock, { baud: sender });
      wire.bms.baud = receiver;
      const bytes = heard(clock, wire.bms);
      wire.board.send(frame);
      clock.runFor(100);
      expect(bytes.length).toBeGreaterThan(0);
      expect(bytes.map(({ byte }) => byte)).not.toEqual([...frame]);
    }
  });

  it("hears one byte for many when the receiver is slower, and zeros from the start bit when it is faster", () => {
    const count = (sender: number, receiver: number): number[] => {
      const clock = new Clock();
      const wire = new Wire(clock, { baud: sender });
      wire.bms.baud = receiver;
      const bytes = heard(clock, wire.bms);
      wire.board.send(new Uint8Array(24).fill(0xa5));
      clock.runFor(100);
      return bytes.map(({ byte }) => byte);
    };
    expect(count(115_200, 9600)).toHaveLength(2);
    expect(count(9600, 115_200)).toEqual(new Array(24).fill(0));
    expect(count(115_200, 118_000)).toEqual(new Array(24).fill(0xa5));
    expect(sampled(0xa5, 1)).toBe(0xa5);
    expect(sampled(0xa5, 2)).not.toBe(0xa5);
  });
});
