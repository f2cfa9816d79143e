import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isInRange } from "tls-socket/ecdsa-range";
import { MAX_CERTIFICATES } from "tls-socket/limits";
import { Refused, ServerMessages } from "tls-socket/server-messages";
import {
  ALERT,
  certificateList,
  CHANGE_CIPHER_SPEC,
  HANDSHAKE,
  keyExchange,
  message,
  record,
  serverHello,
  serverHelloDone,
} from "../support/tls-attacker";

const SHA256_RSA = 0x0401;
const SHA256_ECDSA = 0x0403;
const signature = Buffer.from("3006020103020104", "hex");
const certificate = message(11, Buffer.from([0, 0, 0]));
const ecdsa = keyExchange(SHA256_ECDSA, signature);
const changed = record(CHANGE_CIPHER_SPEC, Buffer.from([1]));
const finished = record(HANDSHAKE, Buffer.alloc(40, 9));
const flight = [serverHello(), certificate, ecdsa, serverHelloDone].map((bytes) => record(HANDSHAKE, bytes));
const right = [...flight, changed, finished];

/** Whether all of it is taken; what is not must be refused, whatever it is. */
function takes(records: readonly Uint8Array[]): boolean {
  const messages = new ServerMessages();
  try {
    for (const bytes of records) messages.check(Uint8Array.from(bytes));
  } catch {
    return false;
  }
  return messages.complete;
}

describe("what a server says before it is known", () => {
  it("is taken in the one order there is, in one record or several", () => {
    expect(takes(right)).toBe(true);
    const together = record(HANDSHAKE, Buffer.concat([serverHello(), certificate, ecdsa, serverHelloDone]));
    expect(takes([together, changed, finished])).toBe(true);
    const rsa = [serverHello({ suite: 0xc02f }), certificate, keyExchange(SHA256_RSA, signature), serverHelloDone];
    expect(takes([...rsa.map((bytes) => record(HANDSHAKE, bytes)), changed, finished])).toBe(true);
  });

  it("is not taken when any of it is left out, comes twice, or changes places", () => {
    for (let at = 0; at < right.length; at++) {
      expect(takes(right.filter((_, index) => index !== at)), `without ${at}`).toBe(false);
      expect(takes([...right.slice(0, at), right[at]!, ...right.slice(at)]), `twice ${at}`).toBe(false);
      for (let other = 0; other < at; other++) {
        const swapped = [...right];
        [swapped[at], swapped[other]] = [right[other]!, right[at]!];
        expect(takes(swapped), `${other} and ${at}`).toBe(false);
      }
    }
  });

  it.each<[string, Buffer[]]>([
    ["an alert", [record(ALERT, Buffer.from([1, 0]))]],
    ["an older version", [record(HANDSHAKE, serverHello({ version: 0x0302 }))]],
    ["another suite", [record(HANDSHAKE, serverHello({ suite: 0x009c }))]],
    ["a key without a signature", [...flight.slice(0, 2), record(HANDSHAKE, keyExchange(0, Buffer.alloc(0)))]],
    ["a key signed with SHA-1", [...flight.slice(0, 2), record(HANDSHAKE, keyExchange(0x0203, signature))]],
    [
      "an RSA signature for an ECDSA suite",
      [...flight.slice(0, 2), record(HANDSHAKE, keyExchange(SHA256_RSA, signature))],
    ],
    ["another curve", [...flight.slice(0, 2), record(HANDSHAKE, keyExchange(SHA256_ECDSA, signature, 25))]],
    ["a wish for a client's certificate", [...flight.slice(0, 3), record(HANDSHAKE, message(13, Buffer.alloc(8)))]],
    ["a session ticket", [...flight, record(HANDSHAKE, message(4, Buffer.alloc(8)))]],
    ["a long change of ciphers", [...flight, record(CHANGE_CIPHER_SPEC, Buffer.from([1, 1]))]],
    ["data", [...flight, record(23, Buffer.alloc(8))]],
    ["data after the change", [...flight, changed, record(23, Buffer.alloc(8))]],
    ["half a message", [record(HANDSHAKE, serverHello().subarray(0, 20))]],
    ["half a header", [record(HANDSHAKE, Buffer.from([2, 0]))]],
  ])("is refused with %s", (_, records) => {
    const messages = new ServerMessages();
    const last = records.pop()!;
    for (const bytes of records) messages.check(Uint8Array.from(bytes));
    expect(() => messages.check(Uint8Array.from(last))).toThrow(Refused);
    expect(messages.complete).toBe(false);
  });

  it("has no more than MAX_CERTIFICATES, however small they are", () => {
    for (const size of [0, 1, 300]) {
      const take = (count: number): boolean => {
        const list = certificateList(Array<Buffer>(count).fill(Buffer.alloc(size)));
        return takes([flight[0]!, record(HANDSHAKE, list), ...right.slice(2)]);
      };
      expect(take(MAX_CERTIFICATES - 1)).toBe(true);
      expect(take(MAX_CERTIFICATES)).toBe(true);
      expect(take(MAX_CERTIFICATES + 1)).toBe(false);
    }
  });

  it("is refused when it is garbage", () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ minLength: 5, maxLength: 200 }), { maxLength: 6 }),
        (records) => !takes(records),
      ),
    );
  });
});

describe("an ECDSA signature", () => {
  const ORDER = 0x7fn;
  const of = (...numbers: number[][]): Uint8Array => {
    const content = numbers.flatMap((bytes) => [2, bytes.length, ...bytes]);
    return Uint8Array.from([0x30, content.length, ...content]);
  };
  const isIt = (bytes: Uint8Array): boolean => {
    try {
      return isInRange(bytes, ORDER);
    } catch {
      return false;
    }
  };

  it("has two numbers from one to the order less one", () => {
    expect(isIt(of([1], [0x7e]))).toBe(true);
    expect(isIt(of([0x7e], [1]))).toBe(true);
    for (const wrong of [
      of([0], [1]),
      of([1], [0]),
      of([0x7f], [1]),
      of([1], [0x7f]),
      of([0, 0x80], [1]),
      of([0x81], [1]),
      of([0, 1], [1]),
      of([1]),
      of([1], [1], [1]),
      of([], [1]),
      Uint8Array.from([...of([1], [1]), 0]),
      of([1], [1]).subarray(0, 7),
    ])
      expect(isIt(wrong), String(wrong)).toBe(false);
  });
});
