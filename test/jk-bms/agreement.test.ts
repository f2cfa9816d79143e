/** Settings and device information: what is not known yet has to come twice, of whichever pack, by frames and by registers. */
import { beforeEach, describe, expect, it } from "vitest";
import * as FIELDS from "../../modules/jk-bms/field-table";
import { offsetOf, readRaw, readText, registerOf, textAt, type Field } from "../../modules/jk-bms/fields";
import type { JkBus } from "../../modules/jk-bms/jk-bus";
import type { JkPack } from "../../modules/jk-bms/jk-pack";
import { BLOCK_LOOKS } from "../../modules/jk-bms/limits";
import { READ_PLANS } from "../../modules/jk-bms/plans";
import {
  DEVICE_INFO,
  SERIAL,
  SETUP,
  type BlockType,
  type Readable,
  type ReadMode,
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

/** By registers: of the next looks at the block that has this field, these have another value in it, and a right CRC. */
const exchange = (field: Field, ...which: number[]): void => {
  const register = registerOf(field);
  let looks = 0;
  fake.instead = (request, usual) => {
    const from = 0x100 * (request[2] as number) + (request[3] as number);
    const at = 3 + register - from;
    if (!usual || register < from || at >= usual.length - 2 || !which.includes(looks++)) return undefined;
    const wrong = usual.slice(0, -2);
    wrong[at] = (wrong[at] as number) ^ 0x10;
    return sealed(...wrong);
  };
};

function open(readMode: ReadMode, addresses: readonly number[], address: number): void {
  const board = lineBoard();
  ({ clock } = board);
  fake = new FakeBms(board);
  fake.address = address;
  bus = new PackOnLine(board).open({ readMode }, addresses);
  pack = bus.links[addresses.indexOf(address)] as JkPack;
}

function read(what: Readable): { outcome: ReadOutcome | undefined; requests: number } {
  const before = fake.requests.length;
  let outcome: ReadOutcome | undefined;
  pack.read(what, (ended) => (outcome = ended));
  clock.runFor(3_000);
  return { outcome, requests: fake.requests.length - before };
}

const uvp = (): number => readRaw(pack.setup, FIELDS.cellUvpVoltage);
const serial = (): string => readText(pack.deviceInfo, FIELDS.serialNumber);
const textOf = (block: Uint8Array): string => textAt(new DataView(block.buffer, block.byteOffset), SERIAL_AT, 16);
const UVP = offsetOf(FIELDS.cellUvpVoltage);
const SERIAL_AT = offsetOf(FIELDS.serialNumber);

const PLACES = [
  ["alone", [4], 4],
  ...ADDRESSES.map((address) => [`at ${address} of three`, ADDRESSES, address] as const),
] as const;

/** How a block is read, what spoils some of its looks, and the reads that one look takes: of firmware 15 none for the limit in the cold. */
const MODES = [
  ["frames", (field: Field, ...which: number[]) => damage(offsetOf(field), ...which), () => 1],
  ["registers", exchange, (block: BlockType) => READ_PLANS[block].length - (block === SETUP ? 1 : 0)],
] as const;

describe.each(MODES)("by %s", (mode, spoil, readsOf) => {
  it.each(
    PLACES.flatMap(([place, addresses, address]) => [
      ["settings", place, SETUP, FIELDS.cellUvpVoltage, addresses, address] as const,
      ["device information", place, DEVICE_INFO, FIELDS.serialNumber, addresses, address] as const,
    ]),
  )(
    "%s of a pack %s are taken once two agree, of frames that differ from what is known three, whichever of the first ones is wrong",
    (_what, _place, block, field, addresses, address) => {
      open(mode, addresses, address);
      const reads = readsOf(block);
      const shown = (): unknown => (block === SETUP ? uvp() : serial());
      const isFrame = mode === "frames";
      for (const [wrong, looks] of [
        [[], 2],
        [[0], isFrame ? 4 : 3],
        ...(isFrame ? [] : ([[[1], 4]] as const)),
        [[3], isFrame ? 3 : 2],
      ] as const) {
        spoil(field, ...wrong);
        fake.setWord(0x1006, fake.word(0x1006) + 1);
        fake.setWord(0x1454, fake.word(0x1454) + 1);
        const before = shown();
        expect(read(block)).toEqual({ outcome: "ok", requests: looks * reads });
        const after = shown();
        expect(after).not.toEqual(before);
        if (mode === "registers")
          expect(after).toBe(block === SETUP ? fake.word(0x1006) : textOf(fake.blocks[DEVICE_INFO] as Uint8Array));
        // The same once more, which is known: one is enough.
        fake.instead = undefined;
        expect(read(block)).toEqual({ outcome: "ok", requests: reads });
        expect(shown()).toEqual(after);
      }
    },
  );
});

describe.each(MODES)("what cannot be, by %s", (mode, spoil, readsOf) => {
  it.each(
    PLACES.flatMap(([place, addresses, address]) => [
      ["settings", place, SETUP, FIELDS.cellUvpVoltage, addresses, address] as const,
      ["device information", place, DEVICE_INFO, FIELDS.serialNumber, addresses, address] as const,
    ]),
  )("%s of a pack %s are asked a third time", (_what, _place, block, field, addresses, address) => {
    const reads = readsOf(block);
    for (const [wrong, looks, outcome] of [
      [[], 3, "ok"],
      [[0], 4, "ok"],
      [[0, 1], 4, "doubtful"],
    ] as const) {
      open(mode, addresses, address);
      pack.listener = {
        onForeignBlock: () => undefined,
        onNewSettings: () => undefined,
        onSecondReply: () => undefined,
        onLateReply: () => undefined,
        isImpossible: (what) => what === block,
      };
      spoil(field, ...wrong);
      expect(read(block)).toEqual({ outcome, requests: looks * reads });
      const image = block === SETUP ? pack.setup : pack.deviceInfo;
      expect(image.valid).toBe(outcome === "ok");
    }
  });
});

describe.each(PLACES)("a pack %s", (_, addresses, address) => {
  beforeEach(() => open("frames", addresses, address));

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
    expect(read(SETUP)).toEqual({ outcome: "doubtful", requests: BLOCK_LOOKS });
    expect(uvp()).toBe(before[0]);
  });

  it("what came once, and was lost the second time, is taken when it comes again", () => {
    let frames = 0;
    fake.instead = () => (frames++ ? null : undefined);
    expect(read(SETUP).outcome).toBe("no-reply");
    expect(pack.setup.valid).toBe(false);
    fake.instead = undefined;
    expect(read(SETUP)).toEqual({ outcome: "ok", requests: 1 });
    expect(pack.setup.valid).toBe(true);
  });

  it("the counters of the device information may change from read to read", () => {
    read(DEVICE_INFO);
    fake.setWord(0x1422, 77);
    expect(read(DEVICE_INFO)).toEqual({ outcome: "ok", requests: 1 });
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

describe.each(PLACES)("by registers, a pack %s", (_, addresses, address) => {
  beforeEach(() => open("registers", addresses, address));

  it("another serial number, read alone, is taken once two agree, each with a length of its own", () => {
    read(DEVICE_INFO);
    const before = serial();
    exchange(FIELDS.serialNumber, 0);
    expect(read(SERIAL)).toEqual({ outcome: "ok", requests: 2 });
    expect(serial()).toBe(before);
    fake.instead = undefined;
    fake.setWord(0x1454, 0x3939);
    const from = fake.requests.length;
    expect(read(SERIAL)).toEqual({ outcome: "ok", requests: 2 });
    expect(serial()).not.toBe(before);
    const lengths = fake.requests.slice(from).map(({ bytes }) => bytes[5]);
    expect(new Set(lengths).size).toBe(2);
    expect(read(SERIAL)).toEqual({ outcome: "ok", requests: 1 });
    expect(readText(pack.deviceInfo, FIELDS.model)).toBe("JK_PB2A16S20P");
  });

  it("the limits for discharging in the cold are not lost with one reply", () => {
    fake.setWord(0x1122, 0xecf6);
    fake.setWord(0x1418, 0x3139);
    read(DEVICE_INFO);
    read(SETUP);
    let lost = 0;
    fake.instead = ([, , high, low]) => (high === 0x11 && low === 0x22 && lost++ < 2 ? null : undefined);
    expect(read(SETUP).outcome).toBe("ok");
    expect(readRaw(pack.setup, FIELDS.dischargeUtp)).toBe(-20);
  });
});
