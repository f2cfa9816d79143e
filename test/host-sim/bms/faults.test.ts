import fc, { runs } from "../../support/property";
import { describe, expect, it } from "vitest";
import { crcHolds, sum8, withCrc } from "../../../host-sim/bms/codec";
import { FAULT_KINDS, faultHelp, parseFault, type FaultKind } from "../../../host-sim/bms/faults";
import { BmsBench, exception, hex, long, readRequest, triggerRequest, writeRequest } from "../../support/bms/bms-bench";

const READ = readRequest(0x1000, 4);
const TRIGGER = triggerRequest(0x161e);
const WRITE = writeRequest(0x1004, long(2800));

/** The right answer, as a BMS without faults gives it. */
const right = (request: Uint8Array, answerForm: 308 | 310 = 308): string =>
  hex(new BmsBench({ answerForm }).ask(request));

const benchWith = (kind: FaultKind, seed = 1, more = {}): BmsBench => {
  const bench = new BmsBench({ seed });
  bench.bms.faults.add({ kind, ...more });
  return bench;
};

/** A frame with a right check byte, then an acknowledgement with a right CRC. */
const isRightAnswer = (answer: Uint8Array): boolean =>
  answer.length === 308 && sum8(answer, 299) === answer[299] && crcHolds(answer.subarray(300));

describe("on the wire", () => {
  it("no-answer", () => {
    const bench = benchWith("no-answer");
    for (const request of [READ, TRIGGER, WRITE]) expect(bench.ask(request)).toHaveLength(0);
    expect(bench.bms.registers.read("VolCellUV"), "the write was executed").toBe(2800);
  });

  it("bad-crc: right length, wrong CRC", () => {
    for (let seed = 0; seed < 30; seed++) {
      const bench = benchWith("bad-crc", seed);
      const reply = bench.ask(READ);
      expect(reply).toHaveLength(13);
      expect(crcHolds(reply)).toBe(false);
      const answer = bench.ask(TRIGGER);
      expect(answer).toHaveLength(308);
      expect(isRightAnswer(answer)).toBe(false);
    }
  });

  it("truncated: the start of the right reply, never all of it and never nothing", () => {
    for (let seed = 0; seed < 30; seed++) {
      const bench = benchWith("truncated", seed);
      for (const request of [READ, TRIGGER]) {
        const reply = hex(bench.ask(request));
        expect(right(request).startsWith(reply)).toBe(true);
        expect(reply.length).toBeGreaterThan(0);
        expect(reply.length).toBeLessThan(right(request).length);
      }
    }
  });

  it("noise: before, within and after a reply", () => {
    const places = new Set<string>();
    for (let seed = 0; seed < 40; seed++) {
      const reply = hex(benchWith("noise", seed).ask(READ));
      expect(reply.length).toBeGreaterThan(right(READ).length);
      if (reply.endsWith(right(READ))) places.add("before");
      else if (reply.startsWith(right(READ))) places.add("after");
      else places.add("within");
    }
    expect([...places].sort()).toEqual(["after", "before", "within"]);
  });

  it("wrong-address: another address with a valid CRC; for a frame in its acknowledgement", () => {
    const bench = benchWith("wrong-address");
    const reply = bench.ask(READ);
    expect(reply[0]).toBe(2);
    expect(crcHolds(reply)).toBe(true);
    expect(hex(reply.subarray(1, -2))).toBe(right(READ).slice(3, -6));
    for (const answerForm of [308, 310] as const) {
      const other = new BmsBench({ answerForm });
      other.bms.faults.add({ kind: "wrong-address" });
      const answer = other.ask(TRIGGER);
      expect(answer).toHaveLength(answerForm);
      const acknowledgement = answer.subarray(answerForm === 308 ? 300 : 301, answerForm === 308 ? 308 : 309);
      expect(hex(acknowledgement)).toBe(hex(withCrc([2, 0x10, 0x16, 0x1e, 0, 1])));
      expect(hex(answer.subarray(0, 300))).toBe(right(TRIGGER).slice(0, 899));
    }
  });

  it("stale: the previous reply instead of or before the right one", () => {
    const seen = new Set<string>();
    for (let seed = 0; seed < 20; seed++) {
      const bench = new BmsBench({ seed });
      bench.ask(READ);
      bench.bms.faults.add({ kind: "stale" });
      seen.add(hex(bench.ask(readRequest(0x12a6, 1))));
    }
    const now = right(readRequest(0x12a6, 1));
    expect([...seen].sort()).toEqual([right(READ), `${right(READ)} ${now}`].sort());
  });

  it("stale without a previous reply sends the right one", () => {
    expect(hex(benchWith("stale").ask(READ))).toBe(right(READ));
  });

  it("delay: late, while later requests are served", () => {
    const bench = benchWith("delay", 1, { times: 1 });
    expect(bench.ask(READ, 475)).toHaveLength(0);
    const request = readRequest(0x1004, 2);
    expect(hex(bench.ask(request, 100))).toContain(right(READ));
    expect(hex(bench.since(0))).toContain(right(request));
    expect(bench.heard).toHaveLength(13 + 9);
    const chosen = benchWith("delay", 1, { ms: 50 });
    expect(chosen.ask(READ, 55)).toHaveLength(0);
    expect(chosen.ask(new Uint8Array())).toHaveLength(13);
  });

  it("refuse: exception 2 or the configured one, nothing applied", () => {
    expect(hex(benchWith("refuse").ask(READ))).toBe(exception(3, 2));
    const bench = benchWith("refuse", 1, { code: 3 });
    expect(hex(bench.ask(WRITE))).toBe(exception(0x10, 3));
    expect(hex(bench.ask(TRIGGER))).toBe(exception(0x10, 3));
    expect(bench.bms.registers.read("VolCellUV")).toBe(2700);
  });

  it("ignore-write: acknowledged, not applied; reads and triggers work", () => {
    const bench = benchWith("ignore-write");
    expect(hex(bench.ask(WRITE))).toBe(right(WRITE));
    expect(bench.bms.registers.read("VolCellUV")).toBe(2700);
    expect(hex(bench.ask(READ))).toBe(right(READ));
    bench.ask(writeRequest(0x1610, [1]));
    expect(bench.bms.registers.read("TimeEmergency")).toBe(0);
    expect(bench.bms.faults.list[0]).toMatchObject({ seen: 2, struck: 2 });
  });

  it("echo: the request comes back before the reply", () => {
    for (const request of [READ, TRIGGER, WRITE]) {
      expect(hex(benchWith("echo").ask(request))).toBe(`${hex(request)} ${right(request)}`);
    }
  });

  it("several at once, in the configured order", () => {
    const bench = benchWith("wrong-address");
    bench.bms.faults.add({ kind: "echo", every: 2 });
    const foreign = hex(bench.ask(READ));
    expect(foreign.startsWith("02 03")).toBe(true);
    expect(hex(bench.ask(READ))).toBe(`${hex(READ)} ${foreign}`);
    bench.bms.faults.add({ kind: "no-answer" });
    expect(bench.ask(READ)).toHaveLength(0);
  });
});

describe("which requests are affected", () => {
  it("every third, twice, or those that match", () => {
    const bench = new BmsBench();
    bench.bms.faults.add({ kind: "no-answer", every: 3, times: 2, matching: ({ function: code }) => code === 3 });
    const silent: number[] = [];
    for (let count = 1; count <= 12; count++) {
      bench.ask(WRITE);
      if (!bench.ask(READ).length) silent.push(count);
    }
    expect(silent).toEqual([3, 6]);
    expect(bench.bms.faults.list).toMatchObject([{ kind: "no-answer", seen: 12, struck: 2 }]);
  });

  it("a fault can be withdrawn, and all of them", () => {
    const bench = new BmsBench();
    const takeBack = bench.bms.faults.add({ kind: "no-answer" });
    expect(bench.ask(READ)).toHaveLength(0);
    takeBack();
    takeBack();
    expect(bench.ask(READ)).toHaveLength(13);
    bench.bms.faults.add({ kind: "no-answer" });
    bench.bms.faults.clear();
    expect(bench.ask(READ)).toHaveLength(13);
  });

  it("the same seed damages the same bytes", () => {
    const run = (seed: number): string => {
      const bench = benchWith("noise", seed);
      return [READ, TRIGGER, WRITE].map((request) => hex(bench.ask(request))).join("|");
    };
    expect(run(7)).toBe(run(7));
    expect(run(7)).not.toBe(run(8));
  });

  it("the BMS still serves after any combination of faults", () => {
    const kinds = Object.keys(FAULT_KINDS) as FaultKind[];
    const orders = fc.array(fc.record({ kind: fc.constantFrom(...kinds), every: fc.integer({ min: 1, max: 3 }) }));
    fc.assert(
      fc.property(orders, fc.nat(), (faults, seed) => {
        const bench = new BmsBench({ seed, evolving: false });
        for (const fault of faults) bench.bms.faults.add(fault);
        for (const request of [READ, TRIGGER, WRITE, readRequest(0x1124, 1)]) bench.ask(request, 700);
        bench.bms.faults.clear();
        bench.clock.runFor(3000);
        expect(bench.ask(readRequest(0x12a6, 1))).toHaveLength(7);
      }),
      { numRuns: runs(60) },
    );
  });
});

describe("on the command line", () => {
  it.each([
    ["no-answer", { kind: "no-answer" }],
    [" bad-crc ", { kind: "bad-crc" }],
    ["bad-crc:every=3", { kind: "bad-crc", every: 3 }],
    ["stale:times=1:every=1000000", { kind: "stale", every: 1_000_000, times: 1 }],
    ["delay:ms=600:every=5", { kind: "delay", ms: 600, every: 5 }],
    ["refuse:code=3", { kind: "refuse", code: 3 }],
  ])("%s", (text, order) => {
    expect(parseFault(text)).toEqual(order);
  });

  it.each([
    ["", 'no fault is called ""; there are: no-answer, bad-crc, truncated, torn, noise, wrong-address'],
    ["constructor", 'no fault is called "constructor"'],
    ["bad-crc:", 'fault bad-crc has no option ""'],
    ["bad-crc:each=3", 'fault bad-crc has no option "each"'],
    ["bad-crc:ms=3", 'fault bad-crc has no option "ms"'],
    ["bad-crc:toString=3", 'fault bad-crc has no option "toString"'],
    ["bad-crc:every", 'every of fault bad-crc is a whole number from 1 to 1000000, not ""'],
    ["bad-crc:every=0", 'every of fault bad-crc is a whole number from 1 to 1000000, not "0"'],
    ["bad-crc:every=1.5", 'not "1.5"'],
    ["bad-crc:every=-1", 'not "-1"'],
    ["bad-crc:every=1000001", 'not "1000001"'],
    ["bad-crc:every=2:every=3", "fault bad-crc has every twice"],
    ["refuse:code=256", "code of fault refuse is a whole number from 1 to 255"],
  ])("refuses %s", (text, message) => {
    expect(() => parseFault(text)).toThrow(message);
  });

  it("the help has a line for each kind", () => {
    const lines = faultHelp().split("\n");
    expect(lines.map((line) => line.trim().split(" ")[0])).toEqual(Object.keys(FAULT_KINDS));
  });
});
