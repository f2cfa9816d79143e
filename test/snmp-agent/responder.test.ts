import fc, { runs } from "../support/property";
import { describe, expect, it } from "vitest";
import {
  MAX_AMPLIFICATION,
  MAX_COMMUNITY,
  MAX_MESSAGE_BYTES,
  MAX_OID_KEPT,
  MAX_OID_LENGTH,
  MAX_VARBINDS,
} from "snmp-agent/limits";
import { arcs } from "snmp-agent/oid";
import type { Subtree } from "snmp-agent/types";
import {
  GET,
  GET_BULK,
  GET_NEXT,
  integer,
  NOTHING,
  oid,
  parse,
  request,
  RESPONSE,
  SET,
  text,
  tlv,
  varbind,
  type Asked,
} from "../support/peers/snmp";
import { SCALARS, TABLE, ToyAgent, type Toy } from "./toy";

const V1 = 0;
const SCALAR = "1.3.6.1.4.1.99.1";
const ENTRY = "1.3.6.1.4.1.99.2.1";
const NO_SUCH_OBJECT = 0x80;
const NO_SUCH_INSTANCE = 0x81;
const END_OF_MIB_VIEW = 0x82;
const TOO_BIG = 1;
const NO_SUCH_NAME = 2;
const GEN_ERR = 5;
const NOT_WRITABLE = 17;

describe("GET", () => {
  it("answers with the request's version, community and id", () => {
    const agent = new ToyAgent();
    for (const version of [0, 1])
      for (const id of [0, 1, -1, 0x7fff_ffff, -0x8000_0000])
        expect(agent.ask([`${SCALAR}.1.0`], { version, id })).toEqual({
          version,
          community: "public",
          pdu: RESPONSE,
          id,
          status: 0,
          index: 0,
          bindings: [{ name: `${SCALAR}.1.0`, tag: 2, value: -7 }],
        });
  });

  it("answers several in order, and none", () => {
    const agent = new ToyAgent();
    const names = [`${ENTRY}.2.5`, `${SCALAR}.2.0`, `${ENTRY}.2.5`, `${ENTRY}.3.1`];
    expect(agent.ask(names).bindings.map(({ name, value }) => [name, value])).toEqual([
      [names[0], 500],
      [names[1], "toy"],
      [names[2], 500],
      [names[3], "1.3.6.1"],
    ]);
    expect(agent.ask([])).toMatchObject({ status: 0, bindings: [] });
  });

  it.each([
    ["1.3.6.1.4.1.98", NO_SUCH_OBJECT],
    ["0.0", NO_SUCH_OBJECT],
    [SCALAR, NO_SUCH_OBJECT],
    [`${SCALAR}.3.0`, NO_SUCH_OBJECT],
    [`${SCALAR}.1`, NO_SUCH_INSTANCE],
    [`${SCALAR}.1.1`, NO_SUCH_INSTANCE],
    [`${SCALAR}.1.0.0`, NO_SUCH_INSTANCE],
    [ENTRY, NO_SUCH_OBJECT],
    [`${ENTRY}.1.1`, NO_SUCH_OBJECT],
    [`${ENTRY}.2`, NO_SUCH_INSTANCE],
    [`${ENTRY}.2.0`, NO_SUCH_INSTANCE],
    [`${ENTRY}.2.3`, NO_SUCH_INSTANCE],
    [`${ENTRY}.2.4294967295`, NO_SUCH_INSTANCE],
    [`${ENTRY}.3.2`, NO_SUCH_INSTANCE],
    [`${ENTRY}.2.1.1`, NO_SUCH_INSTANCE],
  ])("%s is not there", (name, tag) => {
    const agent = new ToyAgent();
    expect(agent.ask([`${SCALAR}.1.0`, name])).toMatchObject({
      status: 0,
      bindings: [{ value: -7 }, { name, tag, value: undefined }],
    });
    expect(agent.ask([`${SCALAR}.1.0`, name], { version: V1 })).toMatchObject({
      status: NO_SUCH_NAME,
      index: 2,
      bindings: [{ tag: 5 }, { name, tag: 5 }],
    });
  });

  it("an object without a value at the moment", () => {
    const agent = new ToyAgent();
    agent.toy.absent = [1];
    expect(agent.ask([`${SCALAR}.1.0`]).bindings).toMatchObject([{ tag: NO_SUCH_INSTANCE }]);
    expect(agent.ask([`${SCALAR}.1.0`], { version: V1 })).toMatchObject({ status: NO_SUCH_NAME, index: 1 });
  });

  it("a name longer than MAX_OID_KEPT does not match a shorter one", () => {
    const long = `${SCALAR}.1.0${".0".repeat(MAX_OID_LENGTH - 10)}`;
    const agent = new ToyAgent();
    expect(agent.ask([long]).bindings).toMatchObject([{ name: long, tag: NO_SUCH_INSTANCE }]);
    expect(agent.send(request([`${long}.0`]))).toBeUndefined();
    expect(agent.toy.counters.asnParseErrs).toBe(1);
  });

  it("genErr for a failing value, with the request's list", () => {
    const agent = new ToyAgent();
    for (const version of [0, 1])
      for (const pdu of [GET, GET_NEXT])
        expect(
          agent.ask([`${SCALAR}.1.0`, pdu === GET ? `${SCALAR}.4.0` : `${SCALAR}.2.0`], { version, pdu }),
        ).toMatchObject({ status: GEN_ERR, index: 2, bindings: [{ tag: 5 }, { tag: 5 }] });
    // The next request is none the worse for it.
    expect(agent.ask([`${SCALAR}.1.0`]).bindings).toMatchObject([{ value: -7 }]);
  });
});

/** All names, as one GETNEXT after the other finds them. */
function walk(agent: ToyAgent, from: string, asked: Asked = {}): string[] {
  const names: string[] = [];
  for (let name = from; names.length < 1000;) {
    const { status, bindings } = agent.ask([name], { pdu: GET_NEXT, ...asked });
    if (status === NO_SUCH_NAME || bindings[0]?.tag === END_OF_MIB_VIEW) return names;
    names.push((name = bindings[0]!.name));
  }
  throw new Error("the walk does not end");
}

const REST = [`${ENTRY}.2.1`, `${ENTRY}.2.2`, `${ENTRY}.2.5`, `${ENTRY}.3.1`, `${ENTRY}.3.5`];
const withoutFaults = (): ToyAgent => {
  const agent = new ToyAgent();
  agent.toy.absent = [4];
  return agent;
};

describe("GETNEXT", () => {
  it.each([0, 1])("walks everything, version %i", (version) => {
    const names = walk(withoutFaults(), "0.0", { version });
    const group = [1, 3, 4, 5, 6, 30, 31, 32].map((object) => `1.3.6.1.2.1.11.${object}.0`);
    expect(names).toEqual([...group, `${SCALAR}.1.0`, `${SCALAR}.2.0`, ...REST]);
  });

  it.each([
    [SCALAR, `${SCALAR}.1.0`],
    [`${SCALAR}.1`, `${SCALAR}.1.0`],
    [`${SCALAR}.1.0`, `${SCALAR}.2.0`],
    [`${SCALAR}.1.0.0`, `${SCALAR}.2.0`],
    [`${SCALAR}.1.7`, `${SCALAR}.2.0`],
    [`${SCALAR}.0`, `${SCALAR}.1.0`],
    [`${SCALAR}.9`, `${ENTRY}.2.1`],
    ["1.3.6.1.4.1.99.2", `${ENTRY}.2.1`],
    [`${ENTRY}.2`, `${ENTRY}.2.1`],
    [`${ENTRY}.2.0`, `${ENTRY}.2.1`],
    [`${ENTRY}.2.1.9`, `${ENTRY}.2.2`],
    [`${ENTRY}.2.3`, `${ENTRY}.2.5`],
    [`${ENTRY}.2.5`, `${ENTRY}.3.1`],
    [`${ENTRY}.3.1`, `${ENTRY}.3.5`],
    ["1.3", "1.3.6.1.2.1.11.1.0"],
    [`1.3.6.1.2.1.11${".0".repeat(MAX_OID_KEPT)}`, "1.3.6.1.2.1.11.1.0"],
    [`${SCALAR}.1${".0".repeat(MAX_OID_KEPT)}`, `${SCALAR}.2.0`],
  ])("after %s comes %s", (name, next) => {
    expect(withoutFaults().ask([name], { pdu: GET_NEXT }).bindings).toMatchObject([{ name: next }]);
  });

  it.each([`${ENTRY}.3.5`, `${ENTRY}.3.4294967295`, `${ENTRY}.4`, "1.3.6.1.4.1.100", "2.999"])(
    "after %s comes nothing",
    (name) => {
      const agent = withoutFaults();
      expect(agent.ask([name], { pdu: GET_NEXT })).toMatchObject({
        status: 0,
        bindings: [{ name, tag: END_OF_MIB_VIEW, value: undefined }],
      });
      expect(agent.ask([name], { pdu: GET_NEXT, version: V1 })).toMatchObject({ status: NO_SUCH_NAME, index: 1 });
    },
  );

  it("finds the same successor as a sorted list, in any MIB", () => {
    const compare = (one: readonly number[], other: readonly number[]): number => {
      for (let index = 0; ; index++) {
        if (index >= one.length || index >= other.length) return one.length - other.length;
        if (one[index] !== other[index]) return one[index]! - other[index]!;
      }
    };
    const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 });
    const part = fc.record({
      objects: numbers,
      rows: fc.option(numbers),
      absent: fc.array(fc.integer({ min: 0, max: 40 })),
    });
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 4 }),
        fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 6 }),
        (parts, below) => {
          const instances: number[][] = [];
          const subtrees = parts.map(({ objects, rows, absent }, at): Subtree<Toy> => {
            const prefix = [1, 3, 6, 1, at + 1];
            objects.sort((one, other) => one - other);
            rows?.sort((one, other) => one - other);
            const there = (object: number, row: number): boolean => !absent.includes(object * 8 + row);
            for (const object of objects)
              for (const row of rows ?? [0]) if (there(object, row)) instances.push([...prefix, object, row]);
            return {
              oid: arcs(...prefix),
              objects: arcs(...objects),
              ...(rows && { nextRow: (_toy, row) => rows.find((next) => next > row) ?? 0 }),
              read: (value, _toy, object, row) => {
                if (there(object, row) && (rows ?? [0]).includes(row)) value.integer(row);
              },
            };
          });
          const agent = new ToyAgent(subtrees);
          const name = [1, 3, 6, 1, ...below];
          const next = instances.sort(compare).find((instance) => compare(instance, name) > 0);
          const [binding] = agent.ask([name.join(".")], { pdu: GET_NEXT }).bindings;
          expect(binding).toMatchObject(
            next ? { name: next.join("."), value: next.at(-1) } : { name: name.join("."), tag: END_OF_MIB_VIEW },
          );
          const found = agent.ask([name.join(".")]).bindings[0]?.tag === 2;
          expect(found).toBe(instances.some((instance) => compare(instance, name) === 0));
        },
      ),
    );
  });
});

describe("GETBULK", () => {
  const bulk = (names: string[], first: number, second: number, agent = withoutFaults()): string[] =>
    agent
      .ask(names, { pdu: GET_BULK, first, second })
      .bindings.map(({ name, tag }) => (tag > 0x7f ? `${name}!` : name));

  it("repeats in turn for each name", () => {
    expect(bulk([SCALAR], 0, 4)).toEqual([`${SCALAR}.1.0`, `${SCALAR}.2.0`, `${ENTRY}.2.1`, `${ENTRY}.2.2`]);
    expect(bulk([`${ENTRY}.2`, `${ENTRY}.3`], 0, 2)).toEqual([
      `${ENTRY}.2.1`,
      `${ENTRY}.3.1`,
      `${ENTRY}.2.2`,
      `${ENTRY}.3.5`,
    ]);
  });

  it("takes the non-repeaters once", () => {
    expect(bulk([SCALAR, `${ENTRY}.2`], 1, 3)).toEqual([
      `${SCALAR}.1.0`,
      `${ENTRY}.2.1`,
      `${ENTRY}.2.2`,
      `${ENTRY}.2.5`,
    ]);
    expect(bulk([SCALAR, `${ENTRY}.2`], 2, 3)).toEqual([`${SCALAR}.1.0`, `${ENTRY}.2.1`]);
    expect(bulk([SCALAR, `${ENTRY}.2`], 99, 3)).toEqual([`${SCALAR}.1.0`, `${ENTRY}.2.1`]);
  });

  it("takes negative numbers for 0", () => {
    expect(bulk([SCALAR, `${ENTRY}.2`], 1, 0)).toEqual([`${SCALAR}.1.0`]);
    expect(bulk([SCALAR, `${ENTRY}.2`], 1, -1)).toEqual([`${SCALAR}.1.0`]);
    expect(bulk([SCALAR], -1, 1)).toEqual([`${SCALAR}.1.0`]);
    expect(bulk([], 0, 10)).toEqual([]);
  });

  it("ends with the repetition in which all have reached the end", () => {
    expect(bulk([`${ENTRY}.3.1`], 0, 50)).toEqual([`${ENTRY}.3.5`, `${ENTRY}.3.5!`]);
    expect(bulk([`${ENTRY}.3.1`, `${ENTRY}.2.5`], 0, 50)).toEqual([
      `${ENTRY}.3.5`,
      `${ENTRY}.3.1`,
      `${ENTRY}.3.5!`,
      `${ENTRY}.3.5`,
      `${ENTRY}.3.5!`,
      `${ENTRY}.3.5!`,
    ]);
  });

  it("does not exist in v1", () => {
    const agent = new ToyAgent();
    expect(agent.send(request([SCALAR], { version: V1, pdu: GET_BULK, second: 1 }))).toBeUndefined();
    expect(agent.toy.counters.asnParseErrs).toBe(1);
  });

  it("genErr names the request's variable", () => {
    expect(new ToyAgent().ask([`${ENTRY}.2`, SCALAR], { pdu: GET_BULK, second: 9 })).toMatchObject({
      status: GEN_ERR,
      index: 2,
      bindings: [{ name: `${ENTRY}.2` }, { name: SCALAR }],
    });
  });

  it(`answers with at most ${MAX_VARBINDS} variables`, () => {
    const agent = withoutFaults();
    agent.toy.rows = Array.from({ length: 300 }, (_, at) => at + 1);
    for (const second of [MAX_VARBINDS - 1, MAX_VARBINDS, MAX_VARBINDS + 1, 0x7fff_ffff])
      expect(bulk([`${ENTRY}.2`], 0, second, agent)).toHaveLength(Math.min(second, MAX_VARBINDS));
  });

  it(`stays within the byte limit, but always answers with one variable`, () => {
    const agent = withoutFaults();
    agent.toy.rows = Array.from({ length: 300 }, (_, at) => at + 1);
    const packet = request([`${ENTRY}.2`], { pdu: GET_BULK, second: 50 });
    const whole = agent.responder.answer(packet);
    expect(whole).toBeGreaterThan(MAX_AMPLIFICATION * packet.length);
    for (let limit = 0; limit <= whole; limit++) {
      const size = agent.responder.answer(packet, limit);
      const { status, bindings } = parse(agent.responder.bytes.subarray(0, size));
      expect([status, bindings.length === 1 || size <= limit]).toEqual([0, true]);
      expect(bindings.length).toBeGreaterThan(0);
    }
  });

  it(`fills ${MAX_MESSAGE_BYTES} bytes to the last variable that fits`, () => {
    const agent = withoutFaults();
    for (let length = 0; length <= 255; length++) {
      agent.toy.text = "x".repeat(length);
      const packet = request(
        Array.from({ length: 20 }, () => `${SCALAR}.1.0`),
        { pdu: GET_BULK, second: 1 },
      );
      const size = agent.responder.answer(packet);
      const { status, bindings } = parse(agent.responder.bytes.subarray(0, size));
      expect([status, size <= MAX_MESSAGE_BYTES]).toEqual([0, true]);
      // A variable more would have been too much.
      const one = varbind(`${SCALAR}.2.0`, text(agent.toy.text)).length;
      if (bindings.length < 20) expect(size + one).toBeGreaterThan(MAX_MESSAGE_BYTES - 6);
      else expect(bindings).toHaveLength(20);
    }
  });
});

describe("SET", () => {
  it.each([
    [V1, NO_SUCH_NAME],
    [1, NOT_WRITABLE],
  ])("is refused, version %i", (version, status) => {
    const agent = new ToyAgent();
    const list = varbind(`${SCALAR}.1.0`, integer(5));
    expect(agent.ask([], { version, pdu: SET, list })).toMatchObject({
      status,
      index: 1,
      bindings: [{ name: `${SCALAR}.1.0`, tag: 2, value: 5 }],
    });
    expect(agent.ask([], { version, pdu: SET })).toMatchObject({ status: 0, bindings: [] });
    expect(agent.toy.counters.badCommunityUses).toBe(2);
    expect(agent.ask([`${SCALAR}.1.0`], { version }).bindings).toMatchObject([{ value: -7 }]);
  });
});

describe("tooBig", () => {
  const names = (count: number): string[] => Array.from({ length: count }, () => `${SCALAR}.2.0`);

  it(`an answer of more than ${MAX_MESSAGE_BYTES} bytes`, () => {
    const agent = new ToyAgent();
    let largest = 0;
    let refused = 0;
    for (let length = 0; length <= 255; length++) {
      agent.toy.text = "x".repeat(length);
      const expected = request([], {
        pdu: RESPONSE,
        list: names(12).flatMap((name) => varbind(name, text(agent.toy.text))),
      });
      const answer = agent.ask(names(12));
      if (expected.length <= MAX_MESSAGE_BYTES) {
        largest = Math.max(largest, expected.length);
        expect([answer.status, answer.bindings.length]).toEqual([0, 12]);
      } else {
        refused++;
        expect(answer).toMatchObject({ status: TOO_BIG, index: 0, bindings: [] });
        expect(agent.ask(names(12), { version: V1 })).toMatchObject({ status: TOO_BIG, index: 0 });
        expect(agent.ask(names(12), { version: V1 }).bindings).toHaveLength(12);
      }
    }
    // Both sides of the limit have been seen, from near.
    expect(largest).toBeGreaterThan(MAX_MESSAGE_BYTES - 12);
    expect(refused).toBeGreaterThan(100);
  });

  it("at the limit, one under and one over", () => {
    const agent = new ToyAgent();
    const answerSize = (community: string): number =>
      request([], { community, pdu: RESPONSE, list: names(14).flatMap((name) => varbind(name, text(agent.toy.text))) })
        .length;
    const sizes = new Map<number, number>();
    for (let length = 1; length <= MAX_COMMUNITY; length++)
      for (let characters = 80; characters < 90; characters++) {
        agent.toy.text = "x".repeat(characters);
        const community = "c".repeat(length);
        agent.responder.community = community;
        sizes.set(answerSize(community), agent.ask(names(14), { community }).status);
      }
    expect([-1, 0, 1].map((more) => sizes.get(MAX_MESSAGE_BYTES + more))).toEqual([0, 0, TOO_BIG]);
  });

  it(`a request of more than ${MAX_VARBINDS} variables`, () => {
    const agent = new ToyAgent();
    const many = (count: number): string[] => Array.from({ length: count }, () => "1.3");
    for (const count of [MAX_VARBINDS - 1, MAX_VARBINDS]) expect(agent.ask(many(count)).bindings).toHaveLength(count);
    expect(agent.ask(many(MAX_VARBINDS + 1))).toMatchObject({ status: TOO_BIG, bindings: [] });
    expect(agent.ask(many(MAX_VARBINDS + 1), { version: V1 })).toMatchObject({ status: TOO_BIG });
  });

  it(`a request of more than ${MAX_MESSAGE_BYTES} bytes is not read`, () => {
    const agent = new ToyAgent();
    const sized = (size: number): Uint8Array => {
      const rest = request([], { list: varbind("1.3", text("x".repeat(1000))) }).length - 1000;
      return request([], { list: varbind("1.3", text("x".repeat(size - rest))) });
    };
    for (const size of [MAX_MESSAGE_BYTES - 1, MAX_MESSAGE_BYTES]) {
      expect(sized(size)).toHaveLength(size);
      expect(agent.send(sized(size))?.bindings).toHaveLength(1);
    }
    expect(agent.send(sized(MAX_MESSAGE_BYTES + 1))).toBeUndefined();
    expect(agent.toy.counters.asnParseErrs).toBe(1);
  });

  it("in v1 returns the request even at its maximum size with overlong lengths", () => {
    const agent = new ToyAgent();
    agent.toy.text = "x".repeat(255);
    const filler = varbind("1.3", text("x".repeat(1338)));
    const list = tlv(0x30, [...names(6).flatMap((name) => varbind(name)), ...filler]);
    const body = [...integer(1), ...integer(0), ...integer(0), ...list];
    const packet = tlv(0x30, [...integer(V1), ...text("public"), ...tlv(GET, body)]);
    expect(packet.length).toBeLessThanOrEqual(MAX_MESSAGE_BYTES);
    expect(agent.send(Uint8Array.from(packet))).toMatchObject({ status: TOO_BIG });
  });
});

describe("access", () => {
  it("requires the community; others get no answer and are counted", () => {
    const agent = new ToyAgent();
    for (const community of ["", "publi", "publicc", "Public", "public\0", "x".repeat(33), "\0\0\0\0\0\0"])
      expect(agent.send(request([`${SCALAR}.1.0`], { community }))).toBeUndefined();
    expect(agent.toy.counters).toMatchObject({ inPkts: 7, badCommunityNames: 7, asnParseErrs: 0 });
    expect(agent.ask([`${SCALAR}.1.0`]).status).toBe(0);
  });

  it("is denied to everybody with an empty community", () => {
    const agent = new ToyAgent();
    agent.responder.community = "";
    for (const community of ["", "public", "\0"])
      expect(agent.send(request([`${SCALAR}.1.0`], { community }))).toBeUndefined();
    expect(agent.toy.counters.badCommunityNames).toBe(3);
  });

  it("needs the whole community, of at most 32 characters", () => {
    const agent = new ToyAgent();
    const longest = `${"c".repeat(MAX_COMMUNITY - 1)}d`;
    agent.responder.community = longest;
    expect(agent.ask([], { community: longest }).community).toBe(longest);
    for (const community of [longest.slice(0, -1), `${longest}d`, "c".repeat(MAX_COMMUNITY)])
      expect(agent.send(request([], { community }))).toBeUndefined();
    expect(() => (agent.responder.community = `${longest}d`)).toThrow(RangeError);
    agent.responder.community = "c";
    expect(agent.send(request([], { community: longest }))).toBeUndefined();
    expect(agent.ask([], { community: "c" }).status).toBe(0);
  });
});

describe("malformed requests", () => {
  it.each([
    [2, "badVersions"],
    [3, "badVersions"],
    [-1, "badVersions"],
  ] as const)("version %i", (version, counter) => {
    const agent = new ToyAgent();
    expect(agent.send(request([SCALAR], { version }))).toBeUndefined();
    expect(agent.toy.counters).toMatchObject({ inPkts: 1, [counter]: 1, asnParseErrs: 0 });
  });

  it.each([RESPONSE, 0xa4, 0xa6, 0xa7, 0xa8])("PDU %i is not for an agent", (pdu) => {
    const agent = new ToyAgent();
    expect(agent.send(request([SCALAR], { pdu }))).toBeUndefined();
    expect(agent.toy.counters).toMatchObject({ inPkts: 1, asnParseErrs: 0 });
  });

  const sequence = (...parts: number[][]): number[] => tlv(0x30, parts.flat());
  const body = (...parts: number[][]): number[] => tlv(GET, parts.flat());
  const head = [integer(1), text("public")] as const;
  const triple = [...integer(1), ...integer(0), ...integer(0)];
  it.each([
    ["nothing", []],
    ["a lone tag", [0x30]],
    ["an unknown PDU", sequence(...head, tlv(0xa9, [...triple, ...sequence()]))],
    ["no PDU", sequence(...head)],
    ["no list", sequence(...head, body(triple))],
    ["two numbers", sequence(...head, body(integer(1), integer(0), sequence()))],
    ["something behind the list", sequence(...head, body(triple, sequence(), NOTHING))],
    ["something behind the PDU", sequence(...head, body(triple, sequence()), NOTHING)],
    ["something behind the message", [...sequence(...head, body(triple, sequence())), 0]],
    ["a variable without a value", sequence(...head, body(triple, sequence(sequence(oid("1.3")))))],
    ["a variable without a name", sequence(...head, body(triple, sequence(sequence(NOTHING))))],
    ["a variable with two values", sequence(...head, body(triple, sequence(sequence(oid("1.3"), NOTHING, NOTHING))))],
    ["a variable that is none", sequence(...head, body(triple, sequence(NOTHING)))],
    ["a version that is a text", sequence(text("1"), text("public"), body(triple, sequence()))],
    ["a community that is a number", sequence(integer(1), integer(7), body(triple, sequence()))],
    ["an id of 33 bits", sequence(...head, body([2, 5, 1, 0, 0, 0, 0], integer(0), integer(0), sequence()))],
    ["no message", [...Buffer.from("GET / HTTP/1.1\r\n\r\n")]],
  ])("%s", (_name, bytes) => {
    const agent = new ToyAgent();
    expect(agent.send(Uint8Array.from(bytes))).toBeUndefined();
    expect(agent.toy.counters).toMatchObject({ inPkts: 1, asnParseErrs: 1 });
  });

  it("every truncated packet is counted, without an exception", () => {
    const agent = new ToyAgent();
    const packet = request([`${SCALAR}.1.0`, `${ENTRY}.2.1`]);
    for (let length = 0; length < packet.length; length++)
      expect(agent.send(packet.subarray(0, length))).toBeUndefined();
    expect(agent.toy.counters.asnParseErrs).toBe(packet.length);
  });

  it("damaged packets are answered or counted; answers are well-formed", () => {
    const asked = fc.record({
      version: fc.constantFrom(0, 1),
      pdu: fc.constantFrom(GET, GET_NEXT, GET_BULK, SET),
      first: fc.integer({ min: -2, max: 5 }),
      second: fc.integer({ min: -2, max: 100 }),
    });
    const names = fc.array(fc.constantFrom("1.3", SCALAR, `${SCALAR}.1.0`, `${ENTRY}.2`, `${ENTRY}.3.5`), {
      maxLength: 5,
    });
    const changes = fc.array(fc.tuple(fc.nat(400), fc.nat(255), fc.constantFrom("set", "cut", "insert")), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(asked, names, changes, (options, list, spoils) => {
        const agent = withoutFaults();
        const bytes = [...request(list, options)];
        for (const [at, byte, how] of spoils) {
          const place = at % (bytes.length + 1);
          if (how === "set") bytes[Math.min(place, bytes.length - 1)] = byte;
          else bytes.splice(place, how === "cut" ? 1 : 0, ...(how === "cut" ? [] : [byte]));
        }
        const answer = agent.send(Uint8Array.from(bytes));
        const { inPkts, badVersions, badCommunityNames, asnParseErrs } = agent.toy.counters;
        expect(inPkts).toBe(1);
        expect(badVersions + badCommunityNames + asnParseErrs).toBeLessThanOrEqual(answer ? 0 : 1);
        if (answer) expect(answer.pdu).toBe(RESPONSE);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe("notifications", () => {
  it("begin with sysUpTime.0 and snmpTrapOID.0", () => {
    const agent = new ToyAgent();
    const length = agent.responder.notification({
      uptime: 4_294_967_297,
      trap: arcs(1, 3, 6, 1, 9),
      subtree: TABLE,
      objects: arcs(2, 3),
      row: 2,
    });
    expect(parse(agent.responder.bytes.subarray(0, length))).toEqual({
      version: 1,
      community: "public",
      pdu: 0xa7,
      id: 1,
      status: 0,
      index: 0,
      bindings: [
        { name: "1.3.6.1.2.1.1.3.0", tag: 0x43, value: 1 },
        { name: "1.3.6.1.6.3.1.1.4.1.0", tag: 6, value: "1.3.6.1.9" },
        // Row 2 has nothing in column 3.
        { name: `${ENTRY}.2.2`, tag: 0x42, value: 200 },
      ],
    });
    const second = agent.responder.notification({ uptime: 0, trap: arcs(1, 3) });
    expect(parse(agent.responder.bytes.subarray(0, second))).toMatchObject({ id: 2, bindings: [{}, { value: "1.3" }] });
  });

  it("that do not fit are not sent", () => {
    const agent = new ToyAgent();
    agent.toy.text = "x".repeat(255);
    expect(
      agent.responder.notification({ uptime: 0, trap: arcs(1, 3), subtree: SCALARS, objects: arcs(2, 2, 2, 2, 2, 2) }),
    ).toBe(0);
    expect(
      agent.responder.notification({ uptime: 0, trap: arcs(1, 3), subtree: SCALARS, objects: arcs(2, 2) }),
    ).toBeGreaterThan(500);
  });
});

it("with names too long for MAX_OID_KEPT are rejected at the start", () => {
  const subtree = (length: number): Subtree<Toy> => ({
    ...SCALARS,
    oid: arcs(1, 3, ...new Array<number>(length - 2).fill(1)),
  });
  expect(() => new ToyAgent([subtree(MAX_OID_KEPT - 2)])).not.toThrow();
  expect(() => new ToyAgent([subtree(MAX_OID_KEPT - 1)])).toThrow(RangeError);
});
