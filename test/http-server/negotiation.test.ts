import { describe, expect, it } from "vitest";
import { acceptsGzip, matchesEtag } from "http-server/answers";

describe("gzip", () => {
  it.each([
    [undefined, true],
    ["", false],
    ["gzip", true],
    ["x-gzip", true],
    ["GZIP", true],
    [" gzip ", true],
    ["gzip;q=0", false],
    ["gzip;q=0.000", false],
    ["gzip; q=0.001", true],
    ["gzip ;Q=1", true],
    ["gzip;level=9", true],
    ["gzip;q=none", false],
    ["br, gzip", true],
    ["br,\tgzip;q=0", false],
    ["gzip;q=0, *", false],
    ["*", true],
    ["*;q=0", false],
    ["*;q=0.5", true],
    ["br, *;q=0", false],
    ["*;q=0, gzip", true],
    ["br", false],
    ["gzipped", false],
    ["identity", false],
    [",,", false],
  ])("by %j is taken: %s", (value, taken) => {
    expect(acceptsGzip(value)).toBe(taken);
  });
});

describe("an etag", () => {
  const TAG = '"abc"';

  it.each([
    [undefined, false],
    ["", false],
    ["*", true],
    ['"abc"', true],
    ['W/"abc"', true],
    ['"abd"', false],
    ['"abcd"', false],
    ['"ABC"', false],
    ["abc", false],
    ['"x", "abc"', true],
    ['"x","abc"', true],
    ['"x"\t,\t\t"abc"', true],
    ['"x" , W/"abc"', true],
    ['"x", "y", "z"', false],
    // A comma inside, and quotation marks that do not close.
    ['"a,b", "abc"', true],
    ['"a,", "abc"', true],
    ['"x, "abc"', false],
    ['"abc', false],
    ['"x", "abc', false],
    ['"', false],
    ['x"abc"', false],
    ['"x""abc"', false],
    [', "abc"', true],
    [",", false],
    [" ", false],
    ["W/", false],
    ['w/"abc"', false],
    ['"abc"x, "y"', true],
  ])("is named by %j: %s", (value, named) => {
    expect(matchesEtag(value, TAG)).toBe(named);
    // Compared weakly.
    expect(matchesEtag(value, `W/${TAG}`)).toBe(named);
  });

  it("may itself end in W/", () => {
    expect(matchesEtag('"W/"', '"W/"')).toBe(true);
    expect(matchesEtag('"x"', '"xW/"')).toBe(false);
    expect(matchesEtag('""', '""')).toBe(true);
  });
});
