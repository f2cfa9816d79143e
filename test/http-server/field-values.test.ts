import { describe, expect, it } from "vitest";
import {
  ASKS_CLOSE,
  ASKS_KEEP_ALIVE,
  CODING_BAD,
  CODING_CHUNKED,
  CODING_UNKNOWN,
  codingOf,
  connectionOptions,
  contentLengthOf,
  isAuthority,
  LONGEST,
} from "http-server/field-values";
import { MAX_CONTENT_LENGTH_DIGITS } from "http-server/limits";

/** What `read` says of `value`, with more before and behind it that a value could go on with. */
function of<Answer>(
  read: (bytes: Uint8Array, start: number, end: number) => Answer,
  value: string,
  after = "]41:",
): Answer {
  const before = "[%";
  return read(Buffer.from(before + value + after, "latin1"), before.length, before.length + value.length);
}

describe("an authority", () => {
  it.each([
    "b",
    "bms.local",
    "a-b_c~!$&'()*+,;=9",
    "b:",
    "b:8",
    "b:65535",
    "%41",
    "%0a%A0b",
    "a%20",
    "[::1]",
    "[fe80::1]:80",
    "[::ffff:10.0.0.1]",
    "10.0.0.1:80",
  ])("is %s", (value) => {
    expect(of(isAuthority, value)).toBe(true);
    expect(of(isAuthority, value, "")).toBe(true);
  });

  it.each([
    "",
    ":80",
    "b:655350",
    "b:8x",
    "b:80:80",
    "b c",
    "b 41",
    "b@41",
    "b/",
    "u@b",
    "b\xe9",
    "%",
    "%4",
    "b%4",
    "%4g",
    "%g4",
    "%gg",
    "%4@",
    "%`4",
    "[::@]",
    "b%%41",
    "[",
    "[]",
    "[::1",
    "[::g]",
    "[::/]",
    "[::1]80",
    "[::1]]",
    "::1]",
    "b]",
  ])("is not %j", (value) => {
    // Whatever follows.
    for (const after of ["]41:", "]", "]:", "1]", "1]:", "1:", "41:", ""])
      expect([after, of(isAuthority, value, after)]).toEqual([after, false]);
  });
});

describe("a Connection", () => {
  const BOTH = ASKS_CLOSE | ASKS_KEEP_ALIVE;
  it.each([
    ["", 0],
    ["close", ASKS_CLOSE],
    ["CLOSE", ASKS_CLOSE],
    ["keep-alive", ASKS_KEEP_ALIVE],
    ["Upgrade", 0],
    ["closed", 0],
    ["keep-aliv", 0],
    ["upgrade, close", ASKS_CLOSE],
    ["close,\tkeep-alive ,", BOTH],
    [", ,keep-alive", ASKS_KEEP_ALIVE],
    ["close keep-alive", 0],
  ])("%j asks for %i", (value, options) => {
    expect(of(connectionOptions, value, ", close")).toBe(options);
  });
});

describe("a Transfer-Encoding", () => {
  it.each([
    ["chunked", CODING_CHUNKED],
    ["CHUNKED ", CODING_CHUNKED],
    ["gzip, chunked", CODING_UNKNOWN],
    ["gzip", CODING_BAD],
    ["chunked, chunked", CODING_BAD],
    ["chunked,", CODING_BAD],
    [",chunked", CODING_BAD],
    ["", CODING_BAD],
  ])("%j is %i", (value, coding) => {
    expect(of(codingOf, value, ", chunked")).toBe(coding);
  });
});

it("a length has MAX_CONTENT_LENGTH_DIGITS digits and nothing else", () => {
  expect(["0", "5", "007", "2147483647", "2147483648"].map((value) => of(contentLengthOf, value, "1"))).toEqual([
    0,
    5,
    7,
    LONGEST,
    LONGEST,
  ]);
  expect(of(contentLengthOf, "9".repeat(MAX_CONTENT_LENGTH_DIGITS))).toBe(LONGEST);
  expect(of(contentLengthOf, "0".repeat(MAX_CONTENT_LENGTH_DIGITS + 1))).toBe(-1);
  for (const value of ["", "-1", "+1", "1 ", "0x1", "1.0", "/", ":"])
    expect([value, of(contentLengthOf, value)]).toEqual([value, -1]);
});
