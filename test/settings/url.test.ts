/** Addresses of services. */
import { describe, expect, it } from "vitest";
import { MAX_HOST, MAX_PORT } from "../../src/settings/limits";
import { isUrl, urlOf, type ServiceUrl } from "../../src/settings/url";

describe("an address", () => {
  it.each<[string, ServiceUrl]>([
    ["http://ntfy.home", { tls: false, host: "ntfy.home", port: 80, path: "" }],
    ["https://192.168.1.9:8443/a/b?c=d&e", { tls: true, host: "192.168.1.9", port: 8443, path: "/a/b?c=d&e" }],
    ["https://a/", { tls: true, host: "a", port: 443, path: "/" }],
    ["http://a:1", { tls: false, host: "a", port: 1, path: "" }],
    ["http://a/b:c/d", { tls: false, host: "a", port: 80, path: "/b:c/d" }],
    [`http://a:${MAX_PORT}/`, { tls: false, host: "a", port: MAX_PORT, path: "/" }],
    [`http://${"a".repeat(MAX_HOST)}`, { tls: false, host: "a".repeat(MAX_HOST), port: 80, path: "" }],
  ])("%j is read", (text, expected) => {
    expect(urlOf(text)).toEqual(expected);
    expect(isUrl(text)).toBe(true);
  });

  it.each([
    "a",
    "ftp://a",
    "HTTP://a",
    "http:/a",
    "http://",
    "http:///a",
    "https:///a",
    "http://a:",
    "http://a:0",
    `http://a:${MAX_PORT + 1}`,
    "http://a:080",
    "http://a:-1",
    "http://a:1.5",
    "http://a:8:9",
    "http://a:x",
    "http://u:p@a",
    "http://u@a",
    "http://-a",
    "http://a?b",
    "http://a..b",
    // Long enough for a host without its beginning.
    "abcdefghost.example",
    `http://${"a".repeat(MAX_HOST + 1)}`,
  ])("%j is none", (text) => {
    expect(urlOf(text)).toBeUndefined();
    expect(isUrl(text)).toBe(false);
  });

  it("may be left empty, which is no address", () => {
    expect(isUrl("")).toBe(true);
    expect(urlOf("")).toBeUndefined();
  });
});
