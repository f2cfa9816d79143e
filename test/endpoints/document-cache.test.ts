import { expect, it } from "vitest";
import { DocumentCache } from "../../src/endpoints/document-cache";
import { replyCached } from "../../src/endpoints/replies";
import { FakeExchange } from "../support/http/fake-exchange";
import { DIALECT } from "../support/fakes/dialect";
import { fakeParts } from "../support/fakes/fake-parts";

/** Longer than a document, and not at the start of its memory, as the server's is. */
const buffer = (): Uint8Array => new Uint8Array(40).subarray(3, 30).fill(0x2e);
const bytes = (text: string): Uint8Array => {
  const into = buffer();
  into.set(new TextEncoder().encode(text));
  return into;
};
const served = (cache: DocumentCache, state: number): string => {
  const into = buffer();
  return new TextDecoder().decode(into.subarray(0, cache.serve(into, state)));
};

it("is served in the state that it was rendered in, and in no other", () => {
  const cache = new DocumentCache();
  expect(served(cache, 0)).toBe("");
  const rendered = bytes("one and more");
  cache.store(rendered, 3, 1);
  rendered.fill(0);
  expect([served(cache, 1), served(cache, 1), served(cache, 0), served(cache, 2)]).toEqual(["one", "one", "", ""]);
  cache.store(bytes("other"), 5, 2);
  expect([served(cache, 2), served(cache, 1)]).toEqual(["other", ""]);
});

it("is gone once another state has been asked for", () => {
  const cache = new DocumentCache();
  cache.store(bytes("one"), 3, 1);
  expect([served(cache, 2), served(cache, 1)]).toEqual(["", ""]);
});

it("is not served if it may change at any time", () => {
  const cache = new DocumentCache();
  cache.store(bytes("one"), 3, NaN);
  expect(served(cache, NaN)).toBe("");
});

it("is rendered anew after a rendering that failed", () => {
  const cache = new DocumentCache();
  const parts = fakeParts();
  let state = 1;
  let fails = false;
  const ask = (): unknown => {
    const exchange = new FakeExchange({});
    replyCached(
      { device: parts, pack: parts.monitor.pack, dialect: DIALECT },
      exchange,
      cache,
      () => state,
      (json) => {
        json.integer("state", state);
        if (fails) throw new Error("no document");
      },
    );
    return exchange.json;
  };
  expect(ask()).toEqual({ state: 1 });
  fails = true;
  expect(ask()).toEqual({ state: 1 });
  state = 2;
  expect(ask).toThrow("no document");
  state = 1;
  expect(ask).toThrow("no document");
  fails = false;
  expect(ask()).toEqual({ state: 1 });
});
