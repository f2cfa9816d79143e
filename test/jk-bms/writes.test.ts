/** Nothing but the documented commands and settings can be written. */
import { readdirSync, readFileSync } from "node:fs";
import fc, { runs } from "../support/property";
import { describe, expect, it } from "vitest";
import { hasValidCrc } from "../../modules/modbus/crc";
import { seal } from "../../modules/modbus/rtu";
import * as FIELDS from "../../modules/jk-bms/field-table";
import { getterOf } from "../../modules/jk-bms/fields";
import { DEVICE_INFO, LOG, SETUP, TELEMETRY, type BlockType } from "../../modules/jk-bms/types";
import {
  checkValue,
  encodeAllowedWrite,
  TRIGGERS,
  writableByName,
  WRITES,
  type Writable,
  type WriteName,
} from "../../modules/jk-bms/writes";
import { FakeBms } from "../support/bms/fake-bms";
import { hex } from "../support/hex";
import { lineBoard } from "../support/bms/line";
import type { JkPack } from "../../modules/jk-bms/jk-pack";
import { PackOnLine } from "../support/bms/pack-on-line";

const WRITE_NAMES = Object.keys(WRITES) as WriteName[];

/** Written out once more, from docs/openapi.yaml and docs/jk-modbus.md: register and words by name. */
const LIST: Record<string, readonly [register: number, words: number]> = {
  charge_mos: [0x1070, 2],
  discharge_mos: [0x1074, 2],
  balance: [0x1078, 2],
  emergency: [0x1610, 1],
  display_always_on: [0x1114, 1],
  temperature_sensors_disabled: [0x1114, 1],
  cell_count: [0x106c, 2],
  capacity_ah: [0x107c, 2],
  bluetooth_name: [0x1428, 8],
  balance_enabled: [0x1078, 2],
  balance_trigger_voltage: [0x1014, 2],
  balance_start_voltage: [0x1084, 2],
  max_balance_current: [0x1048, 2],
  cell_uvp_voltage: [0x1004, 2],
  cell_uvpr_voltage: [0x1008, 2],
  cell_ovp_voltage: [0x100c, 2],
  cell_ovpr_voltage: [0x1010, 2],
  cell_rcv_voltage: [0x1020, 2],
  power_off_voltage: [0x1028, 2],
  charge_otp: [0x104c, 2],
  charge_otpr: [0x1050, 2],
  charge_utp: [0x105c, 2],
  charge_utpr: [0x1060, 2],
  discharge_otp: [0x1054, 2],
  discharge_otpr: [0x1058, 2],
  mos_otp: [0x1064, 2],
  mos_otpr: [0x1068, 2],
};
const ALLOWED = new Set([
  ...Object.values(LIST).map(([register, words]) => `${register}/${words}`),
  ...[0x161c, 0x161e, 0x1620, 0x1624].map((register) => `${register}/1`),
]);

/** Every FC16 request among the requests is in the list, whole, and nothing but FC03 and FC16 was sent. */
function expectAllowed(requests: readonly Uint8Array[]): void {
  for (const bytes of requests) {
    expect(hasValidCrc(bytes, 0, bytes.length)).toBe(true);
    const [, code, high, low, , words, count] = bytes as unknown as number[];
    expect([3, 16]).toContain(code);
    if (code !== 16) continue;
    expect(ALLOWED).toContain(`${((high as number) << 8) | (low as number)}/${words}`);
    expect(count).toBe(2 * (words as number));
    expect(bytes).toHaveLength(9 + 2 * (words as number));
  }
}

const adu = new Uint8Array(64);

describe("the allow list", () => {
  it("has the 6 commands, the 21 settings and the 4 triggers, at their registers, and nothing else", () => {
    expect([...WRITE_NAMES].sort()).toEqual(Object.keys(LIST).sort());
    for (const name of WRITE_NAMES) {
      const { register, words } = writableByName(name);
      expect([register, words]).toEqual(LIST[name]);
    }
    expect(Object.entries(TRIGGERS).map(([block, { register }]) => [Number(block), register])).toEqual([
      [SETUP, 0x161e],
      [TELEMETRY, 0x1620],
      [DEVICE_INFO, 0x161c],
      [LOG, 0x1624],
    ]);
  });

  it("is immutable", () => {
    const entry = writableByName("charge_mos") as { register: number };
    expect(() => (entry.register = 0x160a)).toThrow(TypeError);
    expect(() => ((TRIGGERS as Record<number, unknown>)[4] = entry)).toThrow(TypeError);
    expect(() => ((WRITES as Record<string, unknown>)["shutdown"] = entry)).toThrow(TypeError);
  });

  it.each([
    "",
    "shutdown",
    "CHARGE_MOS",
    "charge_mos ",
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "hasOwnProperty",
    "valueOf",
    "0",
    "1",
    "160A",
  ])("has no %j", (name) => {
    expect(() => writableByName(name)).toThrow(new RangeError("not a writable register"));
  });

  it.each([undefined, null, 1, 0x160a, {}, ["charge_mos"], { toString: () => "charge_mos" }])(
    "has no name that is not a string: %j",
    (name) => {
      expect(() => writableByName(name as string)).toThrow(RangeError);
    },
  );

  it("accepts only its own entries: no copies, no forgeries", () => {
    const real = writableByName("charge_mos");
    const forged: unknown[] = [
      { ...real },
      { ...real, register: 0x160a },
      Object.create(real),
      { register: 0x1604, words: 1, kind: "pulse", field: FIELDS.soc, mask: 0 },
      FIELDS.chargeEnabled,
      {},
      "charge_mos",
      undefined,
    ];
    for (const entry of forged)
      expect(() => encodeAllowedWrite(adu, entry as Writable, 1)).toThrow("not a writable register");
    expect(encodeAllowedWrite(adu, real, 1)).toBe(10);
  });

  it("is the only place in the firmware that forms a write request", () => {
    const folder = new URL("../../modules/jk-bms/", import.meta.url);
    const users = readdirSync(folder).filter((file) =>
      /WRITE_DATA|encodeWriteInPlace/.test(readFileSync(new URL(file, folder), "utf8")),
    );
    expect(users.filter((file) => file.endsWith(".ts"))).toEqual(["writes.ts"]);
  });
});

describe("values", () => {
  it.each([
    ["charge_mos", [0, 1], [-1, 2, 0.5, NaN, "1", "on", true, undefined, null]],
    ["display_always_on", [0, 1], [2, 0x3251, "1"]],
    ["emergency", [0, 1], [2, -1, 255]],
    ["cell_count", [0, 16, 0xffffffff], [-1, 0x100000000, 1.5, Infinity, NaN, "16", {}, []]],
    ["charge_utp", [-2147483648, -200, 0, 2147483647], [-2147483649, 2147483648, 0.1]],
    ["bluetooth_name", ["a", "~ !", "sixteen letters!"], ["", "seventeen letters", "ü", "a\n", "\0", 7, undefined]],
  ])("%s takes %j and refuses %j", (name, right, wrong) => {
    const entry = writableByName(name);
    for (const value of right) expect(() => checkValue(entry, value)).not.toThrow();
    for (const value of wrong) expect(() => checkValue(entry, value as number)).toThrow(RangeError);
  });

  it("are checked again when the request is built", () => {
    expect(() => encodeAllowedWrite(adu, writableByName("charge_mos"), 2)).toThrow(RangeError);
    expect(() => encodeAllowedWrite(adu, writableByName("cell_count"), "16")).toThrow(RangeError);
  });

  it("must be 0 for a trigger and 16 bits for the switch word", () => {
    expect(() => encodeAllowedWrite(adu, TRIGGERS[TELEMETRY], 1)).toThrow("a trigger must be written with 0");
    const word = writableByName("display_always_on");
    expect(() => encodeAllowedWrite(adu, word, 0x10000)).toThrow("not a word");
    expect(() => encodeAllowedWrite(adu, word, -1)).toThrow(RangeError);
    expect(encodeAllowedWrite(adu, word, 0xffff)).toBe(8);
  });

  it("are not repeated in the error for a refused setting", () => {
    expect(() => checkValue(writableByName("bluetooth_name"), "a secret\n")).toThrow(/^value out of range/);
  });

  it("are encoded as they are read back", () => {
    fc.assert(
      fc.property(fc.constantFrom(...WRITE_NAMES), fc.integer(), fc.nat(15), (name, integer, address) => {
        const entry = writableByName(name);
        if (entry.kind !== "number") return;
        const value = getterOf(entry.field) === "getInt32" ? integer : integer >>> 0;
        const length = seal(adu, address, encodeAllowedWrite(adu, entry, value));
        const view = new DataView(adu.buffer, 0, length);
        expect(getterOf(entry.field) === "getInt32" ? view.getInt32(7) : view.getUint32(7)).toBe(value);
        expect(adu[0]).toBe(address);
      }),
    );
  });

  it("of text are padded with NULs over any previous content", () => {
    encodeAllowedWrite(adu, writableByName("bluetooth_name"), "sixteen letters!");
    const length = seal(adu, 1, encodeAllowedWrite(adu, writableByName("bluetooth_name"), "ab"));
    expect(hex(adu.subarray(7, length - 2))).toBe("61 62 00 00 00 00 00 00 00 00 00 00 00 00 00 00");
  });
});

describe("every request to a BMS", () => {
  const names = fc.oneof(
    fc.constantFrom(...WRITE_NAMES, "__proto__", "constructor", "toString", "shutdown", "5642", "0x160A"),
    fc.string(),
  );
  const values = fc.oneof(
    fc.constantFrom(0, 1, 1, 0, 0x160a, -1, NaN, 0.5, "on", "", "name", undefined, null, {}, [0x160a]),
    fc.integer(),
    fc.double(),
    fc.string(),
  );
  const steps = fc.array(
    fc.record({
      block: fc.constantFrom<BlockType | undefined>(undefined, SETUP, TELEMETRY, DEVICE_INFO),
      name: names,
      value: values,
      fault: fc.constantFrom("none", "none", "silent", "ignore", "asleep", "refuse", "garbage"),
    }),
    { minLength: 1, maxLength: 6 },
  );

  it("is on the list, and every write ends once", () => {
    fc.assert(
      fc.property(steps, fc.constantFrom("auto", "registers", "frames"), (list, readMode) => {
        const board = lineBoard();
        const { clock } = board;
        const fake = new FakeBms(board);
        const bus = new PackOnLine(board).open({ readMode });
        const [bms] = bus.links as [JkPack];
        for (const { block, name, value, fault } of list) {
          fake.answersReads = fault !== "asleep";
          fake.ignoresWrites = fault === "ignore";
          fake.instead = (request) => {
            if (fault === "silent") return null;
            if (fault === "refuse") return Uint8Array.of(1, (request[1] as number) | 0x80, 2, 0xc0, 0xf1);
            if (fault === "garbage") return request.map((byte) => byte ^ 0x5a);
            return undefined;
          };
          let started = 0;
          let ended = 0;
          try {
            if (block) bms.read(block, () => ended++);
            else bms.write(name as WriteName, value as number, 4000, () => ended++);
            started++;
          } catch (error) {
            expect(error).toBeInstanceOf(RangeError);
          }
          clock.runFor(5000);
          expect(ended).toBe(started);
          expect(bus.busy).toBe(false);
        }
        expectAllowed(fake.requests.map(({ bytes }) => bytes));
      }),
      { numRuns: runs(120) },
    );
  });

  it("each name writes its register, in either read mode", () => {
    for (const readMode of ["registers", "frames"] as const)
      for (const name of WRITE_NAMES) {
        const board = lineBoard();
        const { clock } = board;
        const fake = new FakeBms(board);
        const bus = new PackOnLine(board).open({ readMode });
        const [bms] = bus.links as [JkPack];
        const results: unknown[] = [];
        const value = name === "bluetooth_name" ? "Pack 7" : 1;
        bms.write(name, value, 4000, (result) => results.push(result));
        clock.runFor(5000);
        expect([name, results]).toEqual([name, [{ outcome: "confirmed" }]]);
        expectAllowed(fake.requests.map(({ bytes }) => bytes));
        const [register] = LIST[name] as [number, number];
        const writes = fake
          .sent(16)
          .filter((bytes) => (((bytes[2] as number) << 8) | (bytes[3] as number)) === register);
        expect(writes).toHaveLength(1);
      }
  });
});
