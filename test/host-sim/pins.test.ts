import { describe, expect, it } from "vitest";
import Analog from "embedded:io/analog";
import Digital from "embedded:io/digital";
import { poweredBoard } from "../support/system/simulated-board";

describe("Digital", () => {
  it("drives an output without a glitch at start, and releases it on close", () => {
    const board = poweredBoard();
    const seen: unknown[] = [];
    board.pin(33).onOutput = (output) => seen.push(output);
    const relay = new Digital({ pin: 33, mode: Digital.Output, initialValue: 1 });
    expect(board.pin(33).level).toBe(1);
    relay.write(1);
    relay.write(0);
    relay.write(1);
    relay.close();
    relay.close();
    expect(seen).toEqual([1, 0, 1, undefined]);
    expect(() => relay.write(0)).toThrow();
  });

  it("starts an output at 0 by default", () => {
    const board = poweredBoard();
    new Digital({ pin: 33, mode: Digital.Output });
    expect(board.pin(33).output).toBe(0);
  });

  it("an open drain pulls down or floats", () => {
    const board = poweredBoard();
    board.pin(4).drive(1);
    const drain = new Digital({ pin: 4, mode: Digital.OutputOpenDrain, initialValue: 1 });
    expect(board.pin(4).level).toBe(1);
    drain.write(0);
    expect(board.pin(4).level).toBe(0);
  });

  it("reads what is connected, or the level of the pull resistor", () => {
    const board = poweredBoard();
    const read = (mode: number): number => {
      const input = new Digital({ pin: 4, mode });
      const value = input.read();
      input.close();
      return value;
    };
    expect([Digital.Input, Digital.InputPullUp, Digital.InputPullDown].map(read)).toEqual([0, 1, 0]);
    board.pin(4).drive(1);
    expect([Digital.Input, Digital.InputPullDown].map(read)).toEqual([1, 1]);
    board.pin(4).drive(0);
    expect([Digital.Input, Digital.InputPullUp].map(read)).toEqual([0, 0]);
  });

  it("reports the requested edges to the script, simultaneous ones once", () => {
    const board = poweredBoard();
    const log: string[] = [];
    const watch = (pin: number, edge: number, name: string): Digital =>
      new Digital({ pin, edge, mode: Digital.Input, onReadable: () => log.push(name) });
    watch(4, Digital.Rising, "rise");
    watch(13, Digital.Falling, "fall");
    const both = watch(14, Digital.Rising | Digital.Falling, "both");
    for (const level of [1, 0] as const) {
      for (const pin of [4, 13, 14]) board.pin(pin).drive(level);
      expect(log).toEqual([]);
      board.clock.runFor(1);
      expect(log.splice(0)).toEqual(level ? ["rise", "both"] : ["fall", "both"]);
    }
    board.pin(14).drive(1);
    board.pin(14).drive(0);
    board.pin(14).drive(1);
    board.clock.runFor(1);
    expect(log.splice(0)).toEqual(["both"]);
    board.pin(14).drive(0);
    both.close();
    board.clock.runFor(1);
    expect(log).toEqual([]);
  });

  it("has the given target for its callback, otherwise none", () => {
    const board = poweredBoard();
    const target = { edges: 0 };
    function onReadable(this: Digital): void {
      (this as Digital & { readonly target: typeof target }).target.edges++;
    }
    new Digital({ pin: 4, mode: Digital.Input, edge: Digital.Rising, target, onReadable });
    board.pin(4).drive(1);
    board.clock.runFor(1);
    expect(target.edges).toBe(1);
    expect("target" in new Digital({ pin: 13, mode: Digital.Output })).toBe(false);
  });

  it("refuses what the SDK refuses", () => {
    poweredBoard();
    const input = new Digital({ pin: 4, mode: Digital.Input });
    const output = new Digital({ pin: 13, mode: Digital.Output });
    expect(() => input.write(1)).toThrow();
    expect(() => output.read()).toThrow();
    expect(() => new Digital({ pin: 4, mode: Digital.Input })).toThrow("in use");
    expect(() => new Digital({ pin: 35, mode: Digital.Output })).toThrow("input only");
    expect(() => new Digital({ pin: 24, mode: Digital.Input })).toThrow(RangeError);
    expect(() => new Digital({ pin: 40, mode: Digital.Input })).toThrow(RangeError);
    expect(() => new Digital({ pin: 12, mode: 4 })).toThrow(RangeError);
    expect(() => new Digital({ pin: 12, mode: Digital.Input, onReadable: () => undefined })).toThrow("edges");
    new Digital({ pin: 39, mode: Digital.Input });
  });
});

describe("Analog", () => {
  it("reads millivolts times 4095 / 2450, like the SDK's calibrated reading", () => {
    const board = poweredBoard();
    const analog = new Analog({ pin: 36 });
    expect(analog.resolution).toBe(12);
    const read = (volts: number): number => {
      board.setAnalog(36, volts);
      return analog.read();
    };
    expect(read(1)).toBe(1671);
    expect(read(2.449)).toBe(4093);
    expect([2.45, 2.5, 3.3].map(read)).toEqual([4095, 4095, 4095]);
    // The calibration of the ESP32 answers 142 mV for everything below.
    expect([0, 0.1, 0.142].map(read)).toEqual([237, 237, 237]);
    expect(read(0.143)).toBe(239);
  });

  it("refuses pins that have no ADC or are in use", () => {
    poweredBoard();
    expect(() => new Analog({ pin: 5 })).toThrow("not analog pin");
    new Analog({ pin: 36 });
    expect(() => new Analog({ pin: 36 })).toThrow("in use");
  });
});
