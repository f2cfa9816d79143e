/** What is heard of packs that answer another master, or that are the master: whose frame it is, and which packs there are. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Clock } from "../../host-sim/clock";
import { FRAME_BYTES, FRAME_HEADER } from "../../modules/jk-bms/frame";
import { HEARD_PERIOD, MAX_BMS_ADDRESS, MAX_PADDING } from "../../modules/jk-bms/limits";
import { FrameSniffer, WAIT, type FrameListener } from "../../modules/jk-bms/frame-sniffer";
import { DEVICE_INFO, SETUP, TELEMETRY, type BlockType } from "../../modules/jk-bms/types";
import { SHORT_ADU_BYTES } from "../../modules/modbus/rtu";
import { capture } from "../support/bms/captures";
import { concat, sealed } from "../support/bms/fake-bms";
import { lineBoard } from "../support/bms/line";

const SETTINGS = capture("dbus-sb_t01_addr3_PB2A16S20P_15.41");
const VALUES = capture("dbus-sb_t02_addr3_PB2A16S20P_15.41");
const DEVICE = capture("dbus-sb_t03_addr3_PB2A16S20P_15.41");
const ACKNOWLEDGEMENT = capture("dbus-sb_ack_1620_addr3");
const acknowledgementOf = (address: number): Uint8Array => sealed(address, 0x10, 0x16, 0x20, 0, 1);

/** All is heard behind bytes that have been dealt with. */
const START = 7;

let clock: Clock;
let counters: { torn: number };
let packs: FrameListener[];
let sniffer: FrameSniffer;

beforeEach(() => {
  ({ clock } = lineBoard());
  counters = { torn: 0 };
  packs = [];
  sniffer = new FrameSniffer(counters, packs);
});

/** Hears `parts`, which are followed by the rest of a buffer; the number of bytes that it took for an answer. */
function hear(parts: readonly Uint8Array[], { idle = false } = {}): number {
  const said = concat(...parts);
  return sniffer.sniff(concat(new Uint8Array(START), said, VALUES), START, START + said.length, idle);
}

/** A pack at `address`, which notes what it hears. */
function packAt(address: number) {
  const heard: [block: BlockType, first: number][] = [];
  const pack = {
    address,
    heard,
    onForeignFrame: (block: BlockType, bytes: Uint8Array, start: number) =>
      void heard.push([block, bytes[start] as number]),
    answeredTwice: () => undefined,
    answeredLate: () => undefined,
  };
  packs.push(pack);
  return pack;
}

describe("the frame of a pack", () => {
  it.each([
    [SETUP, SETTINGS, "dbus-sb_ack_161E_addr3"],
    [TELEMETRY, VALUES, "dbus-sb_ack_1620_addr3"],
    [DEVICE_INFO, DEVICE, "dbus-sb_ack_161C_addr3"],
  ])("with block %i is told to the pack that acknowledges it, and to no other", (block, frame, acknowledgement) => {
    const [first, third, another] = [packAt(1), packAt(3), packAt(3)];
    expect(hear([frame, capture(acknowledgement)])).toBe(FRAME_BYTES);
    expect([first, third, another].map(({ heard }) => heard)).toEqual([
      [],
      [[block, FRAME_HEADER[0]]],
      [[block, FRAME_HEADER[0]]],
    ]);
    expect(counters.torn).toBe(0);
  });

  it("ends behind its padding, and leaves the acknowledgement to the bus", () => {
    const pack = packAt(3);
    expect(hear([VALUES, new Uint8Array(MAX_PADDING), ACKNOWLEDGEMENT])).toBe(FRAME_BYTES + MAX_PADDING);
    expect(pack.heard).toHaveLength(1);
  });

  it("is of a master pack if address 0 acknowledges it", () => {
    const [zero, other] = [packAt(0), packAt(1)];
    const said = ["phinix-parallel_t02_addr0_master", "phinix-parallel_ack_1620_addr0"].map(capture);
    expect(hear(said)).toBe(FRAME_BYTES);
    expect([zero.heard.length, other.heard.length]).toEqual([1, 0]);
  });

  it.each([
    ["for another block", VALUES, capture("dbus-sb_ack_161E_addr3")],
    ["for a preset", capture("phinix-preset_160A_t01_addr1"), sealed(3, 0x10, 0x16, 0x0a, 0, 1)],
    ["with a register whose low byte only fits", VALUES, sealed(3, 0x10, 0x10, 0x20, 0, 1)],
    ["for the log, which nobody reads", capture("batmonfork_t05_systemlog_addr1"), sealed(3, 0x10, 0x16, 0x24, 0, 1)],
  ])("with an acknowledgement %s is passed over, and is no sign of a pack", (_, frame, acknowledgement) => {
    const pack = packAt(3);
    expect(hear([frame, acknowledgement])).toBe(FRAME_BYTES);
    expect([pack.heard, sniffer.heard, counters.torn]).toEqual([[], 0, 0]);
  });
});

describe("what is not a whole answer", () => {
  const answer = concat(VALUES, ACKNOWLEDGEMENT);

  it("is awaited byte by byte", () => {
    const pack = packAt(3);
    for (let length = 1; length < answer.length; length++) expect(hear([answer.subarray(0, length)])).toBe(WAIT);
    expect([pack.heard, counters.torn]).toEqual([[], 0]);
  });

  it("is torn when the line falls silent, if its header is whole: that alone is passed over", () => {
    let torn = 0;
    for (let length = 1; length < answer.length; length++) {
      const isTorn = length >= FRAME_HEADER.length;
      expect(hear([answer.subarray(0, length)], { idle: true })).toBe(isTorn ? FRAME_HEADER.length : -1);
      if (isTorn) torn++;
      expect(counters.torn).toBe(torn);
    }
  });

  it("is awaited on an idle line no longer than it is incomplete", () => {
    const pack = packAt(3);
    expect(hear([answer], { idle: true })).toBe(FRAME_BYTES);
    expect([pack.heard.length, counters.torn]).toEqual([1, 0]);
  });

  it("begins with something else than a header", () => {
    for (const idle of [false, true]) {
      expect(hear([Uint8Array.of(0xaa), answer], { idle })).toBe(-1);
      expect(hear([ACKNOWLEDGEMENT], { idle })).toBe(-1);
    }
    expect(counters.torn).toBe(0);
  });

  it("with a wrong sum is torn at once, and the whole one within it is found", () => {
    const pack = packAt(3);
    const said = concat(VALUES.subarray(0, 200), answer);
    expect(hear([said.subarray(0, FRAME_BYTES)])).toBe(FRAME_HEADER.length);
    expect(counters.torn).toBe(1);
    expect(hear([said.subarray(200)])).toBe(FRAME_BYTES);
    expect(pack.heard).toHaveLength(1);
  });

  it.each([
    ["something else behind it", concat(Uint8Array.of(0x55, 0x55), ACKNOWLEDGEMENT)],
    ["too much padding", concat(new Uint8Array(MAX_PADDING + 1), ACKNOWLEDGEMENT)],
    ["an acknowledgement with a wrong check", ACKNOWLEDGEMENT.slice().fill(0, SHORT_ADU_BYTES - 1)],
  ])("with %s is nobody's, and torn", (_, behind) => {
    const pack = packAt(3);
    expect(hear([VALUES, behind])).toBe(FRAME_HEADER.length);
    expect([pack.heard, sniffer.heard, counters.torn]).toEqual([[], 0, 1]);
  });

  it("is counted up to 2^31, like everything", () => {
    counters.torn = 0x7fffffff;
    hear([VALUES], { idle: true });
    expect(counters.torn).toBe(0);
  });
});

describe("the packs heard", () => {
  const say = (address: number): number => hear([VALUES, acknowledgementOf(address)]);

  it("are a bit each by address, whether or not somebody listens to them", () => {
    expect(sniffer.heard).toBe(0);
    for (const address of [0, 3, MAX_BMS_ADDRESS]) say(address);
    expect(sniffer.heard).toBe((1 << 0) | (1 << 3) | (1 << MAX_BMS_ADDRESS));
  });

  it("have addresses that a pack can have", () => {
    // 32 would be bit 0.
    for (const address of [MAX_BMS_ADDRESS + 1, 32]) expect(say(address)).toBe(FRAME_BYTES);
    expect(sniffer.heard).toBe(0);
  });

  it.each([
    ["asked for all the time", 1_000],
    ["asked for now and then", HEARD_PERIOD - 1_000],
  ])("are known for a period at least, and for two at most, %s", (_, interval) => {
    for (const saidAt of [0, 1, HEARD_PERIOD - 1, HEARD_PERIOD]) {
      sniffer = new FrameSniffer(counters, packs);
      clock.runFor(saidAt);
      say(3);
      for (let age = 0; age < HEARD_PERIOD; age += interval) {
        expect(sniffer.heard).toBe(1 << 3);
        clock.runFor(interval);
      }
      clock.runFor(HEARD_PERIOD);
      expect(sniffer.heard).toBe(0);
    }
  });

  it("are gone at the end of the second period, if asked for at the end of the first", () => {
    say(3);
    clock.runFor(HEARD_PERIOD);
    expect(sniffer.heard).toBe(1 << 3);
    clock.runFor(HEARD_PERIOD - 1);
    expect(sniffer.heard).toBe(1 << 3);
    clock.runFor(1);
    expect(sniffer.heard).toBe(0);
  });

  it("are known to the end of the second period, if not asked for before", () => {
    for (const [age, heard] of [
      [2 * HEARD_PERIOD - 1, 1 << 3],
      [2 * HEARD_PERIOD, 0],
    ] as const) {
      sniffer = new FrameSniffer(counters, packs);
      say(3);
      clock.runFor(age);
      expect(sniffer.heard).toBe(heard);
    }
  });

  it("stay while they are heard, and others do not", () => {
    say(5);
    for (let seconds = 0; seconds < 300; seconds += 5) {
      say(3);
      clock.runFor(5_000);
    }
    expect(sniffer.heard).toBe(1 << 3);
  });
});
