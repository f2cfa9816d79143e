import { expect, it } from "vitest";
import { Rendered } from "../../src/endpoints/rendered";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const copied = (rendered: Rendered, state: number | undefined): string => {
  const into = new Uint8Array(10);
  return new TextDecoder().decode(into.subarray(0, rendered.serve(into, state)));
};

it("returns the text for the same state only", () => {
  const rendered = new Rendered();
  expect(copied(rendered, 0)).toBe("");
  const buffer = bytes("one and more");
  rendered.keep(buffer, 3, 1);
  buffer.fill(0);
  expect([copied(rendered, 1), copied(rendered, 0), copied(rendered, 2)]).toEqual(["one", "", ""]);
  rendered.keep(bytes("other"), 5, 2);
  expect([copied(rendered, 2), copied(rendered, 1)]).toEqual(["other", ""]);
});

it("keeps nothing without a revision", () => {
  const rendered = new Rendered();
  rendered.keep(bytes("one"), 3, undefined);
  expect(copied(rendered, undefined)).toBe("");
});
