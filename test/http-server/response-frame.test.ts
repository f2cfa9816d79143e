import { describe, expect, it } from "vitest";
import { MAX_RESPONSE_HEAD_BYTES } from "http-server/limits";
import { NO_LENGTH, ResponseFrame } from "http-server/response-frame";

const START = "HTTP/1.1 200 OK\r\n";
const END = "\r\n";
const FULL = "response head larger than its buffer";

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");
const begun = (): ResponseFrame => new ResponseFrame().begin(200);

/** A head that has room for `left` bytes. */
function filled(left: number): ResponseFrame {
  return begun().add("a".repeat(MAX_RESPONSE_HEAD_BYTES - START.length - left));
}

describe("a head", () => {
  it.each([
    ["a text", 3, (frame: ResponseFrame) => frame.add("abc")],
    ["a field", 6, (frame: ResponseFrame) => frame.field("X", "a")],
    ["the value of a field", 3, (frame: ResponseFrame) => frame.textField("", "a")],
    ["a length", 7, (frame: ResponseFrame) => frame.message(100, 0)],
    ["its end", 2, (frame: ResponseFrame) => frame.message(NO_LENGTH, 0)],
  ] as const)("with %s at its limit, one under and one over", (_, bytes, add) => {
    expect(() => add(filled(bytes + 1))).not.toThrow();
    expect(() => add(filled(bytes))).not.toThrow();
    for (let left = 0; left < bytes; left++) expect(() => add(filled(left)), `${left}`).toThrow(FULL);
  });

  it("is followed by its body", () => {
    const frame = begun().field("X", "a\tb \xff");
    frame.body.set([0x62, 0x63]);
    expect(text(frame.message(NO_LENGTH, 2))).toBe(`${START}X: a\tb \xff\r\n${END}bc`);
  });

  it.each([0, 1, 9, 10, 11, 99, 100, 4096, 1_000_000])("has the number %i", (value) => {
    expect(text(begun().message(value, 0))).toBe(`${START}${value}\r\n${END}`);
  });

  it.each(["\0", "\x08", "\n", "\r", "\x1f", "\x7f", "\u0100", "\u{1f600}"])("has no %j", (character) => {
    expect(() => begun().field("X", `a${character}`)).toThrow("malformed header text");
    expect(() => begun().field(`X${character}`, "a")).toThrow("malformed header text");
  });

  it.each(["", ":", ":a", "a:", "a:b"])("has no name %j", (name) => {
    expect(() => begun().field(name, "a")).toThrow("malformed header name");
  });

  it("that a field does not fit leaves the body alone", () => {
    const frame = begun();
    frame.body.fill(0x62);
    expect(() => frame.field("X", "a".repeat(4 * MAX_RESPONSE_HEAD_BYTES))).toThrow(FULL);
    expect(text(frame.piece(3))).toBe("bbb");
  });

  it("of a status without a reason phrase keeps the blank before it", () => {
    expect(text(new ResponseFrame().begin(299).message(NO_LENGTH, 0))).toBe(`HTTP/1.1 299 \r\n${END}`);
  });
});

describe("the fields of a head", () => {
  const HEADERS = [["X", "a"]] as const;
  const kept = (): ResponseFrame => {
    const frame = begun().field("X", "a");
    frame.keep(200, "b/c", HEADERS, 3);
    return frame;
  };

  it("are kept for the next one with the same key", () => {
    const frame = kept();
    frame.message(10, 0);
    expect(frame.repeats(200, "b/c", HEADERS, 3)).toBe(true);
    expect(text(frame.message(2, 0))).toBe(`${START}X: a\r\n2\r\n${END}`);
    // The last one again, then one as long: it lies where they go.
    for (const length of [2, 7, 7]) {
      expect(frame.repeats(200, "b/c", HEADERS, 3)).toBe(true);
      expect(text(frame.message(length, 0))).toBe(`${START}X: a\r\n${length}\r\n${END}`);
    }
  });

  it("are not those of any other key, nor those of a head begun since", () => {
    expect(kept().repeats(201, "b/c", HEADERS, 3)).toBe(false);
    expect(kept().repeats(200, undefined, HEADERS, 3)).toBe(false);
    expect(kept().repeats(200, "b/c", [["X", "a"]], 3)).toBe(false);
    expect(kept().repeats(200, "b/c", HEADERS, 1)).toBe(false);
    expect(kept().begin(404).repeats(200, "b/c", HEADERS, 3)).toBe(false);
  });

  it("are restored after a chunk has overwritten them", () => {
    const frame = kept();
    frame.message(2, 0);
    frame.chunk(2);
    frame.repeats(200, "b/c", HEADERS, 3);
    expect(text(frame.message(2, 0))).toBe(`${START}X: a\r\n2\r\n${END}`);
  });
});

it.each([
  [1, "1"],
  [15, "f"],
  [16, "10"],
  [255, "ff"],
  [4096, "1000"],
])("a chunk of %i bytes has the size %s", (length, size) => {
  const frame = new ResponseFrame();
  frame.body.fill(0x61);
  expect(text(frame.chunk(length))).toBe(`${size}\r\n${"a".repeat(length)}\r\n`);
  expect(text(frame.piece(length))).toBe("a".repeat(length));
});
