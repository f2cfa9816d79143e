import { beforeEach, describe, expect, it, vi } from "vitest";
import * as FIELDS from "../../modules/jk-bms/field-table";
import { offsetOf, readRaw } from "../../modules/jk-bms/fields";
import { DEVICE_INFO, SETUP, TELEMETRY, type BlockType } from "../../modules/jk-bms/types";
import type { WriteName } from "../../modules/jk-bms/writes";
import { FIRST_LISTEN } from "../../modules/modbus/limits";
import { capture } from "../support/bms/captures";
import { concat, sealed } from "../support/bms/fake-bms";
import { hex } from "../support/hex";
import { claimedPins } from "../support/fakes/pins";
import { bms, board, bus, clock, close, fake, open, read } from "../support/bms/opened-bms";

beforeEach(() => open());

it.each([
  [undefined, 75],
  [200, 200],
])("with a gap of %j the first request is sent after %i ms of quiet", (gap, ms) => {
  open(gap === undefined ? {} : { gap });
  read();
  const [first] = fake.requests;
  expect(first?.at).toBeGreaterThanOrEqual(ms);
  expect(first?.at).toBeLessThan(ms + 5);
});

it.each(["registers", "frames"] as const)("by %s leaves nothing of another block in unread bytes", (readMode) => {
  open({ readMode });
  (fake.blocks[2] as Uint8Array).fill(0x5a);
  for (let round = 0; round < 3; round++) {
    read(TELEMETRY);
    read(DEVICE_INFO);
    const { view } = bms.deviceInfo;
    expect(hex(new Uint8Array(view.buffer, view.byteOffset, view.byteLength))).not.toContain("5A");
  }
});

describe("one transaction at a time", () => {
  it("a second read or write throws and disturbs nothing", () => {
    const outcomes: string[] = [];
    bms.read(TELEMETRY, (outcome) => outcomes.push(outcome));
    for (let at = 0; at < 18; at++) {
      expect(bus.busy).toBe(true);
      expect(() => bms.read(SETUP, () => outcomes.push("second"))).toThrow("busy");
      expect(() => bms.write("cell_count", 15, 1000, () => outcomes.push("second"))).toThrow("busy");
      clock.runFor(10);
    }
    clock.runFor(1000);
    expect(outcomes).toEqual(["ok"]);
    expect(fake.sent(16)).toEqual([]);
  });

  it("a write waiting between two read-backs counts as busy", () => {
    fake.ignoresWrites = true;
    bms.write("emergency", 1, 4000, () => undefined);
    for (let at = 0; at < 100; at++) {
      clock.runFor(10);
      expect(bus.busy).toBe(true);
      expect(() => bms.read(TELEMETRY, () => undefined)).toThrow("busy");
    }
  });

  it("the next one can be started from the callback", () => {
    const outcomes: string[] = [];
    bms.read(TELEMETRY, (first) => {
      outcomes.push(first);
      bms.write("cell_count", 15, 1000, ({ outcome }) => {
        outcomes.push(outcome);
        bms.read(SETUP, (third) => outcomes.push(third));
      });
    });
    clock.runFor(3000);
    expect(outcomes).toEqual(["ok", "confirmed", "ok"]);
  });

  it("an invalid name or value throws, and the BMS stays free", () => {
    expect(() => bms.write("shutdown" as WriteName, 1, 1000, () => undefined)).toThrow(RangeError);
    expect(() => bms.write("cell_count", 1.5, 1000, () => undefined)).toThrow(RangeError);
    expect(() => bms.write("display_always_on", 2, 1000, () => undefined)).toThrow(RangeError);
    expect(bus.busy).toBe(false);
    expect(read().outcome).toBe("ok");
  });
});

describe("what is heard of it", () => {
  const telemetry = capture("mppsolar-jkpb_t02_addr1_PB2A16S15P_15.10");
  const request = sealed(1, 16, 0x16, 0x20, 0, 1, 2, 0, 0);
  const answer = concat(telemetry, sealed(1, 16, 0x16, 0x20, 0, 1));
  let heard: BlockType[];

  beforeEach(() => {
    open({ mode: "listen" });
    heard = [];
    bms.listener = {
      onForeignBlock: (block) => void heard.push(block),
      onSecondReply: () => undefined,
      onLateReply: () => undefined,
      onNewSettings: () => undefined,
      isImpossible: () => false,
    };
    clock.runFor(FIRST_LISTEN);
  });

  const hear = (...messages: Uint8Array[]): void => {
    for (const message of messages) {
      board.wire.bms.send(message);
      clock.runFor(60);
    }
  };

  it("fills the image of the block, and is told", () => {
    expect([bms.address, bus.listening, bus.masterPresent]).toEqual([1, true, false]);
    hear(request, answer);
    expect([heard, bus.masterPresent]).toEqual([[TELEMETRY], true]);
    expect(bms.telemetry).toMatchObject({ valid: true, littleEndian: true });
    expect(readRaw(bms.telemetry, FIELDS.soc)).toBe(telemetry[6 + offsetOf(FIELDS.soc)]);
    expect(bms.setup.valid).toBe(false);
    bms.listener = undefined;
    bms.telemetry.view.setUint8(offsetOf(FIELDS.soc), 0);
    // What jumps has to be heard twice: the sum of a frame is weak.
    hear(answer);
    expect(readRaw(bms.telemetry, FIELDS.soc)).toBe(0);
    hear(answer);
    expect(readRaw(bms.telemetry, FIELDS.soc)).toBe(telemetry[6 + offsetOf(FIELDS.soc)]);
    expect(fake.requests).toEqual([]);
  });

  it("is passed over while it is being read itself", () => {
    open();
    bms.listener = {
      onForeignBlock: (block) => void heard.push(block),
      onSecondReply: () => undefined,
      onLateReply: () => undefined,
      onNewSettings: () => undefined,
      isImpossible: () => false,
    };
    let outcome: unknown;
    bms.read(TELEMETRY, (result) => (outcome = result));
    bms.onForeignFrame(TELEMETRY, telemetry, 0);
    expect([heard, bms.telemetry.valid]).toEqual([[], false]);
    clock.runFor(3000);
    expect(outcome).toBe("ok");
    for (let time = 0; time < 2; time++) bms.onForeignFrame(TELEMETRY, telemetry, 0);
    expect([heard, bms.telemetry.littleEndian]).toEqual([[TELEMETRY], true]);
  });

  it("is no longer told after closing", () => {
    bus.close();
    hear(request, answer);
    expect([heard, bms.telemetry.valid]).toEqual([[], false]);
  });
});

describe("closing", () => {
  it("cancels the current transaction, releases the port and starts nothing more", () => {
    const done = vi.fn();
    bms.read(TELEMETRY, done);
    clock.runFor(100);
    close();
    close();
    clock.runFor(3000);
    expect(done).not.toHaveBeenCalled();
    expect(claimedPins(board)).toEqual([]);
    expect(() => bms.read(TELEMETRY, done)).toThrow("closed");
    expect(() => bms.write("cell_count", 15, 1000, done)).toThrow("closed");
    expect(bus.busy).toBe(false);
    clock.runFor(3000);
    expect(done).not.toHaveBeenCalled();
  });

  it("leaves no timer behind, whether idle, reading or writing", () => {
    close();
    const { count } = board.timers;
    for (const start of [
      () => undefined,
      () => bms.read(TELEMETRY, () => undefined),
      () => bms.write("emergency", 1, 4000, () => undefined),
    ]) {
      open();
      start();
      clock.runFor(100);
      expect(board.timers.count).toBeGreaterThan(count);
      close();
      expect(board.timers.count).toBe(count);
    }
  });

  it("cancels a write between two read-backs", () => {
    const done = vi.fn();
    fake.ignoresWrites = true;
    bms.write("emergency", 1, 4000, done);
    clock.runFor(400);
    expect(bus.busy).toBe(true);
    close();
    expect(bus.busy).toBe(false);
    clock.runFor(5000);
    expect(done).not.toHaveBeenCalled();
  });
});

it.each([-1, 16, 1.5, NaN])("refuses the address %d", (address) => {
  expect(() => open({}, {}, address)).toThrow(new RangeError(`BMS address ${address} is not an integer from 0 to 15`));
  expect(claimedPins(board)).toEqual([]);
});

it("counts every request once", () => {
  for (let poll = 0; poll < 3; poll++) read();
  fake.refuses.set(0x1200, 2);
  read();
  fake.refuses.clear();
  fake.instead = () => null;
  read();
  const { requests: sent, replies, exceptions, timeouts } = bus.statistics;
  expect({ sent, replies, exceptions }).toEqual({ sent: fake.requests.length, replies: 4, exceptions: 2 });
  expect(sent).toBe(replies + exceptions + timeouts);
  expect(bus.statistics.lastReplyTime).toBeGreaterThan(0);
});
