import { describe, expect, it } from "vitest";
import { MAX_READ_QUANTITY, MAX_WRITE_QUANTITY } from "../../modules/modbus/limits";
import { frameAt, isAcknowledgement, isRequest, NO_FRAME, UNFINISHED } from "../../modules/modbus/rtu";
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

it("a reply whose first bytes fit as a request is a reply", () => {
  // 3,460, read at address 5: its low byte is the check of the six before it.
  const bytes = placed(sealed(5, 3, 4, 0, 0, 0x0d, 0x84));
  expect(frameAt(bytes, START, START + 8)).toBe(8);
  expect(frameAt(bytes, START, bytes.length)).toBe(9);
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
  expect(frameAt(placed(sealed(1, 0x90, 12)), START, START + 5)).toBe(5);
});

const write = (quantity: number, bytes = 2 * quantity): Uint8Array =>
  sealed(7, 0x10, 0x16, 0x20, 0, quantity, bytes, ...new Uint8Array(bytes));

describe("a request that the standard allows", () => {
  it.each<[string, Uint8Array, boolean]>([
    ["a read of no register", sealed(7, 3, 0x12, 0, 0, 0), false],
    ["a read of one register", sealed(7, 3, 0x12, 0, 0, 1), true],
    ["the longest read", sealed(7, 3, 0x12, 0, 0, MAX_READ_QUANTITY), true],
    ["a read of one register more", sealed(7, 3, 0x12, 0, 0, MAX_READ_QUANTITY + 1), false],
    ["a read of 257 registers", sealed(7, 3, 0x12, 0, 1, 1), false],
    ["a write of no register", write(0), false],
    ["a write of one register", write(1), true],
    ["the longest write", write(MAX_WRITE_QUANTITY), true],
    ["a write of one register more", write(MAX_WRITE_QUANTITY + 1), false],
    ["a write with a byte too many", write(2, 5), false],
    ["a read reply whose data would be a quantity", sealed(7, 3, 6, 0x12, 0, 4, 0, 4, 0), false],
    ["an acknowledgement", sealed(7, 0x10, 0x16, 0x20, 0, 1), false],
    ["an exception", sealed(7, 0x83, 2), false],
  ])("%s: %s", (_, frame, is) => {
    expect(isRequest(placed(frame), START, frame.length)).toBe(is);
  });
});

describe("an acknowledgement", () => {
  it.each<[string, Uint8Array, boolean]>([
    ["of no register", sealed(7, 0x10, 0x16, 0x20, 0, 0), false],
    ["of one register", sealed(7, 0x10, 0x16, 0x20, 0, 1), true],
    ["of the longest write", sealed(7, 0x10, 0x16, 0x20, 0, MAX_WRITE_QUANTITY), true],
    ["of one register more", sealed(7, 0x10, 0x16, 0x20, 0, MAX_WRITE_QUANTITY + 1), false],
    ["of 257 registers", sealed(7, 0x10, 0x16, 0x20, 1, 1), false],
    ["but no read request", sealed(7, 3, 0x16, 0x20, 0, 1), false],
    ["but no write request", write(1), false],
  ])("%s: %s", (_, frame, is) => {
    expect(isAcknowledgement(placed(frame), START, frame.length)).toBe(is);
  });
});
