import { headerLines } from "http-server/header-lines";
import { expect, it } from "vitest";

it("each line is as sent", () => {
  expect(
    headerLines([
      ["Allow", "GET, POST"],
      ["X", ""],
    ]),
  ).toBe("Allow: GET, POST\r\nX: \r\n");
  expect(headerLines([["X", " ~"]])).toBe("X:  ~\r\n");
});

it.each([
  ["", "a"],
  ["X: y", "a"],
  ["X", "a\r\nY: b"],
  ["X", "a\nb"],
  ["X\r", "a"],
  ["X", "\u007f"],
  ["X", "é"],
  ["X", "\u001f"],
])("%j: %j cannot be a header line", (name, value) => {
  expect(() => headerLines([[name, value]])).toThrow(
    new RangeError(`malformed header ${name === "" || name.includes(":") ? "name" : "text"}`),
  );
});
