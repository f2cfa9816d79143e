import fc, { runs } from "../support/property";
import { describe, expect, it } from "vitest";
import { endOfName, isName, lengthOf, MAX_NAME_BYTES, MessageWriter, nameOf } from "../../src/network/dns-message";
import { MAX_RECORDS } from "../../src/network/limits";
import { LOCAL, SERVICE, SERVICES } from "../../src/network/mdns/names";
import { parseQuery } from "../../src/network/mdns/packet";
import { ALL_RECORDS, MODBUS_BITS, MODBUS_RECORDS, RECORD, TO_ALL, writeRecords } from "../../src/network/mdns/records";

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [part.length, ...Buffer.from(part)] : part)));

describe("names on the wire", () => {
  const name = nameOf("jk-bms", "local");

  it("are labels with their lengths", () => {
    expect(name).toEqual(bytes("jk-bms", "local", [0]));
    expect(endOfName(name, 0)).toBe(name.length);
  });

  it("may be a label followed by a pointer", () => {
    expect(lengthOf(LOCAL, "jk-bms")).toBe(name.length);
    expect(lengthOf(LOCAL)).toBe(LOCAL.length);
    const writer = new MessageWriter(new Uint8Array(64));
    writer.header(0, 0);
    writer.name(LOCAL, "jk-bms");
    expect(writer.message.subarray(12)).toEqual(name);
    expect(isName(bytes("local", [0], "Jk-bms", [0xc0, 0]), 7, LOCAL, "jk-bms")).toBe(true);
    expect(isName(name, 0, LOCAL, "jk-bmt")).toBe(false);
    expect(isName(name, 0, LOCAL, "jk-bm")).toBe(false);
    expect(isName(name, 0, LOCAL)).toBe(false);
    expect(isName(LOCAL, 0, LOCAL, "local")).toBe(false);
  });

  it("are compared ignoring case", () => {
    expect(isName(bytes("JK-BMS", "Local", [0]), 0, name)).toBe(true);
    expect(isName(bytes("jk-bmt", "local", [0]), 0, name)).toBe(false);
    expect(isName(bytes("jk-bms", "local", "x", [0]), 0, name)).toBe(false);
    expect(isName(bytes("jk-bms", [0]), 0, name)).toBe(false);
    // '@' and '`' differ as 'A' and 'a' do.
    expect(isName(bytes("@", [0]), 0, nameOf("`"))).toBe(false);
  });

  it("are compared through any number of pointers", () => {
    const packet = bytes("local", [0], "jk-bms", [0xc0, 0]);
    expect(isName(packet, 7, name)).toBe(true);
    expect(endOfName(packet, 7)).toBe(packet.length);
    const chain = bytes("local", [0], [0xc0, 0, 0xc0, 7, 0xc0, 9], "jk-bms", [0xc0, 11]);
    expect(isName(chain, 13, name)).toBe(true);
    expect(isName(Uint8Array.of(0xc0, 0), 0, name)).toBe(false);
    expect(isName(Uint8Array.of(0xc0), 0, name)).toBe(false);
    expect(endOfName(Uint8Array.of(0xc0), 0)).toBe(-1);
  });

  it("are at most 255 bytes long, with labels of at most 63", () => {
    const long = (last: number): Uint8Array => nameOf("a".repeat(63), "a".repeat(63), "a".repeat(63), "a".repeat(last));
    expect(endOfName(long(61), 0)).toBe(MAX_NAME_BYTES);
    expect(endOfName(long(62), 0)).toBe(-1);
    expect(endOfName(bytes([64], [...Buffer.alloc(64)], [0]), 0)).toBe(-1);
    expect(endOfName(bytes("abc"), 0)).toBe(-1);
    expect(endOfName(Uint8Array.of(), 0)).toBe(-1);
  });
});

const HOSTNAME = "jk-bms";
const advertised = { hostname: HOSTNAME, ip: "192.0.2.7", port: 80 };
const names = {
  host: nameOf(HOSTNAME, "local"),
  instance: nameOf(HOSTNAME, "_http", "_tcp", "local"),
  service: SERVICE,
  services: SERVICES,
};

interface Message {
  flags?: number;
  questions?: [Uint8Array, type: number, questionClass?: number][];
  answers?: [Uint8Array, type: number, ttl: number, data: Uint8Array][];
}

function message({ flags = 0, questions = [], answers = [] }: Message): Uint8Array {
  const buffer = new Uint8Array(4096);
  const writer = new MessageWriter(buffer);
  writer.header(0, flags, questions.length);
  for (const [name, type, questionClass = 1] of questions) {
    writer.bytes(name);
    writer.word(type);
    writer.word(questionClass);
  }
  for (const [name, type, ttl, data] of answers) {
    writer.count(0);
    writer.name(name);
    writer.record(type, 1, ttl, data.length);
    writer.bytes(data);
  }
  return writer.message;
}

describe("mDNS messages", () => {
  it.each([
    ["address", names.host, 1, RECORD.address],
    ["any of the host", names.host, 255, RECORD.address],
    ["IPv6", names.host, 28, 0],
    ["services", names.service, 12, RECORD.service],
    ["kinds of services", names.services, 12, RECORD.kinds | (RECORD.kinds << MODBUS_BITS)],
    ["Modbus", nameOf("_modbus", "_tcp", "local"), 12, RECORD.service << MODBUS_BITS],
    [
      "any of Modbus",
      nameOf(HOSTNAME, "_modbus", "_tcp", "local"),
      255,
      (RECORD.location | RECORD.text) << MODBUS_BITS,
    ],
    ["location", names.instance, 33, RECORD.location],
    ["text", names.instance, 16, RECORD.text],
    ["any of the instance", names.instance, 255, RECORD.location | RECORD.text],
    ["something else", nameOf("other", "local"), 1, 0],
  ])("a query for %s", (_name, name, type, asked) => {
    expect(parseQuery(message({ questions: [[name, type]] }), HOSTNAME)).toMatchObject({ asked, response: false });
  });

  it("may be answered by unicast if every question for our names allows it", () => {
    const unicast = (...classes: number[]): unknown =>
      parseQuery(message({ questions: classes.map((value) => [names.host, 1, value]) }), HOSTNAME)?.unicast;
    expect([unicast(0x8001), unicast(0x8001, 1), unicast(1)]).toEqual([true, false, false]);
  });

  it("a querier that knows the answer, with at least half its TTL left, gets none", () => {
    const asked = (ttl: number, data: Uint8Array): unknown =>
      parseQuery(message({ questions: [[names.service, 12]], answers: [[names.service, 12, ttl, data]] }), HOSTNAME)
        ?.asked;
    expect(asked(2250, names.instance)).toBe(0);
    expect(asked(2249, names.instance)).toBe(RECORD.service);
    expect(asked(4500, nameOf("other", "_http", "_tcp", "local"))).toBe(RECORD.service);
  });

  it("another host claiming the name", () => {
    const address = Uint8Array.of(192, 0, 2, 9);
    const claim = message({ flags: 0x8400, answers: [[names.host, 1, 120, address]] });
    expect(parseQuery(claim, HOSTNAME)).toMatchObject({ response: true, rival: address });
    expect(
      parseQuery(message({ flags: 0x8400, answers: [[nameOf("a", "local"), 1, 120, address]] }), HOSTNAME)?.rival,
    ).toBe(undefined);
  });

  it("a truncated record is ignored", () => {
    const claim = message({ flags: 0x8400, answers: [[names.host, 1, 120, Uint8Array.of(192, 0, 2, 9)]] });
    expect(parseQuery(claim.subarray(0, -1), HOSTNAME)?.rival).toBeUndefined();
    expect(parseQuery(claim.subarray(0, 20), HOSTNAME)?.rival).toBeUndefined();
  });

  it("a packet with too many records is read up to the limit", () => {
    const questions = (count: number): NonNullable<Message["questions"]> =>
      Array.from({ length: count }, (_, n) => [n === count - 1 ? names.host : nameOf("x"), 1]);
    expect(parseQuery(message({ questions: questions(MAX_RECORDS) }), HOSTNAME)?.asked).toBe(RECORD.address);
    expect(parseQuery(message({ questions: questions(MAX_RECORDS + 1) }), HOSTNAME)?.asked).toBe(0);
  });

  it("own records can be parsed", () => {
    const writer = new MessageWriter(new Uint8Array(768));
    writer.header(0, 0x8400);
    writeRecords(writer, 0, ALL_RECORDS, advertised, TO_ALL);
    expect(parseQuery(writer.message, HOSTNAME)).toMatchObject({ response: true, rival: Uint8Array.of(192, 0, 2, 7) });
  });

  it("all records of the longest hostname fit in a message after the longest question", () => {
    const longest = { hostname: "a".repeat(34), ip: "255.255.255.255", port: 65_535 };
    const writer = new MessageWriter(new Uint8Array(2048));
    writer.header(0, 0x8400, 1);
    writer.bytes(new Uint8Array(MAX_NAME_BYTES + 4));
    writeRecords(writer, 0, ALL_RECORDS | MODBUS_RECORDS, longest, TO_ALL);
    expect(writer.message.length).toBeLessThanOrEqual(1_088);
  });

  it("arbitrary bytes never throw", () => {
    const valid = message({
      questions: [[names.host, 255]],
      answers: [[names.service, 12, 4500, names.instance]],
    });
    const damaged = fc
      .array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { maxLength: 8 })
      .map((changes) => changes.reduce((copy, [at, value]) => copy.with(at, value), valid));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 600 }), damaged), (packet) => {
        const heard = parseQuery(packet, HOSTNAME);
        if (heard) expect(heard.asked & ~(ALL_RECORDS | MODBUS_RECORDS)).toBe(0);
      }),
      { numRuns: runs(500) },
    );
  });
});
