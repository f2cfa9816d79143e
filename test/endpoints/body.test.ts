import fc from "../support/property";
import { describe, expect, it, vi } from "vitest";
import { bodyType, parseBody } from "../../src/endpoints/body";
import { MAX_JSON_DEPTH } from "../../src/endpoints/limits";

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

describe("JSON", () => {
  const names = ["command", "state"];
  const parse = (text: string | Uint8Array): unknown =>
    parseBody("json", typeof text === "string" ? bytes(text) : text, names);

  it("is parsed like JSON.parse", () => {
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

  it("in invalid UTF-8 is rejected", () => {
    expect(parse(Uint8Array.from([...bytes('{"command":"'), 0xff, ...bytes('"}')]))).toBeUndefined();
    expect(parse(Uint8Array.from([...bytes('{"command":"'), 0xc3]))).toBeUndefined();
  });

  it("nested to the limit is accepted; deeper is rejected before parsing", () => {
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

  it("is parsed with the list of keys to keep, so that a client cannot exhaust XS's keys", () => {
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

  it.each(["cmd=%", "cmd=%2", "cmd=%zz", "cmd=%C3", "%ff=on", "cmd=on&x=%"])("%j is rejected", (text) => {
    expect(parse(text)).toBeUndefined();
  });

  it("parse the output of URLSearchParams", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (cmd, state) => {
        expect(parse(new URLSearchParams({ cmd, state }).toString())).toEqual({ cmd, state });
      }),
    );
  });
});
