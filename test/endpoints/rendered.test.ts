import { ResponseFrame, NO_LENGTH } from "http-server/response-frame";
import { describe, expect, it, vi } from "vitest";
import { Rendered } from "../../src/endpoints/rendered";
import { Random } from "../fuzz/random";

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

describe("in the buffer of a server", () => {
  /** What the client is sent, by the document's length. */
  const sent = (frame: ResponseFrame, length: number): string =>
    new TextDecoder().decode(frame.message(NO_LENGTH, length).slice(-length));
  const frameOf = (): ResponseFrame => new ResponseFrame().begin(200);
  const answer = (frame: ResponseFrame, document: Rendered, text: string, state: number): string => {
    const length = frame.render((into) => {
      const kept = document.serve(into, state);
      if (kept) return kept;
      into.set(bytes(text));
      document.keep(into, text.length, state);
      return text.length;
    });
    return sent(frame, length);
  };

  it("a document that is still there is not copied, and one that is not is", () => {
    const frame = frameOf();
    const [one, other] = [new Rendered(), new Rendered()];
    const set = vi.spyOn(Uint8Array.prototype, "set");
    const copies = (act: () => string): [text: string, copies: number] => {
      set.mockClear();
      return [act(), set.mock.calls.length];
    };
    const of = (document: Rendered, text: string) => copies(() => answer(frame, document, text, 1));
    expect(of(one, "one document")).toEqual(["one document", 1]);
    for (let again = 0; again < 3; again++) expect(of(one, "")).toEqual(["one document", 0]);
    expect(of(other, "another")).toEqual(["another", 1]);
    expect(of(one, "")).toEqual(["one document", 1]);
    expect(of(one, "")).toEqual(["one document", 0]);
    set.mockRestore();
  });

  it("is as it was rendered, whatever else has been there since", () => {
    const random = new Random(3);
    const frames = [frameOf(), frameOf()];
    const documents = [new Rendered(), new Rendered(undefined, 4), new Rendered()];
    const texts = ["a short one", "another one, which is longer", "0"];
    const states = [0, 0, 0];
    for (let turn = 0; turn < 5_000; turn++) {
      const frame = random.of(frames);
      const at = random.below(3);
      const document = documents[at] as Rendered;
      switch (random.below(9)) {
        case 0:
          frame.render((into) => into.fill(0x2e, 0, 40) && 40);
          break;
        case 1:
          frame.piece(9).fill(0x2d);
          break;
        case 2:
          frame.piece(9);
          frame.chunk(9);
          break;
        case 3:
          frame.bodyBuffer.fill(0x2a);
          break;
        case 4:
          expect(() =>
            frame.render((into) => {
              into.fill(0x2b);
              throw new Error("no document");
            }),
          ).toThrow("no document");
          break;
        case 5:
          states[at]!++;
          texts[at] = `${texts[at]!.slice(0, 20)} ${states[at]}`;
          break;
        default:
          expect(answer(frame, document, texts[at] as string, states[at] as number)).toBe(texts[at]);
      }
    }
  });

  it("that has been revised in place is copied", () => {
    const frame = frameOf();
    const document = new Rendered(1);
    answer(frame, document, "before", 1);
    const length = frame.render((into) => {
      expect(document.serve(into, 2)).toBe(0);
      document.replace(0, 6, bytes("after!"), 6);
      return document.revised(into, 2);
    });
    expect(sent(frame, length)).toBe("after!");
  });
});
