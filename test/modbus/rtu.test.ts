import { describe, expect, it } from "vitest";
import { frameAt, NO_FRAME, UNFINISHED } from "../../modules/modbus/rtu";
import { concat, sealed } from "../support/bms/fake-bms";

/** Every frame stands behind bytes that are none of it. */
const START = 3;
const placed = (frame: Uint8Array): Uint8Array => concat(Uint8Array.of(1, 3, 2), frame);

const FRAMES = [
  ["a read request", sealed(1, 3, 0x12, 0x00, 0, 8)],
  ["a read reply shorter than a request", sealed(1, 3, 2, 0x12, 0x34)],
  ["a read reply", sealed(1, 3, 6, 1, 2, 3, 4, 5, 6)],
  ["a write request", sealed(1, 0x10, 0x10, 0x70, 0, 2, 4, 0, 0, 0, 1)],
  ["a write reply", sealed(1, 0x10, 0x10, 0x70, 0, 2)],
  ["an exception", sealed(1, 0x83, 2)],
  ["an exception to a write", sealed(1, 0x90, 3)],
] as const;

describe.each(FRAMES)("%s", (_, frame) => {
  const bytes = placed(frame);

  it("is a frame of its length, whatever follows", () => {
    expect(frameAt(bytes, START, bytes.length)).toBe(frame.length);
    const more = concat(bytes, Uint8Array.of(0xff, 0, 1));
    expect(frameAt(more, START, more.length)).toBe(frame.length);
  });

  it("is incomplete while bytes are missing, even if the memory beyond holds them", () => {
    for (let end = START; end < bytes.length; end++) expect(frameAt(bytes, START, end)).toBe(UNFINISHED);
  });

  it("is rejected with a wrong CRC", () => {
    // So many bytes that no length that the wrong frame may have is left unfinished.
    const wrong = concat(bytes, new Uint8Array(300));
    wrong[START + frame.length - 1] = (wrong[START + frame.length - 1] as number) ^ 1;
    expect(frameAt(wrong, START, wrong.length)).toBe(NO_FRAME);
  });
});

it("an unsupported function code is rejected as soon as it arrives", () => {
  const unknown = placed(sealed(1, 6, 0x10, 0x70, 0, 2));
  expect(frameAt(unknown, START, START + 3)).toBe(NO_FRAME);
  expect(frameAt(unknown, START, unknown.length)).toBe(NO_FRAME);
  expect(frameAt(placed(sealed(1, 6, 2, 0, 1)), START, START + 7)).toBe(NO_FRAME);
});

it("an exception to another function has a code of the standard", () => {
  expect(frameAt(placed(sealed(1, 0x86, 11)), START, START + 5)).toBe(5);
  expect(frameAt(placed(sealed(1, 0x86, 12)), START, START + 5)).toBe(NO_FRAME);
  expect(frameAt(placed(sealed(1, 0x83, 12)), START, START + 5)).toBe(5);
});
