import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { isShallow } from "json/shallow";
import { isUtf8 } from "json/utf8";
import { bodyType, parseBody } from "../../src/resources/body";
import { MAX_JSON_DEPTH } from "../../src/resources/limits";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("bodyType", () => {
  it.each([
    ["application/json", "json"],
    ["Application/JSON", "json"],
    ["application/json; charset=utf-8", "json"],
    ["application/json;charset=UTF-8", "json"],
    ["  application/json ;", "json"],
    ["application/x-www-form-urlencoded", "form"],
    ["APPLICATION/X-WWW-FORM-URLENCODED;charset=UTF-8", "form"],
    ["application/jsonp", undefined],
    ["application/ld+json", undefined],
    ["text/json", undefined],
    ["text/plain; application/json", undefined],
    ["application/json, text/plain", undefined],
    ["application / json", undefined],
    ["json", undefined],
    [";", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("of %j is %j", (contentType, type) => {
    expect(bodyType(contentType)).toBe(type);
  });
});

describe("isUtf8", () => {
  const strict = new TextDecoder("utf-8", { fatal: true });
  const decodes = (bytes: Uint8Array): boolean => {
    try {
      strict.decode(bytes);
      return true;
    } catch {
      return false;
    }
  };

  it("agrees with a strict decoder on every sequence of the bytes that matter", () => {
    const edges = [0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf];
    const leads = [0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff, ...edges];
    for (const a of leads)
      for (const b of [...edges, undefined])
        for (const c of [0x61, 0x80, 0xbf, 0xc2, undefined])
          for (const d of [0x61, 0x80, 0xbf, undefined]) {
            const sequence = Uint8Array.from([a, b, c, d].filter((byte) => byte !== undefined));
            expect(isUtf8(sequence), Buffer.from(sequence).toString("hex")).toBe(decodes(sequence));
          }
  });

  it("agrees with a strict decoder on anything", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.string({ unit: "binary" }), fc.nat(60), (noise, text, cut) => {
        const whole = bytes(text);
        for (const sample of [noise, whole, whole.subarray(0, cut), Uint8Array.from([...whole, ...noise])])
          expect(isUtf8(sample)).toBe(decodes(sample));
      }),
    );
  });
});

describe("isShallow", () => {
  const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

  it("counts arrays and objects", () => {
    expect(isShallow(bytes(nested(3)), 3)).toBe(true);
    expect(isShallow(bytes(nested(4)), 3)).toBe(false);
    expect(isShallow(bytes('{"a":[{"b":1}]}'), 3)).toBe(true);
    expect(isShallow(bytes('{"a":[{"b":1}]}'), 2)).toBe(false);
    expect(isShallow(bytes("[[],[],[],{}]"), 2)).toBe(true);
  });

  it("takes no notice of brackets in texts, however these end", () => {
    expect(isShallow(bytes('["[[[[","\\"[[[[","\\\\"]'), 1)).toBe(true);
    expect(isShallow(bytes('["\\\\",[]]'), 1)).toBe(false);
  });
});

describe("JSON", () => {
  const names = ["command", "state"];
  const parse = (text: string | Uint8Array): unknown =>
    parseBody("json", typeof text === "string" ? bytes(text) : text, names);

  it("is taken as JSON.parse reads it", () => {
    expect(parse(' {"command":"\\u0063\\ud83d\\ude00é","state":true}\r\n')).toEqual({ command: "c😀é", state: true });
    expect(parse('{"command":"a","command":"b"}')).toEqual({ command: "b" });
    expect(parse("{}")).toEqual({});
  });

  it("may begin with a byte order mark", () => {
    expect(parse('\ufeff{"command":"a"}')).toEqual({ command: "a" });
  });

  it.each([
    ["", "empty"],
    ["   ", "blank"],
    ["[]", "an array"],
    ["null", "null"],
    ['"text"', "a text"],
    ["1", "a number"],
    ["true", "a boolean"],
    ["{", "cut short"],
    ['{"command":"a"', "cut short"],
    ['{"command":"a"}}', "followed by more"],
    ['{"command":"a",}', "with a comma too many"],
    ["{command:1}", "a name without quotation marks"],
    ["{'command':1}", "apostrophes"],
    ['{"command":01}', "a number with a leading zero"],
    ['{"command":"\u0001"}', "a control character"],
    ['{"command":NaN}', "no JSON value"],
    ["command=on", "a form"],
  ])("%j is refused: %s", (text) => {
    expect(parse(text)).toBeUndefined();
  });

  it("that is not UTF-8 is refused", () => {
    expect(parse(Uint8Array.from([...bytes('{"command":"'), 0xff, ...bytes('"}')]))).toBeUndefined();
    expect(parse(Uint8Array.from([...bytes('{"command":"'), 0xc3]))).toBeUndefined();
  });

  it("nested to the bound is taken, deeper is refused before it is parsed", () => {
    const text = (depth: number): string => `{"x":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
    expect(MAX_JSON_DEPTH).toBe(8);
    expect(parse(text(MAX_JSON_DEPTH - 1))).toBeDefined();
    expect(parse(text(MAX_JSON_DEPTH))).toBeDefined();
    const parseJson = vi.spyOn(JSON, "parse");
    expect(parse(text(MAX_JSON_DEPTH + 1))).toBeUndefined();
    expect(parse("[".repeat(256))).toBeUndefined();
    expect(parseJson).not.toHaveBeenCalled();
    parseJson.mockRestore();
  });

  it("is parsed with the names to keep, so that a client cannot use up the keys of XS", () => {
    const parseJson = vi.spyOn(JSON, "parse");
    parse('{"command":"a","invented":1}');
    expect(parseJson.mock.calls[0]?.[1]).toBe(names);
    parseJson.mockRestore();
  });

  it("of any bytes never throws", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 256 }), (body) => void parseBody("json", body, names)));
    fc.assert(fc.property(fc.json(), (text) => void parse(text)));
  });
});

describe("forms", () => {
  const parse = (text: string): unknown => parseBody("form", bytes(text), ["cmd", "state"]);

  it.each([
    ["cmd=on", { cmd: "on" }],
    ["state=off&cmd=on", { state: "off", cmd: "on" }],
    ["cmd=on&cmd=off", { cmd: "off" }],
    ["cmd=%6Fn", { cmd: "on" }],
    ["c%6dd=on", { cmd: "on" }],
    ["cmd=+on+", { cmd: " on " }],
    ["cmd=%2Bon", { cmd: "+on" }],
    ["cmd=a=b", { cmd: "a=b" }],
    ["cmd=", { cmd: "" }],
    ["cmd", { cmd: "" }],
    ["&&cmd=on&", { cmd: "on" }],
    ["=on&cmd=1", { cmd: "1" }],
    ["cmd=%C3%A9", { cmd: "é" }],
    ["cmd=é", { cmd: "é" }],
    ["cmd=on&__proto__=1&other=2", { cmd: "on" }],
    ["other=on", {}],
    ["&", {}],
  ])("%j is %j", (text, members) => {
    expect(parse(text)).toEqual(members);
  });

  it.each(["cmd=%", "cmd=%2", "cmd=%zz", "cmd=%C3", "%ff=on", "cmd=on&x=%"])("%j is refused", (text) => {
    expect(parse(text)).toBeUndefined();
  });

  it("read what URLSearchParams writes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (cmd, state) => {
        expect(parse(new URLSearchParams({ cmd, state }).toString())).toEqual({ cmd, state });
      }),
    );
  });
});
