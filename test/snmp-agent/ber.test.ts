import fc from "../support/property";
import { describe, expect, it } from "vitest";
import { BerReader } from "snmp-agent/ber-reader";
import { BerWriter } from "snmp-agent/ber-writer";
import { MAX_ARC, MAX_DISPLAY_STRING, MAX_OID_KEPT, MAX_OID_LENGTH } from "snmp-agent/limits";
import { arcs, hasArc, Oid } from "snmp-agent/oid";
import * as peer from "../support/peers/snmp";

const ROOM = 4096;

/** What `write` has written. */
function written(write: (writer: BerWriter) => void, room = ROOM): number[] {
  const bytes = new Uint8Array(room);
  const writer = new BerWriter(bytes);
  write(writer);
  expect(writer.overflowed).toBe(false);
  return [...bytes.subarray(0, writer.length)];
}

function reading(bytes: readonly number[]): BerReader {
  const reader = new BerReader();
  reader.begin(Uint8Array.from(bytes));
  return reader;
}

const oidOf = (bytes: readonly number[]): { ids: number[]; length: number; failed: boolean } => {
  const oid = new Oid();
  const reader = reading(bytes);
  reader.oid(oid);
  return {
    ids: [...oid.ids.subarray(0, Math.min(oid.length, MAX_OID_KEPT))],
    length: oid.length,
    failed: reader.failed,
  };
};

const ids = (maxLength: number): fc.Arbitrary<number[]> =>
  fc
    .tuple(
      fc.constantFrom(0, 1),
      fc.integer({ min: 0, max: 39 }),
      fc.array(fc.integer({ min: 0, max: MAX_ARC }), { maxLength: maxLength - 2 }),
    )
    .map(([first, second, rest]) => [first, second, ...rest]);

describe("numbers", () => {
  it("INTEGER is encoded in the minimum length and decodes again", () => {
    fc.assert(
      fc.property(fc.integer(), (value) => {
        const bytes = written((writer) => writer.integer(value));
        expect(bytes).toEqual(peer.integer(value));
        const reader = reading(bytes);
        expect(reader.integer()).toBe(value);
        expect([reader.failed, reader.more]).toEqual([false, false]);
      }),
    );
  });

  it.each([
    [0, "020100"],
    [127, "02017f"],
    [128, "02020080"],
    [-128, "020180"],
    [-129, "0202ff7f"],
    [0x7fff_ffff, "02047fffffff"],
    [-0x8000_0000, "020480000000"],
  ])("INTEGER %i", (value, hex) => {
    expect(Buffer.from(written((writer) => writer.integer(value))).toString("hex")).toBe(hex);
  });

  it.each([
    [0, "420100"],
    [0x7fff_ffff, "42047fffffff"],
    [0x8000_0000, "42050080000000"],
    [0xffff_ffff, "420500ffffffff"],
    [0x1_0000_0000, "420500ffffffff"],
  ])("Gauge32 %i saturates", (value, hex) => {
    expect(Buffer.from(written((writer) => writer.gauge(value))).toString("hex")).toBe(hex);
  });

  it("counters and times wrap", () => {
    expect(written((writer) => writer.counter(0x1_0000_0005))).toEqual([0x41, 1, 5]);
    expect(written((writer) => writer.ticks(0x1_0000_0005))).toEqual([0x43, 1, 5]);
  });

  it("an INTEGER of more than 32 bits is left out", () => {
    expect(written((writer) => writer.integer(2 ** 31 - 1))).toEqual([2, 4, 0x7f, 0xff, 0xff, 0xff]);
    expect(written((writer) => writer.integer(-(2 ** 31)))).toEqual([2, 4, 0x80, 0, 0, 0]);
    for (const value of [2 ** 31, -(2 ** 31) - 1]) expect(written((writer) => writer.integer(value))).toEqual([]);
  });

  it("reject other types", () => {
    const writer = new BerWriter(new Uint8Array(ROOM));
    for (const value of [NaN, 0.5, Infinity]) expect(() => writer.integer(value)).toThrow(RangeError);
    for (const value of [NaN, 0.5, Infinity, -1, 2 ** 53]) {
      expect(() => writer.counter(value)).toThrow(RangeError);
      expect(() => writer.ticks(value)).toThrow(RangeError);
    }
    for (const value of [NaN, 0.5, -1]) expect(() => writer.gauge(value)).toThrow(RangeError);
    expect(writer.length).toBe(0);
  });

  it.each([["0200"], ["02050000000001"], ["0202ff"], ["0402ffff"], ["02"], [""]])("INTEGER %s is rejected", (hex) => {
    const reader = reading([...Buffer.from(hex, "hex")]);
    expect(reader.integer()).toBe(0);
    expect(reader.failed).toBe(true);
  });
});

describe("object identifiers", () => {
  it("are encoded in the standard form and decode again", () => {
    fc.assert(
      fc.property(ids(MAX_OID_KEPT - 1), fc.integer({ min: 0, max: 0xffff_ffff }), (prefix, row) => {
        const name = [...prefix, row];
        const bytes = written((writer) => writer.identifier(arcs(...prefix), row));
        expect(bytes).toEqual(peer.oid(name.join(".")));
        expect(oidOf(bytes)).toEqual({ ids: name, length: name.length, failed: false });
      }),
    );
  });

  it("take an object and an instance", () => {
    expect(written((writer) => writer.identifier(arcs(1, 3, 6), 200, 0))).toEqual(peer.oid("1.3.6.200.0"));
    expect(written((writer) => writer.identifier(arcs(1, 3, 6), 7))).toEqual(peer.oid("1.3.6.7"));
  });

  it("are texts in which each sub-identifier is found", () => {
    const name = [1, 3, 0, 127, 128, 2047, 2048, MAX_ARC];
    const text = arcs(...name);
    expect(Array.from(name, (id) => hasArc(text, id))).toEqual(Array.from(name, () => true));
    expect([2, 126, 129, MAX_ARC - 1, MAX_ARC + 1].filter((id) => hasArc(text, id))).toEqual([]);
    expect(written((writer) => writer.identifier(text))).toEqual(peer.oid(name.join(".")));
  });

  it.each([-1, MAX_ARC + 1, 0x1_0001, NaN])("are no texts with a sub-identifier of %d", (id) => {
    expect(() => arcs(1, 3, id)).toThrow(RangeError);
  });

  it.each([
    ["0.39", 0, 39],
    ["1.0", 1, 0],
    ["2.39", 2, 39],
    ["2.40", 2, 40],
    ["2.999", 2, 999],
  ])("%s is in one number", (name, ...parts) => {
    expect(oidOf(peer.oid(name)).ids).toEqual(parts);
  });

  it(`keep ${MAX_OID_KEPT} sub-identifiers of at most ${MAX_OID_LENGTH}`, () => {
    const name = (length: number): number[] => [1, 3, ...Array.from({ length: length - 2 }, (_, at) => at)];
    const read = (length: number): ReturnType<typeof oidOf> => oidOf(peer.oid(name(length).join(".")));
    for (const length of [MAX_OID_KEPT - 1, MAX_OID_KEPT, MAX_OID_KEPT + 1, MAX_OID_LENGTH - 1, MAX_OID_LENGTH])
      expect(read(length)).toEqual({ ids: name(length).slice(0, MAX_OID_KEPT), length, failed: false });
    expect(read(MAX_OID_LENGTH + 1).failed).toBe(true);
  });

  it.each([
    ["0600", "nothing"],
    ["06022b80", "an unfinished sub-identifier"],
    ["06032b8001", "padding"],
    ["06072b9fffffff7f", "content that ends early"],
    ["06062ba080808000", "more than 32 bits"],
    ["06072bffffffffff7f", "many more than 32 bits"],
  ])("%s is rejected: %s", (hex) => {
    expect(oidOf([...Buffer.from(hex, "hex")]).failed).toBe(true);
  });

  it("32 bits are accepted", () => {
    expect(oidOf([...Buffer.from("06062b8fffffff7f", "hex")]).ids).toEqual([1, 3, 0xffff_ffff]);
  });

  it("are ordered lexicographically", () => {
    const compare = (one: readonly number[], other: readonly number[]): number => {
      for (let index = 0; index < Math.min(one.length, other.length); index++)
        if (one[index] !== other[index]) return one[index]! < other[index]! ? -1 : 1;
      return Math.sign(one.length - other.length);
    };
    const small = fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 5 });
    fc.assert(
      fc.property(small, small, (name, prefix) => {
        const oid = new Oid();
        for (const id of name) oid.append(id);
        const begins = name.length >= prefix.length && prefix.every((id, at) => name[at] === id);
        expect(oid.placeTo(arcs(...prefix))).toBe(begins ? 0 : compare(name, prefix));
      }),
    );
  });
});

describe("lengths", () => {
  it.each([0, 1, 126, 127, 128, 129, 254, 255])("a text of %i characters", (length) => {
    const value = "x".repeat(length);
    const bytes = written((writer) => writer.text(value));
    expect(bytes).toEqual(peer.text(value));
    const reader = reading(bytes);
    expect([reader.octets(), reader.at - reader.start, reader.failed]).toEqual([length, length, false]);
  });

  it(`a text of more than ${MAX_DISPLAY_STRING} characters is truncated, and non-ASCII is marked`, () => {
    expect(written((writer) => writer.text("x".repeat(256)))).toEqual(peer.text("x".repeat(255)));
    expect(written((writer) => writer.text("Größe 20 °C"))).toEqual(peer.text("Gr??e 20 ?C"));
  });

  it("can be nested", () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 6 });
    fc.assert(
      fc.property(sizes, sizes, (outer, inner) => {
        const bytes = written((writer) => {
          const message = writer.open(0x30);
          for (const size of outer) writer.octets(new Uint8Array(size));
          const list = writer.open(0xa2);
          for (const size of inner) writer.octets(new Uint8Array(size));
          writer.close(list);
          writer.close(message);
        }, 8192);
        const texts = (all: number[]): number[] => all.flatMap((size) => peer.tlv(4, new Array<number>(size).fill(0)));
        expect(bytes).toEqual(peer.tlv(0x30, [...texts(outer), ...peer.tlv(0xa2, texts(inner))]));
        const reader = reading(bytes);
        const message = reader.enter(0x30);
        outer.forEach(() => reader.octets());
        const list = reader.enter(0xa2);
        while (reader.more) reader.skip();
        reader.leave(list);
        reader.leave(message);
        expect([reader.failed, reader.at]).toEqual([false, bytes.length]);
      }),
    );
  });

  it.each([
    ["0480", "indefinite"],
    ["04850000000001aa", "of five bytes"],
    ["0484ffffffff", "far beyond the end"],
    ["0402aa", "one beyond the end"],
    ["0482", "that ends early"],
    ["048100ff", ""],
  ])("%s: a length %s", (hex, wrong) => {
    const reader = reading([...Buffer.from(hex, "hex")]);
    expect(reader.octets()).toBe(0);
    expect(reader.failed).toBe(wrong !== "");
  });

  it("a container is neither left early nor overrun", () => {
    const bytes = peer.tlv(0x30, [...peer.integer(1), ...peer.integer(2)]);
    let reader = reading(bytes);
    let outer = reader.enter(0x30);
    reader.integer();
    reader.leave(outer);
    expect(reader.failed).toBe(true);
    reader = reading([...peer.tlv(0x30, peer.integer(1)), ...peer.integer(2)]);
    outer = reader.enter(0x30);
    reader.integer();
    expect(reader.integer()).toBe(0);
    expect(reader.failed).toBe(true);
    reader = reading([0x1f, 0]);
    reader.skip();
    expect(reader.failed).toBe(true);
  });
});

describe("a full buffer", () => {
  it("is never overrun, and reports it", () => {
    const contents = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 });
    fc.assert(
      fc.property(contents, fc.integer({ min: 0, max: 600 }), (all, room) => {
        const write = (writer: BerWriter): void => {
          const start = writer.open(0x30);
          for (const bytes of all) writer.octets(bytes);
          writer.close(start);
        };
        const whole = written(write);
        const bytes = new Uint8Array(room + 8).fill(0xee);
        const writer = new BerWriter(bytes.subarray(0, room));
        write(writer);
        expect(writer.overflowed).toBe(whole.length > room);
        if (!writer.overflowed) expect([...bytes.subarray(0, writer.length)]).toEqual(whole);
        expect([...bytes.subarray(room)]).toEqual(new Array(8).fill(0xee));
      }),
    );
  });

  it("can be written again after removing what did not fit", () => {
    const writer = new BerWriter(new Uint8Array(8));
    writer.integer(1);
    const { length } = writer;
    writer.text("too long for it");
    expect(writer.overflowed).toBe(true);
    writer.truncate(length);
    writer.integer(2);
    expect([writer.overflowed, writer.length]).toEqual([false, 6]);
  });
});

it("random bytes are decoded or rejected without an exception", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 80 }),
      fc.array(fc.constantFrom(0, 1, 2, 3), { maxLength: 20 }),
      (bytes, steps) => {
        const reader = new BerReader();
        const oid = new Oid();
        reader.begin(bytes);
        for (const step of steps) {
          if (step === 0) reader.integer();
          else if (step === 1) reader.octets();
          else if (step === 2) reader.oid(oid);
          else reader.enter(reader.tag);
          expect(reader.at).toBeLessThanOrEqual(bytes.length);
        }
      },
    ),
  );
});
