import { gzipSync } from "node:zlib";
import {
  MAX_CHUNK_EXTENSION_BYTES,
  MAX_DRAIN_BYTES,
  MAX_EMPTY_LINES,
  MAX_HEADER_BYTES,
  MAX_HEADER_COUNT,
  MAX_HEADER_LINE_BYTES,
  MAX_KEPT_BYTES,
  MAX_REQUEST_LINE_BYTES,
} from "http-server/limits";
import { expect } from "vitest";
import { FILE_TEXT, LIMIT } from "./http-app";
import type { ParsedResponse } from "./http-responses";

/** Table of requests to the application of http-app.ts and the expected responses. */
export interface HttpCase {
  name: string;
  send: string;
  /** The status of each response, 1xx included. */
  status: readonly number[];
  /** Expected content of the last response's body. */
  body?: string;
  /** Header fields of the last response; undefined: must be absent. */
  headers?: Record<string, string | undefined>;
  /** The connection must be closed afterwards (otherwise it must stay open). */
  closed?: boolean;
  methods?: readonly string[];
}

const HOST = "Host: a\r\n";
const get = (path: string, ...lines: string[]): string => `GET ${path} HTTP/1.1\r\n${HOST}${fields(lines)}\r\n`;
const fields = (lines: readonly string[]): string => lines.map((line) => `${line}\r\n`).join("");
const post = (body: string, ...lines: string[]): string =>
  `POST /echo HTTP/1.1\r\n${HOST}${fields(lines)}Content-Length: ${body.length}\r\n\r\n${body}`;
const chunked = (body: string, ...lines: string[]): string =>
  `POST /echo HTTP/1.1\r\n${HOST}${fields(lines)}Transfer-Encoding: chunked\r\n\r\n${body}`;

const ok = (name: string, send: string, more: Partial<HttpCase> = {}): HttpCase => ({
  name,
  send,
  status: [200],
  ...more,
});
const bad = (name: string, send: string, status = 400, more: Partial<HttpCase> = {}): HttpCase => ({
  name,
  send,
  status: [status],
  closed: true,
  headers: { connection: "close", "content-type": "application/json" },
  body: '{"success":false,"error":"',
  ...more,
});

const requestLine = (length: number): string => {
  const path = "/".padEnd(length - "GET  HTTP/1.1".length, "p");
  return `GET ${path} HTTP/1.1\r\n${HOST}\r\n`;
};
const headerLine = (length: number): string => get("/about", "X-Long: ".padEnd(length, "v"));
/** A head with `count` header lines, including Host. */
const headerCount = (count: number): string =>
  get("/about", ...Array.from({ length: count - 1 }, (_, index) => `X-${index}: v`));
/** A head whose header lines total `total` bytes. */
const headerBytes = (total: number): string => {
  const lines: string[] = [];
  let left = total - "Host: a".length;
  while (left > 0) {
    const length = left > 1000 ? 500 : left > 600 ? left - 500 : left;
    lines.push("X-Total: ".padEnd(length, "v"));
    left -= length;
  }
  return get("/about", ...lines);
};
/** A head of which the server stores `total` bytes: method, target, Host value and a cookie. */
const keptBytes = (total: number): string => get("/about", `Cookie: ${"c".repeat(total - "GET/abouta".length)}`);

const VALID: readonly HttpCase[] = [
  ok("the least a request can be", "GET /about HTTP/1.1\r\nHost: a\r\n\r\n", {
    headers: { "content-type": "application/json", connection: undefined, "transfer-encoding": undefined },
    body: '"method":"GET","path":"/about","query":""',
  }),
  ok("query", get("/about?a=1&b=%20?c"), { body: '"path":"/about","query":"a=1&b=%20?c"' }),
  ok("empty query", get("/about?"), { body: '"path":"/about","query":""' }),
  ok("field names in any case", "GET /about HTTP/1.1\r\nhOST: a\r\nCOOKIE: b\r\n\r\n", { body: '"cookie":"b"' }),
  ok("no blank after the colon", "GET /about HTTP/1.1\r\nHost:a\r\nCookie:b\r\n\r\n", { body: '"cookie":"b"' }),
  ok("blanks around a value", get("/about", "Cookie: \t b c \t "), { body: '"cookie":"b c"' }),
  ok("empty value", get("/about", "Cookie:"), { body: '"cookie":""' }),
  ok("value of nothing but blanks", get("/about", "Cookie:  \t "), { body: '"cookie":""' }),
  ok("a colon in a value", get("/about", "Origin: http://b:8080"), { body: '"origin":"http://b:8080"' }),
  ok("bytes above ASCII in a field that is not kept", get("/about", "X-Name: \xe9\xff")),
  ok("all characters of a token as a name", get("/about", "!#$%&'*+-.^_`|~09azAZ: v")),
  ok("name longer than any known one", get("/about", "Access-Control-Request-Headers: x")),
  ok("list fields on several lines", get("/about", "Accept-Encoding: br", "X: y", "Accept-Encoding: gzip"), {
    body: '"accept-encoding":"br, gzip"',
  }),
  ok("cookies on several lines", get("/about", "Cookie: a=1", "Cookie: b=2", "Cookie: c=3"), {
    body: '"cookie":"a=1; b=2; c=3"',
  }),
  ok("proxies on several lines", get("/about", "X-Forwarded-For: 192.0.2.1", "X-Forwarded-For: 192.0.2.2"), {
    body: '"x-forwarded-for":"192.0.2.1, 192.0.2.2"',
  }),
  ok(
    "all kept fields",
    get("/about", "Authorization: Bearer t", "Content-Type: x/y", "Sec-Fetch-Site: none", 'If-None-Match: "x"'),
    {
      body: '"content-type":"x/y","host":"a","if-none-match":"\\"x\\"","sec-fetch-site":"none"}',
    },
  ),
  ok("host with port", "GET /about HTTP/1.1\r\nHost: bms.local:8080\r\n\r\n", { body: '"host":"bms.local:8080"' }),
  ok("host as IPv6", "GET /about HTTP/1.1\r\nHost: [fe80::1]:80\r\n\r\n", { body: '"host":"[fe80::1]:80"' }),
  ok("absolute target", "GET http://b.example:81/about?q HTTP/1.1\r\nHost: a\r\n\r\n", {
    body: '"path":"/about","query":"q","headers":{"host":"b.example:81"}',
  }),
  ok("absolute target, https, in capitals", "GET HTTPS://b/about HTTP/1.1\r\nHost: a\r\n\r\n", { body: '"host":"b"' }),
  ok("absolute target without a path", "GET http://b HTTP/1.1\r\nHost: a\r\n\r\n", { status: [404] }),
  ok("absolute target with a query alone", "GET http://b?/about HTTP/1.1\r\nHost: a\r\n\r\n", { status: [404] }),
  ok("OPTIONS", "OPTIONS /about HTTP/1.1\r\nHost: a\r\n\r\n", {
    status: [204],
    headers: { allow: "GET, POST, OPTIONS", "content-length": undefined },
  }),
  ok("OPTIONS *", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", { status: [204] }),
  ok("a method nobody knows is the handler's", "BREW /about HTTP/1.1\r\nHost: a\r\n\r\n", { body: '"method":"BREW"' }),
  ok("a method is case-sensitive", "get /about HTTP/1.1\r\nHost: a\r\n\r\n", { body: '"method":"get"' }),
  ok("wrong method", get("/echo"), { status: [405], headers: { allow: "POST", "content-length": "0" } }),
  ok("HTTP/1.2 is taken as 1.1", "GET /about HTTP/1.2\r\nHost: a\r\n\r\n"),
  ok("empty lines before the request", `${"\r\n".repeat(MAX_EMPTY_LINES)}${get("/about")}`),
  ok("no body in a response", get("/nothing"), { headers: { "content-length": "0" } }),
  ok("204", get("/empty"), { status: [204], headers: { "content-length": undefined, "transfer-encoding": undefined } }),
  ok("the largest rendered body", get("/full"), { headers: { "content-length": "4096" } }),
  ok("stream of unknown length", get("/stream"), {
    headers: { "transfer-encoding": "chunked", "content-length": undefined },
    body: "one,two,three",
  }),
  ok("stream of known length", get("/length"), { headers: { "content-length": "13" }, body: "one,two,three" }),
  ok("a handler that throws", get("/throw"), {
    status: [500],
    closed: true,
    headers: { connection: "close" },
    body: "Internal error.",
  }),
];

export const HEAD: readonly HttpCase[] = [
  ...["/about", "/full", "/stream", "/length", "/file", "/nothing", "/missing", "/empty"].map((path) =>
    ok(`HEAD ${path}`, `HEAD ${path} HTTP/1.1\r\nHost: a\r\n\r\n${get("/length")}`, {
      status: [path === "/missing" ? 404 : path === "/empty" ? 204 : 200, 200],
      methods: ["HEAD", "GET"],
      body: "one,two,three",
    }),
  ),
  bad("HEAD with an error", "HEAD / HTTP/1.1\r\n\r\n", 400, { methods: ["HEAD"], body: "" }),
];

const PERSISTENCE: readonly HttpCase[] = [
  ok("1.1", get("/about")),
  ok("1.1 close", get("/about", "Connection: close"), { closed: true, headers: { connection: "close" } }),
  ok("1.1 close in a list", get("/about", "Connection: foo, CLOSE ,bar"), { closed: true }),
  ok("1.1 close on a second line", get("/about", "Connection: foo", "Connection: close"), { closed: true }),
  ok("1.1 keep-alive", get("/about", "Connection: keep-alive"), { headers: { connection: undefined } }),
  ok("1.1 close and keep-alive", get("/about", "Connection: keep-alive, close"), { closed: true }),
  ok("1.1 an option that begins like close", get("/about", "Connection: closed")),
  ok("1.0", "GET /about HTTP/1.0\r\n\r\n", { closed: true, headers: { connection: "close" } }),
  ok("1.0 keep-alive", "GET /about HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", {
    headers: { connection: "keep-alive" },
  }),
  ok("1.0 close", "GET /about HTTP/1.0\r\nConnection: close\r\n\r\n", { closed: true }),
  ok("1.0 stream of unknown length", "GET /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", {
    closed: true,
    headers: { connection: "close", "transfer-encoding": undefined, "content-length": undefined },
    body: "one,two,three",
  }),
  ok("1.0 file", "GET /file HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", { headers: { connection: "keep-alive" } }),
  ok("1.0 HEAD of a stream of unknown length", "HEAD /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", {
    headers: { connection: "keep-alive" },
    methods: ["HEAD"],
  }),
  ok("1.0 stream of known length", "GET /length HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", {
    headers: { connection: "keep-alive", "content-length": "13" },
  }),
  ok("pipeline", get("/about") + post("two") + get("/stream") + chunked("4\r\nfour\r\n0\r\n\r\n") + get("/file"), {
    status: [200, 200, 200, 200, 200],
  }),
  ok("nothing after close", get("/length", "Connection: close") + get("/about"), {
    closed: true,
    body: "one,two,three",
  }),
  ok("nothing after an error", `GET / HTTP/1.1\r\n\r\n${get("/about")}`, { status: [400], closed: true }),
];

export const FILES: readonly HttpCase[] = [
  ok("file", get("/file"), {
    headers: {
      "content-encoding": "gzip",
      etag: '"abc"',
      vary: "Accept-Encoding",
      "cache-control": "no-cache",
      "content-length": `${gzipSync(FILE_TEXT).length}`,
    },
  }),
  ...['"abc"', 'W/"abc"', "*", '"x", "abc"', 'W/"x" , W/"abc"', '"a,bc","abc"', ',,"abc"'].map((tags) =>
    ok(`If-None-Match: ${tags}`, get("/file", `If-None-Match: ${tags}`), {
      status: [304],
      headers: { etag: '"abc"', vary: "Accept-Encoding", "cache-control": "no-cache", "content-length": undefined },
    }),
  ),
  ...['"ab"', '"abcd"', "abc", '"ABC"', "", '"x"', '"abc', 'x"abc"'].map((tags) =>
    ok(`If-None-Match: ${tags}`, get("/file", `If-None-Match: ${tags}`)),
  ),
  ok("If-None-Match on two lines", get("/file", 'If-None-Match: "x"', 'If-None-Match: "abc"'), { status: [304] }),
  ok("If-None-Match with HEAD", 'HEAD /file HTTP/1.1\r\nHost: a\r\nIf-None-Match: "abc"\r\n\r\n', {
    status: [304],
    methods: ["HEAD"],
  }),
  ok("If-None-Match is for GET and HEAD", 'PUT /file HTTP/1.1\r\nHost: a\r\nIf-None-Match: "abc"\r\n\r\n'),
  ...["gzip", "GZip", "x-gzip", "*", "br, gzip", "gzip;q=0.5", "gzip; q=1", "br;q=1.0, *;q=0.1", "gzip;q=0.001"].map(
    (value) => ok(`Accept-Encoding: ${value}`, get("/file", `Accept-Encoding: ${value}`)),
  ),
  ...["", "identity", "br", "gzip;q=0", "gzip; Q=0.000", "*;q=0", "gzip;q=0, *", "deflate, identity;q=0.5"].map(
    (value) =>
      ok(`Accept-Encoding: ${value}`, get("/file", `Accept-Encoding: ${value}`), {
        status: [406],
        headers: { vary: "Accept-Encoding", "content-encoding": undefined },
      }),
  ),
];

const BODIES: readonly HttpCase[] = [
  ok("fixed length", post("hello"), { body: "hello" }),
  ok("length with leading zeros", `POST /echo HTTP/1.1\r\n${HOST}Content-Length: 005\r\n\r\nhello`, { body: "hello" }),
  ok("no body", `POST /echo HTTP/1.1\r\n${HOST}\r\n`, { headers: { "content-length": "0" } }),
  ok("length 0", post(""), { headers: { "content-length": "0" } }),
  ok("body one under the limit", post("x".repeat(LIMIT - 1)), { headers: { "content-length": `${LIMIT - 1}` } }),
  ok("body at the limit", post("x".repeat(LIMIT)), { headers: { "content-length": `${LIMIT}` } }),
  ok("body one over the limit", post("x".repeat(LIMIT + 1)), { status: [413], body: "too large" }),
  ok("body far over the limit", `POST /echo HTTP/1.1\r\n${HOST}Content-Length: 123456789012345\r\n\r\n`, {
    status: [413],
    closed: true,
    headers: { connection: "close" },
  }),
  ok("chunked", chunked("5\r\nhello\r\n0\r\n\r\n"), { body: "hello" }),
  ok("several chunks", chunked("1\r\nh\r\n3\r\nell\r\n01\r\no\r\n00\r\n\r\n"), { body: "hello" }),
  ok("size in hexadecimal of both cases", chunked(`a\r\n${"0123456789"}\r\nB\r\n${"0123456789a"}\r\n0\r\n\r\n`), {
    body: "01234567890123456789a",
  }),
  ok("no chunk but the last", chunked("0\r\n\r\n"), { headers: { "content-length": "0" } }),
  ok("chunk extensions", chunked('5;a=b;c="d;e"\r\nhello\r\n0;x\r\n\r\n'), { body: "hello" }),
  ok("blanks before an extension", chunked("5 \t;a\r\nhello\r\n0\r\n\r\n"), { body: "hello" }),
  ok("trailers", chunked("5\r\nhello\r\n0\r\nX-Sum: 1\r\nContent-Length: 3\r\n\r\n") + get("/length"), {
    status: [200, 200],
  }),
  ok("chunks at the limit", chunked(`80\r\n${"x".repeat(128)}\r\n80\r\n${"x".repeat(128)}\r\n0\r\n\r\n`), {
    headers: { "content-length": `${LIMIT}` },
  }),
  ok("chunks one over the limit", chunked(`80\r\n${"x".repeat(128)}\r\n81\r\n${"x".repeat(129)}\r\n0\r\n\r\n`), {
    closed: true,
    status: [413],
  }),
  ok(
    "Transfer-Encoding in capitals",
    `POST /echo HTTP/1.1\r\n${HOST}TRANSFER-ENCODING: CHUNKED\r\n\r\n1\r\nx\r\n0\r\n\r\n`,
  ),
  ok("a body nobody asks for", `POST /private HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\nhello${get("/length")}`, {
    status: [401, 200],
    body: "one,two,three",
  }),
  ok(
    "a chunked body nobody asks for",
    `POST /private HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n${get("/length")}`,
    {
      status: [401],
      closed: true,
      headers: { connection: "close" },
    },
  ),
  ...[-1, 0, 1].map((more) => {
    const length = MAX_DRAIN_BYTES + more;
    const closed = more > 0;
    return ok(
      `a body nobody asks for, ${more} over what is dropped`,
      `POST /private HTTP/1.1\r\n${HOST}Content-Length: ${length}\r\n\r\n${"x".repeat(length)}`,
      {
        status: [401],
        closed,
        headers: { connection: closed ? "close" : undefined },
      },
    );
  }),
  ok("a body too long to be dropped", `POST /private HTTP/1.1\r\n${HOST}Content-Length: 1000000\r\n\r\n`, {
    status: [401],
    closed: true,
    headers: { connection: "close" },
  }),
  ok("GET with a body", get("/about", "Content-Length: 5").concat("hello", get("/length")), { status: [200, 200] }),
  ok(
    "chunk extensions at their limit",
    chunked(`5;${"e".repeat(MAX_CHUNK_EXTENSION_BYTES - 1)}\r\nhello\r\n0\r\n\r\n`),
  ),
  bad("chunk extensions over their limit", chunked(`5;${"e".repeat(MAX_CHUNK_EXTENSION_BYTES)}\r\nhello\r\n0\r\n\r\n`)),
  bad("chunk extensions over their limit together", chunked("1;eeeeeeeeeeeeeeeeeeeeeeeeeeeeeee\r\nx\r\n".repeat(9))),
  bad("no chunk size at all", chunked("\r\n\r\n")),
  bad("an extension without a chunk size", chunked(";x\r\n\r\n")),
  bad("something for the CR after chunk data", chunked("5\r\nhelloX\n0\r\n\r\n")),
  ok(
    "trailers that are no fields of the request",
    chunked("5\r\nhello\r\n0\r\nHost: b\r\nCookie: cccccccc\r\nExpect: x\r\n\r\n"),
    {
      body: "hello",
    },
  ),
  bad("LF after a body that ends in CR", `${post("abc\r")}\n${get("/about")}`, 400, { status: [200, 400] }),
  bad("empty chunk size", chunked("\r\nhello\r\n0\r\n\r\n")),
  bad("chunk size with a sign", chunked("+5\r\nhello\r\n0\r\n\r\n")),
  bad("negative chunk size", chunked("-5\r\nhello\r\n0\r\n\r\n")),
  bad("chunk size with 0x", chunked("0x5\r\nhello\r\n0\r\n\r\n")),
  bad("chunk size that overflows", chunked("100000000000000005\r\nhello\r\n0\r\n\r\n")),
  ok("chunk size with seven digits", chunked("0000005\r\nhello\r\n0000000\r\n\r\n"), { body: "hello" }),
  bad("chunk size with eight digits", chunked("00000005\r\nhello\r\n0\r\n\r\n")),
  bad("blank before a chunk size", chunked(" 5\r\nhello\r\n0\r\n\r\n")),
  bad("blank after a chunk size", chunked("5 \r\nhello\r\n0\r\n\r\n")),
  bad("no hexadecimal chunk size", chunked("g\r\nhello\r\n0\r\n\r\n")),
  bad("chunk size with an underscore", chunked("1_0\r\nhello\r\n0\r\n\r\n")),
  bad("chunk size line that ends in LF", chunked("5\nhello\r\n0\r\n\r\n")),
  bad("CR without LF after a chunk size", chunked("5\rXhello\r\n0\r\n\r\n")),
  bad("LF in a chunk extension", chunked("5;a\nhello\r\n0\r\n\r\n")),
  bad("NUL in a chunk extension", chunked("5;a\0b\r\nhello\r\n0\r\n\r\n")),
  bad("chunk data longer than its size", chunked("4\r\nhello\r\n0\r\n\r\n")),
  bad("chunk data without CRLF", chunked("5\r\nhello0\r\n\r\n")),
  bad("chunk data that ends in LF", chunked("5\r\nhello\n0\r\n\r\n")),
  bad("CR without LF after chunk data", chunked("5\r\nhello\rX0\r\n\r\n")),
  bad("trailer with a blank before the colon", chunked("0\r\nX : 1\r\n\r\n")),
  bad("trailer with a control character", chunked("0\r\nX: \x01\r\n\r\n")),
  bad("folded trailer", chunked("0\r\nX: 1\r\n y\r\n\r\n")),
  bad("trailer line that ends in LF", chunked("0\r\nX: 1\n\r\n")),
  bad("trailers over the limit", chunked(`0\r\n${"X: 1\r\n".repeat(MAX_HEADER_COUNT)}\r\n`), 431),
];

const EXPECTATIONS: readonly HttpCase[] = [
  ok("with the body at once", post("hello", "Expect: 100-continue"), { body: "hello" }),
  ok("in capitals", post("hello", "Expect: 100-CONTINUE"), { body: "hello" }),
  ok("refused before the body", `POST /private HTTP/1.1\r\n${HOST}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n`, {
    status: [401],
    closed: true,
    headers: { connection: "close" },
  }),
  ok("of a body too large", `POST /echo HTTP/1.1\r\n${HOST}Expect: 100-continue\r\nContent-Length: 257\r\n\r\n`, {
    status: [413],
    closed: true,
  }),
  ok("without a body", get("/about", "Expect: 100-continue")),
  ok("in HTTP/1.0 it is ignored", "GET /about HTTP/1.0\r\nExpect: 100-continue\r\n\r\n", { closed: true }),
  ok("in HTTP/1.0 any is ignored", "GET /about HTTP/1.0\r\nExpect: the-worst\r\n\r\n", { closed: true }),
  bad("another one", post("hello", "Expect: 200-ok"), 417),
  bad("two of them", post("hello", "Expect: 100-continue, 100-continue"), 417),
  bad("an empty one", post("hello", "Expect:"), 417),
];

export const LIMITS: readonly HttpCase[] = [
  ok("request line one under", requestLine(MAX_REQUEST_LINE_BYTES - 1), { status: [404] }),
  ok("request line at the limit", requestLine(MAX_REQUEST_LINE_BYTES), { status: [404] }),
  bad("request line one over", requestLine(MAX_REQUEST_LINE_BYTES + 1), 414),
  bad("request line far over", requestLine(5000), 414),
  bad("request line that never ends", "G".repeat(300), 414),
  ok("header line one under", headerLine(MAX_HEADER_LINE_BYTES - 1)),
  ok("header line at the limit", headerLine(MAX_HEADER_LINE_BYTES)),
  bad("header line one over", headerLine(MAX_HEADER_LINE_BYTES + 1), 431),
  bad("header name that never ends", `GET / HTTP/1.1\r\n${"N".repeat(1100)}`, 431),
  bad("blanks before a value that never end", `GET / HTTP/1.1\r\nN:${" ".repeat(1100)}`, 431),
  ok("header count one under", headerCount(MAX_HEADER_COUNT - 1)),
  ok("header count at the limit", headerCount(MAX_HEADER_COUNT)),
  bad("header count one over", headerCount(MAX_HEADER_COUNT + 1), 431),
  ok("header bytes one under", headerBytes(MAX_HEADER_BYTES - 1)),
  ok("header bytes at the limit", headerBytes(MAX_HEADER_BYTES)),
  bad("header bytes one over", headerBytes(MAX_HEADER_BYTES + 1), 431),
  ok("kept bytes one under", keptBytes(MAX_KEPT_BYTES - 1)),
  ok("kept bytes at the limit", keptBytes(MAX_KEPT_BYTES)),
  bad("kept bytes one over", keptBytes(MAX_KEPT_BYTES + 1), 431),
  bad(
    "kept bytes over the limit by joining",
    get("/about", `Cookie: ${"c".repeat(300)}`, `Cookie: ${"d".repeat(300)}`),
    431,
  ),
  ok("kept bytes at the limit with the separator of two lines", get("/about", `Cookie: ${"c".repeat(362)}`, "Cookie:")),
  bad(
    "kept bytes one over with the separator of two lines",
    get("/about", `Cookie: ${"c".repeat(363)}`, "Cookie:"),
    431,
  ),
  ok("empty lines one under", `${"\r\n".repeat(MAX_EMPTY_LINES - 1)}${get("/about")}`),
  bad("empty lines one over", `${"\r\n".repeat(MAX_EMPTY_LINES + 1)}${get("/about")}`),
  ok("digits of a length at the limit", `POST /echo HTTP/1.1\r\n${HOST}Content-Length: 000000000000005\r\n\r\nhello`),
  bad("digits of a length one over", `POST /echo HTTP/1.1\r\n${HOST}Content-Length: 0000000000000005\r\n\r\nhello`),
];

export const MALFORMED: readonly HttpCase[] = [
  bad("no version", "GET /\r\n\r\n"),
  bad("no target", "GET HTTP/1.1\r\nHost: a\r\n\r\n"),
  bad("no method", " / HTTP/1.1\r\nHost: a\r\n\r\n"),
  bad("two blanks after the method", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"),
  bad("two blanks after the target", "GET /  HTTP/1.1\r\nHost: a\r\n\r\n"),
  bad("blank after the version", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n"),
  bad("tab for a blank", "GET\t/\tHTTP/1.1\r\nHost: a\r\n\r\n"),
  bad("blank in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"),
  bad("method that is no token", "GE(T / HTTP/1.1\r\nHost: a\r\n\r\n"),
  bad("method with a byte above ASCII", "G\xc9T / HTTP/1.1\r\nHost: a\r\n\r\n"),
  bad("target with a byte above ASCII", "GET /\xe9 HTTP/1.1\r\nHost: a\r\n\r\n"),
  bad("target with NUL", "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n"),
  bad("target with DEL", "GET /\x7f HTTP/1.1\r\nHost: a\r\n\r\n"),
  bad("target with a fragment", "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n"),
  bad("target without a slash", "GET about HTTP/1.1\r\nHost: a\r\n\r\n"),
  bad("absolute target of another scheme", "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n"),
  bad("absolute target without a host", "GET http:///about HTTP/1.1\r\nHost: a\r\n\r\n"),
  bad("absolute target with user information", "GET http://u@a/about HTTP/1.1\r\nHost: a\r\n\r\n"),
  bad("* with another method", "GET * HTTP/1.1\r\nHost: a\r\n\r\n"),
  bad("CONNECT", "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", 501),
  bad("protocol in small letters", "GET / http/1.1\r\nHost: a\r\n\r\n"),
  bad("another protocol", "GET / HTCPCP/1.0\r\nHost: a\r\n\r\n"),
  bad("version without minor", "GET / HTTP/1\r\nHost: a\r\n\r\n"),
  bad("version with two digits", "GET / HTTP/1.10\r\nHost: a\r\n\r\n"),
  bad("major version with two digits", "GET / HTTP/11.1\r\nHost: a\r\n\r\n"),
  bad("HTTP/2.0", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
  bad("HTTP/0.9", "GET / HTTP/0.9\r\nHost: a\r\n\r\n", 505),
  bad("the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
  bad("a TLS hello", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"),
  bad("LF after the request line", "GET / HTTP/1.1\nHost: a\r\n\r\n"),
  bad("LF after a header line", "GET / HTTP/1.1\r\nHost: a\n\r\n"),
  bad("LF for the last line", "GET / HTTP/1.1\r\nHost: a\r\n\n"),
  bad("LF before the request line", "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
  bad("CR in the request line", "GET /\rx HTTP/1.1\r\nHost: a\r\n\r\n"),
  bad("CR without LF after the request line", "GET / HTTP/1.1\rHost: a\r\n\r\n"),
  bad("CR in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n"),
  bad("two CR", "GET / HTTP/1.1\r\nHost: a\r\r\n\r\n"),
  bad("CR for the last line", "GET / HTTP/1.1\r\nHost: a\r\n\rX"),
  bad("folded line", "GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n", 400, { body: "Folded header line." }),
  bad("two LF after the request line", "GET / HTTP/1.1\n\nHost: a\r\n\r\n"),
  bad("something for the CR after the request line", "GET / HTTP/1.1X\nHost: a\r\n\r\n"),
  bad("two LF after a header line", "GET / HTTP/1.1\r\nHost: a\n\nX: y\r\n\r\n"),
  bad("NUL for the CR after a header line", "GET / HTTP/1.1\r\nHost: a\0\nX: y\r\n\r\n"),
  bad("something for the last CR", "GET / HTTP/1.1\r\nHost: a\r\nX\n"),
  bad("line folded with a tab", "GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n\tb\r\n\r\n"),
  bad("blank before the first field", "GET / HTTP/1.1\r\n Host: a\r\n\r\n"),
  bad("blank before the colon", "GET / HTTP/1.1\r\nHost : a\r\n\r\n"),
  bad("tab before the colon", "GET / HTTP/1.1\r\nHost\t: a\r\n\r\n"),
  bad("empty name", "GET / HTTP/1.1\r\nHost: a\r\n: v\r\n\r\n"),
  bad("no colon", "GET / HTTP/1.1\r\nHost: a\r\nnothing\r\n\r\n"),
  bad("name that is no token", "GET / HTTP/1.1\r\nHost: a\r\nX(Y): v\r\n\r\n"),
  bad("name with a byte above ASCII", "GET / HTTP/1.1\r\nHost: a\r\nX\xe9: v\r\n\r\n"),
  bad("NUL in a name", "GET / HTTP/1.1\r\nHost: a\r\nX\0: v\r\n\r\n"),
  ...[0, 1, 8, 11, 12, 27, 31, 127].map((code) =>
    bad(
      `control character ${code} in a value`,
      `GET / HTTP/1.1\r\nHost: a\r\nX: a${String.fromCharCode(code)}b\r\n\r\n`,
    ),
  ),
  bad("NUL in a kept value", "GET / HTTP/1.1\r\nHost: a\r\nCookie: a\0b\r\n\r\n"),
  bad("no Host", "GET / HTTP/1.1\r\n\r\n"),
  bad("no Host with an absolute target", "GET http://a/ HTTP/1.1\r\n\r\n"),
  bad("two Hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"),
  bad("two Hosts in HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n"),
  ...[
    "",
    "a b",
    "a,b c",
    "a/b",
    "u@a",
    "a:b",
    "a:123456",
    "[::1",
    "[]",
    "[::g]",
    "[::1]x",
    ":80",
    "a%2",
    "a%zz",
    "a\x80",
    "a?",
  ].map((host) => bad(`Host: ${host}`, `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`)),
  ...[
    "Authorization: a",
    "Content-Type: a",
    "Content-Length: 0",
    "Expect: 100-continue",
    "Origin: a",
    "Sec-Fetch-Site: a",
  ].map((line) => bad(`twice ${line}`, get("/about", line, line))),
  ...[
    "",
    "+5",
    "-5",
    "5 5",
    "5,5",
    "5, 5",
    "0x5",
    "5.0",
    "5e0",
    " 5 x",
    "five",
    "5;",
    "18446744073709551621",
    "\xb2",
  ].map((length) =>
    bad(`Content-Length: ${length}`, `POST /echo HTTP/1.1\r\n${HOST}Content-Length: ${length}\r\n\r\nhello`),
  ),
  bad("Content-Length then Transfer-Encoding", chunked("0\r\n\r\n", "Content-Length: 5")),
  bad(
    "Transfer-Encoding then Content-Length",
    get("/echo", "Transfer-Encoding: chunked", "Content-Length: 0").concat("0\r\n\r\n"),
  ),
  bad("Transfer-Encoding in HTTP/1.0", "POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
  bad("two Transfer-Encodings", get("/echo", "Transfer-Encoding: chunked", "Transfer-Encoding: chunked")),
  bad("an unknown coding before chunked", get("/echo", "Transfer-Encoding: gzip, chunked"), 501),
  ...[
    "chunked, chunked",
    "chunked, gzip",
    "chunked,",
    ",chunked",
    "",
    "gzip",
    "identity",
    "xchunked",
    "chunked;q=1",
    "chun ked",
    '"chunked"',
    "chunked\x0b",
  ].map((coding) => bad(`Transfer-Encoding: ${coding}`, get("/echo", `Transfer-Encoding: ${coding}`))),
];

/** All cases by group. */
export const GROUPS: readonly (readonly [string, readonly HttpCase[]])[] = [
  ["valid requests", VALID],
  ["HEAD", HEAD],
  ["persistence", PERSISTENCE],
  ["files", FILES],
  ["bodies", BODIES],
  ["expectations", EXPECTATIONS],
  ["limits", LIMITS],
  ["malformed requests", MALFORMED],
];

/** The statuses of all responses, and of the last one whatever the row specifies. */
export function expectAnswers(row: HttpCase, received: readonly ParsedResponse[]): void {
  expect(received.map(({ status }) => status)).toEqual(row.status);
  const last = received.at(-1);
  for (const [name, value] of Object.entries(row.headers ?? {}))
    expect([name, last?.headers[name]]).toEqual([name, value]);
  if (row.body !== undefined) expect(last?.body.toString()).toContain(row.body);
}
