/** What a trigger's transaction makes of bytes, whatever the master does with its verdict. */
import { describe, expect, it } from "vitest";
import { WAIT } from "../../modules/modbus/transaction";
import { FRAME_BYTES, FRAME_HEADER } from "../../modules/jk-bms/frame";
import { MAX_PADDING } from "../../modules/jk-bms/limits";
import { TriggerTransaction } from "../../modules/jk-bms/trigger";
import { SETUP, TELEMETRY, type BlockType } from "../../modules/jk-bms/types";
import { concat, frame, sealed } from "../support/bms/fake-bms";

/** Every verdict is on bytes behind others that have been dealt with. */
const START = 5;

/** A trigger for the station at address 1. */
function asking(block: BlockType): TriggerTransaction {
  const trigger = new TriggerTransaction().prepareFor(block);
  trigger.seal(1);
  return trigger;
}

function verdict(received: Uint8Array, { idle = false, trigger = asking(TELEMETRY) } = {}): number {
  const bytes = concat(new Uint8Array(START), received);
  return trigger.judge(bytes, START, bytes.length, idle);
}

const FRAME = frame(TELEMETRY, new Uint8Array(100).fill(7));
const ACKNOWLEDGEMENT = sealed(1, 0x10, 0x16, 0x20, 0, 1);

describe("the answer to a trigger", () => {
  it("is at most a frame, all the padding and an acknowledgement", () => {
    const longest = concat(FRAME, new Uint8Array(MAX_PADDING), ACKNOWLEDGEMENT);
    expect(verdict(longest)).toBe(longest.length);
    const trigger = new TriggerTransaction().prepareFor(TELEMETRY);
    trigger.seal(1);
    expect(trigger.longest).toBe(longest.length);
    expect(verdict(concat(FRAME, new Uint8Array(MAX_PADDING + 1), ACKNOWLEDGEMENT))).toBe(-FRAME_HEADER.length);
  });

  it("is awaited byte by byte, and once the frame is complete no silence ends the wait for its acknowledgement", () => {
    const answer = concat(FRAME, ACKNOWLEDGEMENT);
    for (let length = 1; length < answer.length; length++) {
      expect(verdict(answer.subarray(0, length))).toBe(WAIT);
      expect(verdict(answer.subarray(0, length), { idle: true })).toBe(length < FRAME_BYTES ? -1 : WAIT);
    }
    expect(verdict(answer)).toBe(answer.length);
  });

  it.each([
    ["a byte that is no acknowledgement's", Uint8Array.of(1, 0x55)],
    ["a read request for the same register", sealed(1, 3, 0x16, 0x20, 0, 1)],
    [
      "an acknowledgement with a wrong check",
      Uint8Array.from(ACKNOWLEDGEMENT, (byte, at) => (at === 7 ? byte ^ 1 : byte)),
    ],
  ])("is rejected with %s after the frame: the header is skipped at once", (_, behind) => {
    expect(verdict(concat(FRAME, behind))).toBe(-FRAME_HEADER.length);
  });

  it("is looked at byte by byte until its header is whole, and then when the frame is", () => {
    const trigger = asking(TELEMETRY);
    for (let length = 1; length < FRAME_BYTES; length++) {
      verdict(FRAME.subarray(0, length), { trigger });
      expect(trigger.enough).toBe(length < FRAME_HEADER.length ? 0 : FRAME_BYTES);
    }
  });

  it("for another block is skipped, its acknowledgement left to be judged by itself, and counted as a mismatch", () => {
    const trigger = asking(SETUP);
    const answer = concat(FRAME, ACKNOWLEDGEMENT);
    expect(verdict(answer, { trigger })).toBe(-FRAME_BYTES);
    expect([trigger.mismatches, trigger.checkErrors]).toEqual([1, 0]);
  });

  it("with a wrong checksum is counted as such", () => {
    const trigger = asking(TELEMETRY);
    expect(verdict(FRAME.slice().fill(8, 50, 51), { trigger })).toBe(-1);
    expect([trigger.mismatches, trigger.checkErrors]).toEqual([0, 1]);
  });
});

describe("a frame of another master", () => {
  it("is awaited, but not beyond a silence, and skipped whole", () => {
    const request = sealed(2, 3, 0x12, 0x00, 0, 0x39);
    for (let length = 1; length < request.length; length++) {
      expect(verdict(request.subarray(0, length))).toBe(WAIT);
      expect(verdict(request.subarray(0, length), { idle: true })).toBe(-1);
    }
    expect(verdict(request)).toBe(-request.length);
  });
});

describe("an exception", () => {
  const exception = sealed(1, 0x90, 2);

  it("of the addressed slave is the answer; an incomplete one is awaited, but not beyond a silence", () => {
    expect(verdict(exception)).toBe(exception.length);
    for (let length = 1; length < exception.length; length++) {
      expect(verdict(exception.subarray(0, length))).toBe(WAIT);
      expect(verdict(exception.subarray(0, length), { idle: true })).toBe(-1);
    }
  });

  it("is the answer, too, when the line is silent behind it", () => {
    expect(verdict(exception, { idle: true })).toBe(exception.length);
  });

  it("with a wrong CRC, of another slave or to another function is rejected as soon as that is seen", () => {
    expect(verdict(exception.slice().fill(0, 4))).toBe(-1);
    const others = [sealed(2, 0x90, 3), sealed(1, 0x83, 3)];
    for (const other of others) expect(verdict(other)).toBe(-other.length);
    for (const other of others) expect(verdict(other.fill(0, 4))).toBe(-1);
  });

  it("is judged when what began like a frame has gone", () => {
    const trigger = asking(TELEMETRY);
    expect(verdict(FRAME.subarray(0, 40), { trigger })).toBe(WAIT);
    expect(trigger.enough).toBe(FRAME_BYTES);
    expect(verdict(exception, { trigger })).toBe(exception.length);
    expect(trigger.enough).toBe(0);
  });

  it("is not an acknowledgement without a frame, which is skipped whole", () => {
    expect(verdict(ACKNOWLEDGEMENT)).toBe(-ACKNOWLEDGEMENT.length);
    expect(verdict(ACKNOWLEDGEMENT.subarray(0, 2), { idle: true })).toBe(-1);
  });
});
