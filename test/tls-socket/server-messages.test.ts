import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isInRange } from "tls-socket/ecdsa-range";
import { MAX_CERTIFICATES, MAX_ECDSA_SIGNATURE } from "tls-socket/limits";
import { Refused, ServerMessages } from "tls-socket/server-messages";
import {
  ALERT,
  BEYOND_THE_ORDER,
  certificateList,
  CHANGE_CIPHER_SPEC,
  HANDSHAKE,
  keyExchange,
  message,
  record,
  serverHello,
  serverHelloDone,
  SHA256_ECDSA,
  SHA256_RSA,
} from "../support/tls-attacker";

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
    const signed = keyExchange(SHA256_RSA, Buffer.alloc(256, 0x5a));
    const rsa = [serverHello({ suite: 0xc02f, session: 32 }), certificate, signed, serverHelloDone];
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

  const PROTOCOL = "The server does not keep to TLS.";
  const TOO_LONG = "The server's certificates are too long.";
  const withKey = (key: Buffer): Buffer[] => [...flight.slice(0, 2), record(HANDSHAKE, key)];

  it.each<[string, Buffer[], string]>([
    ["an alert", [record(ALERT, Buffer.from([1, 0]))], "The server refuses TLS."],
    ["an older version", [record(HANDSHAKE, serverHello({ version: 0x0302 }))], "The server has no TLS 1.2."],
    ["another suite", [record(HANDSHAKE, serverHello({ suite: 0x009c }))], PROTOCOL],
    ["compression", [record(HANDSHAKE, serverHello({ compression: 1 }))], PROTOCOL],
    ["a hello that is called data", [record(23, serverHello())], PROTOCOL],
    ["a key without a signature", withKey(keyExchange(0, Buffer.alloc(0))), PROTOCOL],
    ["a key signed with SHA-1", withKey(keyExchange(0x0203, signature)), PROTOCOL],
    ["an RSA signature for an ECDSA suite", withKey(keyExchange(SHA256_RSA, signature)), PROTOCOL],
    ["another curve", withKey(keyExchange(SHA256_ECDSA, signature, 25)), PROTOCOL],
    ["a signature out of range", withKey(keyExchange(SHA256_ECDSA, BEYOND_THE_ORDER)), PROTOCOL],
    [
      "a wish for a client's certificate",
      [...flight.slice(0, 3), record(HANDSHAKE, message(13, Buffer.alloc(8)))],
      "The server asks for a client's certificate.",
    ],
    ["a session ticket", [...flight, record(HANDSHAKE, message(4, Buffer.alloc(8)))], PROTOCOL],
    ["a long change of ciphers", [...flight, record(CHANGE_CIPHER_SPEC, Buffer.from([1, 1]))], PROTOCOL],
    ["something else as long as the change of ciphers", [...flight, record(HANDSHAKE, Buffer.from([1]))], PROTOCOL],
    ["data", [...flight, record(23, Buffer.alloc(8))], PROTOCOL],
    ["data after the change", [...flight, changed, record(23, Buffer.alloc(8))], PROTOCOL],
    ["half a message", [record(HANDSHAKE, serverHello().subarray(0, 20))], TOO_LONG],
    ["half a header", [record(HANDSHAKE, Buffer.from([2, 0]))], TOO_LONG],
  ])("is refused with %s", (_, records, problem) => {
    const messages = new ServerMessages();
    const last = records.pop()!;
    for (const bytes of records) messages.check(Uint8Array.from(bytes));
    expect(() => messages.check(Uint8Array.from(last))).toThrow(new Refused(problem));
    expect(messages.complete).toBe(false);
  });

  it("is refused when any byte is another one that says what its key is, or its signature", () => {
    const header = 4;
    const point = 65;
    const [kind, algorithm] = [header, header + 4 + point];
    for (const at of [0, 1, 2, 3, 4].map((byte) => kind + byte).concat([0, 1, 2, 3].map((byte) => algorithm + byte))) {
      const key = Buffer.from(ecdsa);
      key[at]! ^= 1;
      const messages = new ServerMessages();
      for (const bytes of flight.slice(0, 2)) messages.check(Uint8Array.from(bytes));
      expect(() => messages.check(Uint8Array.from(record(HANDSHAKE, key))), String(at)).toThrow(new Refused(PROTOCOL));
    }
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
  const isIt = (bytes: Uint8Array, order = ORDER): boolean => {
    try {
      return isInRange(bytes, order);
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

  it("has numbers that are not negative", () => {
    expect(isIt(of([0, 0x81], [1]), 0x1ffn)).toBe(true);
    expect(isIt(of([0x81], [1]), 0x1ffn)).toBe(false);
  });

  it("is no longer than one on P-384", () => {
    const long = (bytes: number): Uint8Array => of([1], Array<number>(bytes - 7).fill(1));
    for (const bytes of [MAX_ECDSA_SIGNATURE - 1, MAX_ECDSA_SIGNATURE, MAX_ECDSA_SIGNATURE + 1]) {
      expect(long(bytes)).toHaveLength(bytes);
      expect(isIt(long(bytes), 1n << 1_000n)).toBe(bytes <= MAX_ECDSA_SIGNATURE);
    }
  });
});
