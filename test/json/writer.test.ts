import fc, { runs } from "../support/property";
import { JsonWriter } from "json/writer";
import { describe, expect, it } from "vitest";

const json = new JsonWriter();
const buffer = new Uint8Array(16_384);
const utf8 = new TextDecoder("utf-8", { fatal: true });

function written(write: (json: JsonWriter) => void): string {
  json.begin(buffer);
  write(json);
  return utf8.decode(buffer.subarray(0, json.end()));
}

/** Any sequence of UTF-16 code units, lone surrogates included. */
const anyText = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xffff }),
      fc.integer({ min: 0, max: 0x7f }),
      fc.integer({ min: 0xd800, max: 0xdfff }),
    ),
  )
  .map((units) => String.fromCharCode(...units));

describe("texts", () => {
  it("are what JSON.parse reads back", () => {
    fc.assert(
      fc.property(anyText, (value) => {
        const text = written((json) => json.open().string("key", value).close());
        expect(JSON.parse(text)).toEqual({ key: value });
      }),
      { numRuns: runs(500) },
    );
  });

  it("hold every code point", () => {
    for (let start = 0; start <= 0x10ffff; start += 0x400) {
      const points = Array.from({ length: 0x400 }, (_, index) => start + index);
      const value = points.map((point) => String.fromCodePoint(point)).join("");
      expect(JSON.parse(written((json) => json.string(undefined, value)))).toBe(value);
    }
  });

  it("escape only what must be escaped", () => {
    expect(written((json) => json.string(undefined, '"\\\u0000\u001f /\u007fé€😀\ud800x\udc00'))).toBe(
      '"\\"\\\\\\u0000\\u001f /\u007fé€😀\\ud800x\\udc00"',
    );
  });
});

describe("numbers", () => {
  it("are exactly integer / 10 ** decimals", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.integer({ min: 0, max: 18 }), (integer, decimals) => {
        const text = written((json) => json.decimal(undefined, integer, decimals));
        expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/);
        const [whole = "", fraction = ""] = text.split(".");
        expect(fraction.length).toBeLessThanOrEqual(decimals);
        expect(BigInt(whole.replace("-", "") + fraction.padEnd(decimals, "0"))).toBe(BigInt(Math.abs(integer)));
        expect(text.startsWith("-")).toBe(integer < 0);
      }),
      { numRuns: runs(250) },
    );
  });

  it.each([
    [0, 0, "0"],
    [-0, 3, "0"],
    [7, 0, "7"],
    [-1, 0, "-1"],
    [5, 3, "0.005"],
    [-5, 3, "-0.005"],
    [3200, 3, "3.2"],
    [3000, 3, "3"],
    [100, 0, "100"],
    [10, 1, "1"],
    [-3276_8, 1, "-3276.8"],
    [99_123, 0, "99123"],
    [100_123, 0, "100123"],
    [999_123, 0, "999123"],
    [1_000_123, 0, "1000123"],
    [0, 6, "0"],
    [1, 6, "0.000001"],
    [1, 7, "0.0000001"],
    [-1, 7, "-0.0000001"],
    [5_000_000_000, 9, "5"],
    [Number.MAX_SAFE_INTEGER, 0, "9007199254740991"],
    [Number.MIN_SAFE_INTEGER, 3, "-9007199254740.991"],
  ])("%d with %d decimals is %s", (integer, decimals, text) => {
    expect(written((json) => json.decimal(undefined, integer, decimals))).toBe(text);
  });

  it("up to 2000 are written with all their digits, as integers and as thousandths", () => {
    for (let integer = 0; integer <= 2000; integer++) {
      expect(written((json) => json.integer(undefined, integer))).toBe(String(integer));
      expect(written((json) => json.decimal(undefined, integer, 3))).toBe(String(integer / 1000));
    }
  });

  it.each([NaN, Infinity, -Infinity, 0.5, 2 ** 53, -(2 ** 53)])("refuse %d", (value) => {
    expect(() => json.begin(buffer).integer(undefined, value)).toThrow(new RangeError("number is not a safe integer"));
  });
});

describe("documents", () => {
  /** Members and items of every kind, nested. */
  const tree = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      anyText,
      fc.boolean(),
      fc.maxSafeInteger(),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.stringMatching(/^[\w .-]*$/), tie("value"), { maxKeys: 4 }),
    ),
  }));

  function write(json: JsonWriter, key: string | undefined, value: unknown): void {
    if (typeof value === "string") json.string(key, value);
    else if (typeof value === "boolean") json.boolean(key, value);
    else if (typeof value === "number") json.integer(key, value);
    else if (Array.isArray(value)) {
      json.openArray(key);
      for (const item of value) write(json, undefined, item);
      json.closeArray();
    } else {
      json.open(key);
      for (const [member, item] of Object.entries(value as object)) write(json, member, item);
      json.close();
    }
  }

  it("of any shape are what JSON.parse reads back", () => {
    fc.assert(
      fc.property(tree.value, (value) => {
        expect(JSON.parse(written((json) => write(json, undefined, value)))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("fit a buffer of exactly their length, overflow one of a byte less, and write nothing outside it", () => {
    fc.assert(
      fc.property(tree.value, (value) => {
        const whole = written((json) => write(json, undefined, value));
        const length = Buffer.byteLength(whole);
        const memory = new Uint8Array(length + 16).fill(0xaa);
        json.begin(memory.subarray(8, 8 + length));
        write(json, undefined, value);
        expect(json.end()).toBe(length);
        expect(utf8.decode(memory.subarray(8, 8 + length))).toBe(whole);
        json.begin(memory.fill(0xaa).subarray(8, 7 + length));
        write(json, undefined, value);
        expect(() => json.end()).toThrow(RangeError);
        for (const outside of [...memory.subarray(0, 8), ...memory.subarray(7 + length)]) expect(outside).toBe(0xaa);
      }),
    );
  });

  it("release the buffer at the end, even if it was too small", () => {
    const released = new Uint8Array(16);
    json.begin(released).open().close().end();
    expect(json.null(undefined).fits).toBe(false);
    expect(utf8.decode(released)).toBe(`{}${"\0".repeat(14)}`);
    json.begin(released.subarray(0, 1)).open().close();
    expect(() => json.end()).toThrow(new RangeError("JSON document larger than its buffer"));
    expect(json.null(undefined).fits).toBe(false);
    expect(utf8.decode(released)).toBe(`{}${"\0".repeat(14)}`);
  });

  it("start clean after one that did not fit", () => {
    json.begin(new Uint8Array(3)).open().boolean("a", true).close();
    expect(() => json.end()).toThrow(RangeError);
    expect(written((json) => json.open().boolean("a", false).close())).toBe('{"a":false}');
  });
});

describe("numbers as they are", () => {
  it("are what JSON.parse reads back", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(JSON.parse(written((json) => json.number(undefined, value)))).toBe(value === 0 ? 0 : value);
      }),
    );
  });

  it.each([NaN, Infinity, -Infinity])("%s is not a number", (value) => {
    expect(() => written((json) => json.number(undefined, value))).toThrow(new RangeError("JSON number is not finite"));
  });
});

it("null is null", () => {
  expect(written((json) => json.open().null("a").null("b").close())).toBe('{"a":null,"b":null}');
});

it("`fits` reports whether it fits", () => {
  json.begin(new Uint8Array(4));
  expect(json.number(undefined, 1234).fits).toBe(true);
  json.begin(new Uint8Array(4));
  expect(json.number(undefined, 12345).fits).toBe(false);
});
describe("a name", () => {
  it("is written as it is", () => {
    const document = written((json) => json.open().integer("a", 1).open("b c é").boolean("", true).close().close());
    expect(document).toBe('{"a":1,"b c é":{"":true}}');
  });

  it("that does not fit is not written past the buffer's end, and end reports it", () => {
    const small = new Uint8Array(8);
    expect(() => json.begin(small).open().open("name").end()).toThrow(RangeError);
    expect(() => json.begin(small).string("name", "").end()).toThrow(RangeError);
    expect(json.begin(small).open("name").end()).toBe(8);
  });
});

it("an array of texts is escaped, and may be empty", () => {
  expect(written((json) => json.open().strings("a", ['"\\', "é", ""]).strings("b", []).null("c").close())).toBe(
    '{"a":["\\"\\\\","é",""],"b":[],"c":null}',
  );
});

it("an item that follows others begins with its comma", () => {
  const end = json.begin(buffer, true).open().integer("a", 1).close().end();
  expect(utf8.decode(buffer.subarray(0, end))).toBe(',{"a":1}');
});

describe("members that are ready", () => {
  it("can stand between others", () => {
    const members = '"b":1,"~ ":{}';
    expect(written((json) => json.open().members(members).members(members).null("d").close())).toBe(
      '{"b":1,"~ ":{},"b":1,"~ ":{},"d":null}',
    );
  });
});

describe("an object for the engine's own JSON", () => {
  it("is written as a member, without what is undefined", () => {
    const object = { a: "\ud800é\u0000", b: undefined, c: 52.695, d: { e: null, f: true } };
    const text = written((json) => json.open().value("x", object).integer("y", 1).close());
    expect(text).toBe(`{"x":${JSON.stringify(object)},"y":1}`);
  });
});
