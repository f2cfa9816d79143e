import { headerBytes } from "http-server/header-bytes";
import { expect, it } from "vitest";

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

it("encodes each line as sent", () => {
  expect(
    text(
      headerBytes([
        ["Allow", "GET, POST"],
        ["X", ""],
      ]),
    ),
  ).toBe("Allow: GET, POST\r\nX: \r\n");
  expect(text(headerBytes([["X", " ~"]]))).toBe("X:  ~\r\n");
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
  expect(() => headerBytes([[name, value]])).toThrow(
    new RangeError(`malformed header ${name === "" || name.includes(":") ? "name" : "text"}`),
  );
});
