/** Several packs on one line in virtual time: whose turn it is, what silent ones may cost, and that a write reaches the pack it is for. */
import * as FIELDS from "jk-bms/field-table";
import { readRaw } from "jk-bms/fields";
import { afterEach, describe, expect, it } from "vitest";
import { bankOf, type Bank } from "../../host-sim/bms/packs";
import { serialNumberAt, SimulatedBms } from "../../host-sim/bms/simulated-bms";
import type { SimulatedBoard } from "../../host-sim/board";
import { byteTime } from "../../host-sim/wire";
import { SoloMonitor } from "../support/bms/solo-monitor";
import { IDENTITY_PERIOD, OFFLINE_TIME, SILENT_CREDIT } from "../../src/packs/limits";
import type { PackRecord } from "../../src/packs/pack-record";
import type { PackIdentity } from "../../src/packs/types";
import type { BmsSettings } from "../../src/settings/types";
import { BANK_SETTINGS as SETTINGS } from "../support/bms/bank-writes";
import { lineBoard } from "../support/bms/line";
import { PackOnLine } from "../support/bms/pack-on-line";
import { sampled } from "../support/property";
import { MAX_BANK_INTERVAL, pollBadBank } from "../suites/bad-packs";

/** ms from the end of a request to the reply's first bit. */
const ANSWER = 30;

const identities = (count: number): PackIdentity[] =>
  Array.from({ length: count }, (_, index) => ({ address: index + 1, name: `Pack ${index + 1}`, serial: "" }));

class Bench {
  readonly board: SimulatedBoard;
  readonly traced: string[] = [];
  readonly bank: Bank;
  readonly monitor: SoloMonitor;
  /** By index: when each pack's telemetry was read. */
  readonly read: number[][];
  readonly told: string[] = [];

  constructor(
    readonly count: number,
    settings: Partial<BmsSettings> = {},
  ) {
    const { baud = SETTINGS.baud } = settings;
    this.board = lineBoard({ console: (text) => this.traced.push(text), baud });
    const { clock, wire } = this.board;
    this.bank = bankOf({ clock, wire, count, baud, evolving: false, latency: { read: [ANSWER, ANSWER] } });
    let packs = identities(count);
    this.monitor = new SoloMonitor({
      settings: { ...SETTINGS, ...settings },
      opener: new PackOnLine(this.board),
      packs,
    });
    this.read = packs.map(() => []);
    this.monitor.observe({
      packUpdated: ({ index }) => void this.read[index]?.push(clock.now),
      packOnlineChanged: ({ identity, online }) => void this.told.push(`${identity.address} ${online}`),
      packIdentified: (pack) => {
        packs = packs.map((known, index) => (index === pack.index ? { ...known, serial: pack.identifier } : known));
        this.monitor.reconfigure({ ...SETTINGS, ...settings }, packs);
      },
      packSwapped: ({ identity }) => void this.told.push(`swapped ${identity.address}`),
    });
    this.monitor.start();
  }

  run(ms: number): void {
    this.board.clock.runFor(ms);
  }

  pack(address: number): PackRecord {
    return this.monitor.packs[address - 1] as PackRecord;
  }

  /** ms between the polls of one pack since `from`. */
  intervals(index: number, from: number): number[] {
    const times = (this.read[index] as number[]).filter((at) => at >= from);
    return times.slice(1).map((at, place) => at - (times[place] as number));
  }
}

let bench: Bench;
const start = (count: number, settings: Partial<BmsSettings> = {}): Bench => (bench = new Bench(count, settings));
afterEach(() => {
  bench.monitor.close();
  expect(bench.traced).toEqual([]);
});

describe("packs that all answer", () => {
  it("fifteen, within 30 ms each and with a gap of 75 ms, are read in 2.2 s", () => {
    const { read } = start(15);
    while (!bench.monitor.packs.every(({ slow }) => slow.setupRead && slow.deviceInfoRead)) bench.run(10);
    const from = bench.board.clock.now;
    bench.run(300_000);
    const worst = read.map((_, index) => Math.max(...bench.intervals(index, from)));
    const counts = read.map((_, index) => bench.intervals(index, from).length);
    // A little more than 2.1 s: each tells its serial number once a minute, and its further settings every five.
    expect(Math.round(300_000 / Math.min(...counts))).toBeLessThanOrEqual(2_180);
    // One slow block and one end of the telemetry between two rounds at most.
    expect(Math.max(...worst)).toBeLessThanOrEqual(2_600);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    expect(bench.told).toHaveLength(15);
    expect(bench.monitor.packs.every(({ configurationLoaded }) => configurationLoaded)).toBe(true);
  });

  it("four are loaded within 10 s, and polled once a second each", () => {
    const { monitor } = start(4);
    bench.run(10_000);
    expect(monitor.packs.map(({ configurationLoaded }) => configurationLoaded)).toEqual([true, true, true, true]);
    const from = bench.board.clock.now;
    bench.run(100_000);
    for (let index = 0; index < 4; index++) expect(bench.intervals(index, from).length).toBeGreaterThanOrEqual(98);
  });

  it.each([
    [8, 115_200, 20],
    [15, 115_200, 35],
    [15, 9_600, 100],
  ] as const)("of %i at %i baud probes 3 to 5 are known within %i s", (count, baud, limit) => {
    const { bank, monitor } = start(count, { baud });
    let worst = 0;
    for (let second = 0; second < 600; second++) {
      for (const { registers } of bank.packs) for (const probe of [3, 4, 5]) registers.write(`TempBat${probe}`, second);
      bench.run(1_000);
      // The packs are being loaded.
      if (second < 300) continue;
      for (const { telemetry } of monitor.packs)
        for (const field of [FIELDS.battery3Temperature, FIELDS.battery4Temperature, FIELDS.battery5Temperature])
          worst = Math.max(worst, second - readRaw(telemetry, field));
    }
    expect(worst).toBeLessThanOrEqual(limit);
    // Some are always a little older than the rest.
    expect(worst).toBeGreaterThan(5);
  });

  it("the bus is busy while any of them is asked, and not between two", () => {
    const { monitor } = start(3);
    bench.run(20_000);
    let busy = 0;
    for (let ms = 0; ms < 2_000; ms++) {
      bench.run(1);
      if (monitor.isBusy) busy++;
    }
    // Six polls at least, each of which waits for the answer, and takes 22 ms on the wire.
    expect(busy).toBeGreaterThan(6 * (ANSWER + 20));
    expect(busy).toBeLessThan(2_000 - 6 * 75);
  });

  it("each has values of its own", () => {
    const { bank, monitor } = start(3);
    bench.run(20_000);
    monitor.packs.forEach((pack, index) => {
      expect(pack.serialNumber).toBe(serialNumberAt(index + 1));
      expect(readRaw(pack.telemetry, FIELDS.packVoltage)).toBeGreaterThan(40_000);
      expect(readRaw(pack.setup, FIELDS.cellCount)).toBe(16);
    });
    expect(bank.packs).toHaveLength(3);
  });
});

describe("another pack at an address", () => {
  /** Exchanges one pack after the other for another one, without power or a lost poll. @returns ms until each was noticed */
  function notice(count: number, places: readonly number[], settings: Partial<BmsSettings> = {}): number[] {
    const { bank, board } = start(count, settings);
    const { clock, wire } = board;
    bench.run(60_000 + 15_000 * count);
    return places.map((place) => {
      const other = new SimulatedBms({ clock, wire: wire.join(), address: place + 1, serialNumber: "OTHER" });
      bank.packs[place]!.setOnline(false);
      const at = clock.now;
      while (!bench.pack(place + 1).isSwapped && clock.now - at < 600_000) bench.run(1_000);
      other.close();
      bank.packs[place]!.setOnline(true);
      return clock.now - at;
    });
  }

  it("is noticed within a minute of four packs", () => {
    expect(Math.max(...notice(4, [0, 2, 3]))).toBeLessThanOrEqual(IDENTITY_PERIOD + 3_000);
    expect(bench.monitor.packs.every(({ lostPolls }) => !lostPolls)).toBe(true);
  });

  it("and of fifteen within two", () => {
    expect(Math.max(...notice(15, [0, 7, 14]))).toBeLessThanOrEqual(2 * IDENTITY_PERIOD);
  });

  it("is noticed soon after it has missed a poll", () => {
    const { bank, board } = start(4);
    bench.run(80_000);
    const other = new SimulatedBms({
      clock: board.clock,
      wire: board.wire.join(),
      address: 3,
      serialNumber: "OTHER",
    });
    other.setOnline(false);
    bank.packs[2]!.setOnline(false);
    bench.run(3_000);
    expect(bench.pack(3).failures).toBeGreaterThan(0);
    other.setOnline(true);
    bench.run(6_000);
    expect([bench.pack(3).online, bench.pack(3).isSwapped]).toEqual([true, true]);
    other.close();
  });

  const LINES = [
    [115_200, 75, 15],
    [115_200, 200, 15],
    [9_600, 75, 15],
    [9_600, 200, 8],
  ] as const;
  it.each(sampled(LINES, 2))(
    "at %i baud and a gap of %i ms the question costs %i packs three percent of the bus at most",
    (baud, gap, count) => {
      start(count, { baud, gap });
      bench.run(300_000);
      const { clock, wire } = bench.board;
      const send = wire.board.send.bind(wire.board);
      let ms = 0;
      wire.board.send = (bytes) => {
        if (bytes[1] === 3 && bytes[2] === 0x14 && bytes[3] === 0x50)
          ms += gap + ANSWER + byteTime(baud) * (bytes.length + 5 + 2 * bytes[5]!);
        send(bytes);
      };
      const from = clock.now;
      bench.run(600_000);
      expect(ms / (clock.now - from)).toBeLessThanOrEqual(0.03);
      expect(ms / (clock.now - from)).toBeGreaterThan(0.005);
    },
  );
});

describe("a bad pack", () => {
  it("silent, with a bad CRC in every third reply, flapping: the other five lose nothing, and those take a tenth of the bus", () => {
    const { polls, lost, worst } = pollBadBank(500);
    expect(polls).toBeGreaterThanOrEqual(500);
    expect(lost).toBe(0);
    expect(worst).toBeLessThanOrEqual(MAX_BANK_INTERVAL);
  });

  it("silent ones take a tenth of the bus at most, and each is found within 60 s", () => {
    const { bank, board } = start(15);
    bench.run(60_000);
    for (const pack of bank.packs.slice(1)) pack.setOnline(false);
    bench.run(120_000);
    expect(bench.monitor.packs.map(({ online }) => online)).toEqual([true, ...new Array<boolean>(14).fill(false)]);

    const from = board.clock.now;
    const lost = (): number => bench.monitor.packs.reduce((sum, { lostPolls }) => sum + lostPolls, 0);
    const before = lost();
    bench.run(600_000);
    const sent = (lost() - before) * 250;

    expect(sent).toBeLessThanOrEqual(60_000 + SILENT_CREDIT);
    expect(Math.max(...bench.intervals(0, from))).toBeLessThanOrEqual(1_300);
    for (const pack of sampled(bank.packs.slice(1))) {
      pack.setOnline(true);
      const at = board.clock.now;
      const index = bank.packs.indexOf(pack);
      while (!bench.pack(index + 1).online && board.clock.now - at < 61_000) bench.run(100);
      expect(board.clock.now - at).toBeLessThanOrEqual(60_000);
      pack.setOnline(false);
      bench.run(20_000);
    }
  });

  it("goes offline after 5 s, or three rounds", () => {
    const { bank } = start(4);
    bench.run(20_000);
    bank.packs[2]!.setOnline(false);
    bench.run(OFFLINE_TIME - 1_000);
    expect(bench.pack(3).online).toBe(true);
    bench.run(3_000);
    expect(bench.pack(3).online).toBe(false);
    expect(bench.pack(1).online).toBe(true);
  });
});
