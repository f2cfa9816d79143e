import { describe, expect, it } from "vitest";
import { Clock } from "../../host-sim/clock";
import { byteTime, sampled, Wire, type WirePort } from "../../host-sim/wire";

function heard(clock: Clock, end: WirePort): { byte: number; at: number }[] {
  const bytes: { byte: number; at: number }[] = [];
  end.onByte = (byte) => bytes.push({ byte, at: clock.now });
  return bytes;
}

describe("Wire", () => {
  it("takes ten bits a byte, both ways", () => {
    expect(byteTime(9600)).toBeCloseTo(1.0417, 4);
    const clock = new Clock();
    const wire = new Wire(clock, { baud: 10_000 });
    const bms = heard(clock, wire.bms);
    const board = heard(clock, wire.board);
    wire.board.send(Uint8Array.of(1, 2));
    wire.bms.send(Uint8Array.of(3));
    wire.board.send(Uint8Array.of(4));
    expect([wire.board.unsent, wire.bms.incoming, wire.board.incoming]).toEqual([3, 3, 1]);
    clock.runFor(2.5);
    expect(bms).toEqual([
      { byte: 1, at: 1 },
      { byte: 2, at: 2 },
    ]);
    expect(board).toEqual([{ byte: 3, at: 1 }]);
    clock.runFor(10);
    expect(bms.at(-1)).toEqual({ byte: 4, at: 3 });
    wire.board.send(Uint8Array.of(5));
    clock.runFor(10);
    expect(bms.at(-1)).toEqual({ byte: 5, at: 13.5 });
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
    wire.bms.send(Uint8Array.of(8));
    clock.runFor(5);
    expect(board.map(({ byte }) => byte).sort()).toEqual([7, 8]);
    expect(bms.map(({ byte }) => byte)).toEqual([7]);
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
