import { describe, expect, it } from "vitest";
import type { Broker } from "../../src/mqtt/broker";
import { Incoming } from "../../src/mqtt/incoming";
import { MAX_MESSAGE } from "../../src/mqtt/limits";
import type { Target } from "../../src/mqtt/topics";

const TARGET: Target = { kind: "request", name: "" };

/** The bytes of one message wait in it, as in the platform's client, which gives as many as the buffer takes. */
class Waiting {
  taken = 0;
  readonly bytes: Uint8Array;

  constructor(length: number) {
    this.bytes = Uint8Array.from({ length }, (_, at) => at % 251);
  }

  read(into: Uint8Array): void {
    into.set(this.bytes.subarray(this.taken, this.taken + into.length));
    this.taken += into.length;
  }
}

function receive(length: number, part: number, target: Target | undefined) {
  const waiting = new Waiting(length);
  const incoming = new Incoming(target, false);
  for (let from = 0; from < length; from += part) {
    expect(incoming.complete).toBe(false);
    const count = Math.min(part, length - from);
    incoming.take(waiting as unknown as Broker, count, from + count < length);
    expect(waiting.taken).toBe(from + count);
  }
  return { incoming, waiting };
}

describe("a message", () => {
  it.each([1, 7, 100, 255, 256, 257, 1_000])("is complete in parts of %i bytes", (part) => {
    for (const length of [1, 2, MAX_MESSAGE - 1, MAX_MESSAGE]) {
      const { incoming, waiting } = receive(length, part, TARGET);
      expect(incoming.complete).toBe(true);
      expect(incoming.payload).toEqual(waiting.bytes);
    }
  });

  it.each([1, 200, 256, 257, 100_000])(
    "of more than MAX_MESSAGE is drained and has no payload: in parts of %i bytes",
    (part) => {
      for (const length of [MAX_MESSAGE + 1, 2 * MAX_MESSAGE, 10_000]) {
        const { incoming } = receive(length, part, TARGET);
        expect(incoming.complete).toBe(true);
        expect(incoming.payload).toBeUndefined();
      }
    },
  );

  it("for a foreign topic is also drained", () => {
    const { incoming } = receive(MAX_MESSAGE + 1, 100, undefined);
    expect([incoming.complete, incoming.target]).toEqual([true, undefined]);
  });

  it("without a payload is complete after its only part", () => {
    const incoming = new Incoming(TARGET, false);
    incoming.take(new Waiting(0) as unknown as Broker, 0, false);
    expect([incoming.complete, incoming.payload?.length]).toEqual([true, 0]);
  });
});
