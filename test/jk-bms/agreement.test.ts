/** Settings and device information as frames: what is not known yet has to come twice, of whichever pack. */
import { beforeEach, describe, expect, it } from "vitest";
import * as FIELDS from "../../modules/jk-bms/field-table";
import { offsetOf, readRaw, readText } from "../../modules/jk-bms/fields";
import type { JkBus } from "../../modules/jk-bms/jk-bus";
import type { JkPack } from "../../modules/jk-bms/jk-pack";
import { BLOCK_LOOKS } from "../../modules/jk-bms/limits";
import {
  DEVICE_INFO,
  SERIAL,
  SETUP,
  type BlockType,
  type Readable,
  type ReadOutcome,
} from "../../modules/jk-bms/types";
import type { Clock } from "../../host-sim/clock";
import { concat, FakeBms, sealed } from "../support/bms/fake-bms";
import { lineBoard } from "../support/bms/line";
import { PackOnLine } from "../support/bms/pack-on-line";

const ADDRESSES = [1, 7, 15] as const;
const PAYLOAD = 6;
const SUM = 299;

let clock: Clock;
let fake: FakeBms;
let bus: JkBus;
let pack: JkPack;

/** Frames are asked for from here on; of the next, these have two wrong bits that the sum does not show. */
const damage = (at: number, ...which: number[]): void => {
  let frames = 0;
  fake.instead = (_request, usual) => {
    if (!usual || usual.length < SUM || !which.includes(frames++)) return undefined;
    const wrong = usual.slice();
    const [one, other] = [PAYLOAD + at, PAYLOAD + at + 1];
    // Bit 6 of both is changed, in opposite directions or, if it is the same in both, with the sum made right.
    for (const byte of [one, other]) wrong[byte] = (wrong[byte] as number) ^ 0x40;
    wrong[SUM] = wrong.subarray(0, SUM).reduce((sum, byte) => sum + byte, 0);
    return wrong;
  };
};

function read(what: Readable): { outcome: ReadOutcome | undefined; frames: number } {
  const before = fake.requests.length;
  let outcome: ReadOutcome | undefined;
  pack.read(what, (ended) => (outcome = ended));
  clock.runFor(3_000);
  return { outcome, frames: fake.requests.length - before };
}

const uvp = (): number => readRaw(pack.setup, FIELDS.cellUvpVoltage);
const serial = (): string => readText(pack.deviceInfo, FIELDS.serialNumber);
const UVP = offsetOf(FIELDS.cellUvpVoltage);
const SERIAL_AT = offsetOf(FIELDS.serialNumber);

describe.each([
  ["alone", [4], 4],
  ...ADDRESSES.map((address) => [`at ${address} of three`, ADDRESSES, address] as const),
] as const)("a pack %s", (_, addresses, address) => {
  beforeEach(() => {
    const board = lineBoard();
    ({ clock } = board);
    fake = new FakeBms(board);
    fake.address = address;
    bus = new PackOnLine(board).open({ readMode: "frames" }, addresses);
    pack = bus.links[(addresses as readonly number[]).indexOf(address)] as JkPack;
  });

  it.each([
    [SETUP, UVP],
    [DEVICE_INFO, SERIAL_AT],
  ] as const)("block %i is taken once two agree, whichever of the first three is damaged", (block, at) => {
    for (const [damaged, frames] of [
      [[], 2],
      [[0], 3],
      [[1], 4],
      [[2], 2],
    ] as const) {
      const wanted = (): unknown => (block === SETUP ? uvp() : serial());
      damage(at, ...damaged);
      fake.setWord(0x1006, fake.word(0x1006) + 1);
      fake.setWord(0x1454, fake.word(0x1454) + 1);
      expect(read(block)).toEqual({ outcome: "ok", frames });
      const told = wanted();
      // The same once more, which is known: one is enough.
      fake.instead = undefined;
      expect(read(block)).toEqual({ outcome: "ok", frames: 1 });
      expect(wanted()).toEqual(told);
    }
  });

  it("shows nothing that came once: neither settings nor another serial number, and counts no such read", () => {
    for (const block of [SETUP, DEVICE_INFO] as const) read(block);
    const before = [uvp(), serial()];
    damage(UVP, 0);
    read(SETUP);
    damage(SERIAL_AT, 0);
    read(SERIAL);
    expect([uvp(), serial()]).toEqual(before);
    // Each differs from the one before: the block is not read, and what was known stays.
    let turn = 0;
    fake.instead = (_request, usual) => {
      const wrong = usual?.slice() ?? null;
      if (wrong) {
        wrong[PAYLOAD + UVP] = turn++;
        wrong[SUM] = wrong.subarray(0, SUM).reduce((sum, byte) => sum + byte, 0);
      }
      return wrong;
    };
    expect(read(SETUP)).toEqual({ outcome: "doubtful", frames: BLOCK_LOOKS });
    expect(uvp()).toBe(before[0]);
  });

  it("what came once, and was lost the second time, is taken when it comes again", () => {
    let frames = 0;
    fake.instead = () => (frames++ ? null : undefined);
    expect(read(SETUP).outcome).toBe("no-reply");
    expect(pack.setup.valid).toBe(false);
    fake.instead = undefined;
    expect(read(SETUP)).toEqual({ outcome: "ok", frames: 1 });
    expect(pack.setup.valid).toBe(true);
  });

  it("the counters of the device information may change from read to read", () => {
    read(DEVICE_INFO);
    fake.setWord(0x1422, 77);
    expect(read(DEVICE_INFO)).toEqual({ outcome: "ok", frames: 1 });
    expect(readRaw(pack.deviceInfo, FIELDS.totalRuntime) & 0xffff).toBe(77);
  });

  it("heard by another master, the first is shown, and another than is known once it has been heard twice", () => {
    const hear = (block: BlockType, change: number): void => {
      const register = block === SETUP ? 0x161e : 0x161c;
      const bytes = fake.blocks[block] as Uint8Array;
      const payload = bytes.slice();
      new DataView(payload.buffer).setUint32(UVP, 2_600 + change, true);
      const frame = new Uint8Array(300);
      frame.set([0x55, 0xaa, 0xeb, 0x90, block, 0]);
      frame.set(payload.subarray(0, 293), PAYLOAD);
      frame[SUM] = frame.subarray(0, SUM).reduce((sum, byte) => sum + byte, 0);
      pack.onForeignFrame(block, concat(frame, sealed(address, 16, register >> 8, register & 255, 0, 1)), 0);
    };
    hear(SETUP, 0);
    expect(uvp()).toBe(2_600);
    hear(SETUP, 64);
    expect(uvp()).toBe(2_600);
    hear(SETUP, 0);
    hear(SETUP, 64);
    expect(uvp()).toBe(2_600);
    hear(SETUP, 64);
    expect(uvp()).toBe(2_664);
  });
});
