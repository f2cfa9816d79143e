import { describe, expect, it } from "vitest";
import type { ClientSocket } from "http-server/client-socket";
import { BROKEN_LINE, INCOMPLETE, Input, TOO_LONG } from "http-server/input";
import { INPUT_BYTES } from "http-server/limits";

/** A socket whose client has sent `sent`; `closed`: the platform has lost it. */
function socketWith(sent: string, closed = false): Pick<ClientSocket, "readable" | "read"> {
  let left = Buffer.from(sent, "latin1");
  return {
    readable: left.length,
    read(view): boolean {
      view.set(left.subarray(0, view.length));
      left = left.subarray(view.length);
      this.readable = left.length;
      return !closed;
    },
  };
}

const fill = (input: Input, sent: string, closed?: boolean): number =>
  input.fill(socketWith(sent, closed) as ClientSocket);

function inputOf(sent: string, start = 0): Input {
  const input = new Input();
  fill(input, sent);
  input.start = start;
  return input;
}

describe("a line", () => {
  it.each([
    ["abc\r\nd", 3],
    ["abcd\r\n", 4],
    ["abcde\r\n", TOO_LONG],
    ["\r\n", 0],
    ["abc", INCOMPLETE],
    ["abcd", INCOMPLETE],
    ["abcde", TOO_LONG],
    // Its CR alone has arrived.
    ["abc\r", INCOMPLETE],
    ["abcd\r", INCOMPLETE],
    ["abcde\r", TOO_LONG],
    ["", INCOMPLETE],
    ["\r", INCOMPLETE],
    ["\n", BROKEN_LINE],
    ["abc\n", BROKEN_LINE],
    ["a\rb", BROKEN_LINE],
    ["\rb", BROKEN_LINE],
    ["ab\rc\r\n", 4],
  ])("of at most four bytes in %j ends at %i", (sent, end) => {
    expect(inputOf(sent).lineEnd(4)).toBe(end);
    // The same behind bytes that have been read, whatever they are.
    for (const before of ["x", "\r", "\r\n"]) {
      const input = inputOf(before + sent, before.length);
      expect([before, input.lineEnd(4)]).toEqual([before, end < 0 ? end : end + before.length]);
    }
  });

  it("is not searched for beyond the bytes received", () => {
    const input = inputOf("abc\r\n");
    input.end = 3;
    expect(input.lineEnd(4)).toBe(INCOMPLETE);
    input.end = 4;
    expect(input.lineEnd(4)).toBe(INCOMPLETE);
  });

  it("is skipped with its line end", () => {
    const input = inputOf("abc\r\nd");
    input.skipLine(3);
    expect([input.start, input.empty, input.discard(), input.empty]).toEqual([5, false, 1, true]);
  });
});

describe("the buffer", () => {
  const text = ({ bytes, start, end }: Input): string => Buffer.from(bytes.subarray(start, end)).toString("latin1");

  it("reads as much as fits, after the unread bytes", () => {
    const input = inputOf("abcdef", 4);
    expect(fill(input, "x".repeat(INPUT_BYTES))).toBe(INPUT_BYTES - 2);
    expect([input.start, input.end]).toEqual([0, INPUT_BYTES]);
    expect(text(input)).toBe(`ef${"x".repeat(INPUT_BYTES - 2)}`);
  });

  it("restarts at the beginning once everything has been read", () => {
    const input = inputOf("abcdef", 6);
    expect(fill(input, "gh")).toBe(2);
    expect([input.start, input.end, text(input)]).toEqual([0, 2, "gh"]);
  });

  it("returns -1 when the connection has closed", () => {
    const input = inputOf("ab");
    expect(fill(input, "c", true)).toBe(-1);
    expect(text(input)).toBe("ab");
  });
});
