import { describe, expect, it } from "vitest";
import { masterFaultHelp, MASTER_FAULTS, parseMasterFault, type BusMaster } from "../../../host-sim/bms/bus-master";
import { concat, withCrc } from "../../../host-sim/bms/codec";
import { bankOf, type Bank, type BankOptions } from "../../../host-sim/bms/packs";
import { Clock } from "../../../host-sim/clock";
import { byteTime, Wire } from "../../../host-sim/wire";
import { triggerRequest } from "../../support/bms/bms-bench";
import { hex } from "../../support/hex";

interface Passage {
  at: number;
  end: number;
  bytes: Uint8Array;
}

/** A bank on a wire, and somebody who only listens. */
class Listener {
  readonly clock = new Clock();
  readonly wire: Wire;
  readonly bank: Bank;
  readonly heard: Passage[] = [];

  constructor({ baud = 115_200, ...options }: Partial<BankOptions> = {}) {
    this.wire = new Wire(this.clock, { baud });
    this.bank = bankOf({
      clock: this.clock,
      wire: this.wire,
      count: 0,
      master: true,
      baud,
      evolving: false,
      ...options,
    });
    let bytes: number[] = [];
    let last = -Infinity;
    this.wire.board.onByte = (byte) => {
      const { now } = this.clock;
      if (now - last > 1.75) {
        bytes = [];
        this.heard.push({ at: now - byteTime(baud), end: now, bytes: new Uint8Array(0) });
      }
      bytes.push(byte);
      last = now;
      Object.assign(this.heard.at(-1) as Passage, { end: now, bytes: Uint8Array.from(bytes) });
    };
  }

  get master(): BusMaster {
    return this.bank.master?.master as BusMaster;
  }

  /** What is heard of requests, by their hex. */
  count(bytes: Uint8Array): number {
    return this.heard.filter((one) => hex(one.bytes) === hex(bytes)).length;
  }
}

const acknowledgement = (address: number, register: number): Uint8Array =>
  withCrc([address, 0x10, register >> 8, register & 0xff, 0, 1]);

const isFrame = (bytes: Uint8Array, type: number, address: number, register: number): boolean =>
  bytes.length === 308 &&
  hex(bytes.subarray(0, 5)) === `55 AA EB 90 0${type}` &&
  hex(bytes.subarray(300)) === hex(acknowledgement(address, register));

describe("a master's cycle", () => {
  it("has its own two frames, then a search for 1 to 15, with gaps of 180 ms and time-outs of 220 ms", () => {
    const line = new Listener();
    line.clock.runFor(4_399);
    const [telemetry, settings, ...searches] = line.heard as [Passage, Passage, ...Passage[]];
    expect(isFrame(telemetry.bytes, 2, 0, 0x1620)).toBe(true);
    expect(isFrame(settings.bytes, 1, 0, 0x161e)).toBe(true);
    expect(settings.at - telemetry.end).toBeCloseTo(180, 3);
    expect((searches[0] as Passage).at - settings.end).toBeCloseTo(180, 3);
    expect(searches.map(({ bytes }) => hex(bytes))).toEqual(
      Array.from({ length: 15 }, (_, index) => hex(triggerRequest(0x1620, index + 1))),
    );
    searches.slice(1).forEach(({ at }, index) => expect(at - (searches[index] as Passage).end).toBeCloseTo(220, 3));
    line.clock.runFor(30);
    expect(isFrame((line.heard.at(-1) as Passage).bytes, 2, 0, 0x1620)).toBe(true);
    expect(line.master.statistics).toEqual({ cycles: 2, requests: 15, answered: 0, lost: 0 });
  });

  it.each([
    [1, 4_400],
    [3, 4_400],
    [7, 5_300],
    [15, 7_000],
  ])("with %d packs asks those that answer for their settings too: about %d ms", (count, length) => {
    const line = new Listener({ count });
    const starts: number[] = [];
    for (let from = 0; starts.length < 4;) {
      line.clock.runFor(1_000);
      for (const { at, bytes } of line.heard.slice(from)) if (isFrame(bytes, 2, 0, 0x1620)) starts.push(at);
      from = line.heard.length;
    }
    for (const [index, start] of starts.slice(1).entries()) {
      expect(start - (starts[index] as number)).toBeGreaterThanOrEqual(4_399);
      expect(Math.abs(start - (starts[index] as number) - length)).toBeLessThan(100);
    }
    const { cycles, answered, lost, requests } = line.master.statistics;
    expect([lost, line.wire.collisions]).toEqual([0, 0]);
    expect(requests - answered).toBeGreaterThanOrEqual((cycles - 1) * (15 - count));
    for (let address = 1; address <= count; address++) {
      expect(line.heard.filter(({ bytes }) => isFrame(bytes, 2, address, 0x1620)).length).toBeGreaterThanOrEqual(3);
      expect(line.heard.filter(({ bytes }) => isFrame(bytes, 1, address, 0x161e)).length).toBeGreaterThanOrEqual(3);
    }
  });

  it("waits for a reply that has begun, however long it takes on the line", () => {
    const line = new Listener({ count: 2, baud: 9_600 });
    line.clock.runFor(60_000);
    expect(line.wire.collisions).toBe(0);
    expect(line.master.statistics.lost).toBe(0);
    expect(line.master.statistics.answered).toBeGreaterThan(4 * 4);
  });

  it("takes the time that it is told", () => {
    const line = new Listener({ master: { gap: 100, timeout: 400, cycle: 7_200 } });
    line.clock.runFor(7_190);
    expect(line.master.statistics.cycles).toBe(1);
    line.clock.runFor(20);
    expect(line.master.statistics.cycles).toBe(2);
    const [telemetry, settings, first, second] = line.heard as [Passage, Passage, Passage, Passage];
    expect(settings.at - telemetry.end).toBeCloseTo(100, 3);
    expect(second.at - first.end).toBeCloseTo(400, 3);
  });

  it("knows no frames of type 3 and answers nobody", () => {
    const line = new Listener({ count: 1 });
    line.clock.runFor(500);
    const before = line.heard.length;
    for (const register of [0x161c, 0x161e, 0x1620]) line.wire.board.send(triggerRequest(register, 0));
    line.clock.runFor(100_000);
    for (const { bytes } of line.heard.slice(before)) expect(hex(bytes)).not.toContain("55 AA EB 90 03");
    expect(line.heard.filter(({ bytes }) => isFrame(bytes, 2, 0, 0x1620))).toHaveLength(line.master.statistics.cycles);
  });
});

describe("another talker", () => {
  /** Lost and garbled after a minute, with a request to pack 1 every second. */
  function minute(talk: boolean): { lost: number; collisions: number } {
    const line = new Listener({ count: 1 });
    for (let second = 1; talk && second < 60; second++)
      line.clock.at(second * 1_000, () => line.wire.board.send(triggerRequest(0x1620, 1)));
    line.clock.runFor(60_000);
    return { lost: line.master.statistics.lost, collisions: line.wire.collisions };
  }

  it("costs it replies, since it does not listen before it sends", () => {
    expect(minute(false)).toEqual({ lost: 0, collisions: 0 });
    const { lost, collisions } = minute(true);
    expect(lost).toBeGreaterThan(0);
    expect(collisions).toBeGreaterThan(0);
  });

  it("a damaged reply, and one to somebody else, are none", () => {
    const line = new Listener({ count: 2 });
    line.clock.runFor(5_000);
    line.bank.packs[0]?.faults.add({ kind: "bad-crc" });
    line.bank.packs[1]?.faults.add({ kind: "wrong-address" });
    const { answered } = line.master.statistics;
    line.clock.runFor(20_000);
    expect(line.master.statistics).toMatchObject({ answered });
    expect(line.master.statistics.lost).toBeGreaterThanOrEqual(2 * 4);
  });

  it("an answer with zeros around its acknowledgement is one", () => {
    const line = new Listener({ count: 1, answerForm: 310 });
    line.clock.runFor(20_000);
    expect(line.master.statistics.lost).toBe(0);
    expect(line.master.statistics.answered).toBeGreaterThanOrEqual(8);
  });
});

describe("faults", () => {
  it("tears frames to 224 to 288 bytes, the master's own and the packs', and leaves the acknowledgement", () => {
    const line = new Listener({ count: 1 });
    for (const pack of [...line.bank.packs, line.bank.master]) pack?.faults.add({ kind: "torn" });
    line.clock.runFor(200_000);
    const sizes = new Set<number>();
    for (const { bytes } of line.heard) {
      if (bytes[0] !== 0x55) continue;
      expect(hex(bytes.subarray(0, 4))).toBe("55 AA EB 90");
      expect(hex(bytes.subarray(-8, -6))).toMatch(/^0[01] 10$/);
      sizes.add(bytes.length - 8);
    }
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(224);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(288);
    expect(sizes.size).toBeGreaterThan(20);
    expect(line.master.statistics.answered).toBe(0);
  });

  it("torn leaves everything but frames alone", () => {
    const line = new Listener({ count: 1, master: false });
    line.bank.packs[0]?.faults.add({ kind: "torn" });
    line.wire.board.send(withCrc([1, 3, 0x12, 0, 0, 120]));
    line.clock.runFor(100);
    expect(line.heard[0]?.bytes).toHaveLength(245);
  });

  it("speaks once a minute", () => {
    const line = new Listener();
    line.master.plan(parseMasterFault("rare"));
    line.clock.runFor(59_900);
    expect(line.heard).toHaveLength(17);
    expect((line.heard.at(-1) as Passage).at).toBeLessThan(4_400);
    line.clock.runFor(200);
    expect(line.heard).toHaveLength(18);
  });

  it("stops and returns with a new cycle", () => {
    const line = new Listener({ count: 1 });
    line.master.plan(parseMasterFault("stops:at=10:for=20"));
    line.clock.runFor(10_500);
    const { cycles } = line.master.statistics;
    const before = line.heard.length;
    line.clock.runFor(19_499);
    expect(line.heard).toHaveLength(before);
    line.clock.runFor(50);
    expect(isFrame((line.heard.at(-1) as Passage).bytes, 2, 0, 0x1620)).toBe(true);
    line.clock.runFor(4_400);
    expect(line.master.statistics).toMatchObject({ cycles: cycles + 2, lost: 0 });
    // Two calls make no second master.
    line.master.start();
    line.master.start();
    line.clock.runFor(20_000);
    expect(line.wire.collisions).toBe(0);
  });

  it("are parsed and explained", () => {
    for (const kind of Object.keys(MASTER_FAULTS)) expect(masterFaultHelp()).toContain(`  ${kind} `);
    expect(parseMasterFault("stops")).toEqual({ kind: "stops" });
    expect(() => parseMasterFault("rare:at=3")).toThrow('fault of a master rare has no option "at"');
    expect(() => parseMasterFault("stops:for=0")).toThrow("for of fault of a master stops is a whole number");
    expect(() => parseMasterFault("shouts")).toThrow('no fault of a master is called "shouts"; there are: rare, stops');
  });
});

describe("a bank", () => {
  it("gives each pack an address, a serial number and noise of its own", () => {
    const line = new Listener({ count: 15, evolving: true });
    const packs = [...line.bank.packs, line.bank.master];
    line.clock.runFor(2_000);
    const text = (name: string): string[] => packs.map((pack) => pack?.registers.text(name) as string);
    expect(packs.map((pack) => pack?.registers.read("DevAddr"))).toEqual(
      [...Array(15).keys()].map((n) => n + 1).concat(0),
    );
    expect(text("SerialNumber")).toEqual(
      [...Array(15).keys()].map((n) => `SIM${String(n + 1).padStart(7, "0")}`).concat("SIM0000000"),
    );
    const cells = packs.map((pack) => concat(pack?.registers.registers(0x1200, 32) ?? []));
    expect(new Set(cells.map(hex)).size).toBeGreaterThan(10);
  });

  it("counts nobody else's traffic as damage", () => {
    const line = new Listener({ count: 3 });
    line.clock.runFor(30_000);
    for (const pack of line.bank.packs) {
      expect(pack.traffic.outcomes).toMatchObject({ damaged: 0, exception: 0, master: 0 });
      expect(pack.traffic.outcomes.answered).toBeGreaterThan(10);
    }
    expect(line.bank.master?.traffic.outcomes).toMatchObject({ damaged: 0, answered: 0 });
  });

  it("is silent once it is closed", () => {
    const line = new Listener({ count: 2 });
    line.clock.runFor(1_000);
    line.bank.close();
    line.clock.runFor(100);
    const before = line.heard.length;
    line.wire.board.send(triggerRequest(0x1620, 1));
    line.clock.runFor(20_000);
    expect(line.heard).toHaveLength(before);
  });
});
