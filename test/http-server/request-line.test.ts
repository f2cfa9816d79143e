import { describe, expect, it } from "vitest";
import { MALFORMED_REQUEST_LINE, MALFORMED_TARGET, NO_PROXY, UNKNOWN_VERSION } from "http-server/problems";
import { parseRequestLine, type RequestLineParser } from "http-server/request-line";

class Line implements RequestLineParser {
  readonly head = this;
  method = "";
  path = "";
  query = "";
  targetHost: string | undefined = undefined;
  minor = -1;
  kept = 0;
  texts = 0;

  constructor(readonly most = Infinity) {}

  text(bytes: Uint8Array, start: number, end: number): string {
    this.texts++;
    return Buffer.from(bytes.subarray(start, end)).toString("latin1");
  }

  keep(bytes: number): string | undefined {
    this.kept += bytes;
    return bytes > this.most ? "full" : undefined;
  }
}

/** Something stands before the line, and behind it what a request goes on with. */
function parse(text: string, { before = "x: /?\r\n", after = "\r\nHost: b?/ HTTP/1.1\r\n", line = new Line() } = {}) {
  const bytes = Buffer.from(before + text + after, "latin1");
  const problem = parseRequestLine(line, bytes, before.length, before.length + text.length);
  return { line, problem };
}

describe("a request line", () => {
  it.each(["GET", "POST", "OPTIONS", "HEAD", "PUT", "DELETE", "PATCH"])(
    "%s is reported without allocating a string",
    (method) => {
      const { line, problem } = parse(`${method} /a HTTP/1.1`);
      expect([problem, line.method, line.path, line.query, line.minor, line.targetHost]).toEqual([
        undefined,
        method,
        "/a",
        "",
        1,
        undefined,
      ]);
      // Path and query.
      expect(line.texts).toBe(2);
      expect(line.kept).toBe(method.length + 2);
    },
  );

  it.each(["BREW", "get", "GETS", "GE", "!#$%&'*+-.^_`|~0aZ"])("%s is a method like any other", (method) => {
    const { line, problem } = parse(`${method} /a HTTP/1.1`);
    expect([problem, line.method, line.texts]).toEqual([undefined, method, 3]);
  });

  it.each([0, 1, 9])("HTTP/1.%i is accepted, with its minor number", (minor) => {
    expect(parse(`GET / HTTP/1.${minor}`)).toMatchObject({ problem: undefined, line: { minor } });
  });

  it.each(["0.9", "2.0", "9.1"])("HTTP/%s is another protocol", (version) => {
    expect(parse(`GET / HTTP/${version}`).problem).toBe(UNKNOWN_VERSION);
  });

  it.each([
    "",
    "GET",
    "GET ",
    "GET /",
    "GET / ",
    "GET  HTTP/1.1",
    "GET /HTTP/1.1",
    "GET\t/ HTTP/1.1",
    "GET:/ HTTP/1.1",
    "GET /\tHTTP/1.1",
    "GET /\x7fHTTP/1.1",
    " / HTTP/1.1",
    "GET / HTTP/1.",
    "GET / HTTP/1.10",
    "GET / HTTP/11.1",
    "GET / http/1.1",
    "GET / HTTP:1.1",
    "GET / HTTP/1,1",
    "GET / HTTP/1:1",
    "GET / HTTP/x.1",
    "GET / HTTP/:.1",
    "GET / HTTP//.1",
    "GET / HTTP/1.x",
    "GET / HTTP/1./",
    "GET / HTTP/1.:",
    "GET / HTTP/1 1",
  ])("%j is malformed", (text) => {
    expect(parse(text).problem).toBe(MALFORMED_REQUEST_LINE);
  });

  it("that keeps too much is rejected with the result of `keep`", () => {
    expect(parse("GET /123456 HTTP/1.1", { line: new Line(10) }).problem).toBeUndefined();
    expect(parse("GET /1234567 HTTP/1.1", { line: new Line(10) }).problem).toBe("full");
  });
});

describe("its target", () => {
  it.each([
    ["/", "/", ""],
    ["/?", "/", ""],
    ["/a/b?c=d", "/a/b", "c=d"],
    ["/a?b?c", "/a", "b?c"],
    ["//b/c", "//b/c", ""],
  ])("%s: path and query", (target, path, query) => {
    expect(parse(`GET ${target} HTTP/1.1`).line).toMatchObject({ path, query, targetHost: undefined });
    // Nothing with a question mark follows.
    expect(parse(`GET ${target} HTTP/1.1`, { after: "\r\n" }).line).toMatchObject({ path, query });
  });

  it.each([
    ["http://b", "b", "/", ""],
    ["http://b/", "b", "/", ""],
    ["https://b", "b", "/", ""],
    ["HTTPS://b.example:81/a?c", "b.example:81", "/a", "c"],
    ["HtTp://[fe80::1]:80/a", "[fe80::1]:80", "/a", ""],
    ["http://b?c", "b", "/", "c"],
  ])("%s: absolute", (target, targetHost, path, query) => {
    expect(parse(`GET ${target} HTTP/1.1`)).toMatchObject({ problem: undefined, line: { targetHost, path, query } });
  });

  it.each([
    "*",
    "a",
    "a/b",
    "?a",
    "http:/b",
    "http://",
    "https://",
    "http:///a",
    "http://?a",
    "ftp://b/",
    "coap://b",
    "gopher:/b",
    "http://a@b/",
    "http",
  ])("%s is malformed", (target) => {
    expect(parse(`GET ${target} HTTP/1.1`).problem).toBe(MALFORMED_TARGET);
  });

  it("of OPTIONS may be *, but not **", () => {
    expect(parse("OPTIONS * HTTP/1.1")).toMatchObject({ problem: undefined, line: { path: "*", query: "" } });
    expect(parse("OPTIONS ** HTTP/1.1").problem).toBe(MALFORMED_TARGET);
  });

  it("of CONNECT is always rejected: it is for proxies", () => {
    for (const target of ["b:443", "/", "*"]) expect(parse(`CONNECT ${target} HTTP/1.1`).problem).toBe(NO_PROXY);
  });
});
