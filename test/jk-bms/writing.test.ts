import { beforeEach, describe, expect, it } from "vitest";
import * as FIELDS from "../../modules/jk-bms/field-table";
import { readRaw, readText } from "../../modules/jk-bms/fields";
import { DEVICE_INFO, SETUP } from "../../modules/jk-bms/types";
import { AGREEING_READS, MAX_UNSETTLED_READS, WRITE_TRIES } from "../../modules/jk-bms/limits";
import type { WriteName } from "../../modules/jk-bms/writes";
import { DEFAULT_GAP, FIRST_LISTEN, MAX_GAP } from "../../modules/modbus/limits";
import { capture } from "../support/bms/captures";
import { sealed } from "../support/bms/fake-bms";
import { writeDamaged } from "../suites/damaged-writes";
import { bms, board, bus, clock, fake, isRead, open, read, register, requests, write } from "../support/bms/opened-bms";

beforeEach(() => open());

describe("writing", () => {
  it("is confirmed by the acknowledgement and the value read back", () => {
    read(SETUP);
    const { result, took } = write("cell_ovp_voltage", 3600);
    expect(result).toEqual({ outcome: "confirmed" });
    expect(took).toBeLessThan(300);
    expect(fake.word(0x100e)).toBe(3600);
    const [written, ...readBack] = requests().slice(6);
    expect(written).toBe("01 10 10 0C 00 02");
    expect(readBack).toEqual(Array(2).fill(expect.stringMatching(/^01 03 10 0C 00 0[2-5]$/)));
    expect(readBack[0]).not.toBe(readBack[1]);
  });

  it.each(["registers", "frames"] as const)("shows a confirmed value at once, by %s", (readMode) => {
    open({ readMode });
    read(SETUP);
    read(DEVICE_INFO);
    const check = (name: WriteName, value: number | string, shown: () => unknown, expected: unknown): void => {
      let seen: unknown;
      bms.write(name, value, 4000, ({ outcome }) => {
        expect(outcome).toBe("confirmed");
        seen = shown();
      });
      clock.runFor(5000);
      expect(seen).toBe(expected);
    };
    check("capacity_ah", 304_000, () => readRaw(bms.setup, FIELDS.capacity), 304_000);
    check("charge_utp", -205, () => readRaw(bms.setup, FIELDS.chargeUtp), -205);
    check("charge_mos", 0, () => readRaw(bms.setup, FIELDS.chargeEnabled), 0);
    check("display_always_on", 1, () => readRaw(bms.setup, FIELDS.switchWord), 0x3310);
    check("bluetooth_name", "Pack 7", () => readText(bms.deviceInfo, FIELDS.bluetoothName), "Pack 7");
  });

  it("leaves an unread image alone", () => {
    write("capacity_ah", 304_000);
    expect(bms.setup.valid).toBe(false);
    expect(readRaw(bms.setup, FIELDS.capacity)).toBe(0);
  });

  /** Refuses the write of `written`, after applying it if `applies`. */
  const refuseWrite = (written: number, code: number, applies = false): void => {
    fake.ignoresWrites = !applies;
    fake.instead = (bytes) => (bytes[1] === 16 && register(bytes) === written ? sealed(1, 0x90, code) : undefined);
  };

  it.each([1, 2, 3, 4, 255])("is refused by exception %i without a retry, once the old value is read back", (code) => {
    refuseWrite(0x1048, code);
    const { result, took } = write("max_balance_current", 2001);
    expect(result).toEqual({ outcome: "refused", exception: code });
    expect(took).toBeLessThan(400);
    expect(fake.sent(16)).toHaveLength(1);
    expect(fake.sent(3)).toHaveLength(2);
  });

  it("emergency is refused once two reads agree: what was refused is not waited for", () => {
    refuseWrite(0x1610, 2);
    const { result, took } = write("emergency", 1);
    expect(result).toEqual({ outcome: "refused", exception: 2 });
    expect(fake.sent(3)).toHaveLength(AGREEING_READS);
    expect(took).toBeLessThan(400);
  });

  it("is refused as well if nothing can be read back", () => {
    refuseWrite(0x1048, 3);
    fake.answersReads = fake.answersTriggers = false;
    expect(write("max_balance_current", 2001).result).toEqual({ outcome: "refused", exception: 3 });
  });

  it.each([
    ["max_balance_current", 2001, 0x1048],
    ["display_always_on", 1, 0x1114],
    ["emergency", 1, 0x1610],
  ] as const)("%s is not said to be unchanged by a BMS that refuses and applies", (name, value, written) => {
    read(SETUP);
    refuseWrite(written, 2, true);
    expect(write(name, value).result).toEqual({ outcome: "refused-applied", exception: 2 });
    if (name === "max_balance_current") expect(readRaw(bms.setup, FIELDS.maxBalanceCurrent)).toBe(2001);
  });

  it("is neither confirmed nor refused by exception 5, acknowledge: the value read back tells", () => {
    refuseWrite(0x1048, 5, true);
    expect(write("max_balance_current", 2001).result).toEqual({ outcome: "no-reply-applied" });
    refuseWrite(0x1048, 5);
    expect(write("max_balance_current", 1000).result).toEqual({ outcome: "no-reply-not-applied", readBack: 2001 });
    expect(fake.sent(16)).toHaveLength(2);
  });

  it.each([
    ["max_balance_current", 2001, 0x1048],
    ["display_always_on", 1, 0x1114],
  ] as const)("%s is tried again when the BMS is busy, exception 6, three times at most", (name, value, written) => {
    for (const [busy, outcome, tries] of [
      [1, "confirmed", 2],
      [2, "confirmed", 3],
      [3, "refused", 3],
    ] as const) {
      open();
      let left = busy;
      fake.instead = (bytes, usual) => {
        if (bytes[1] !== 16 || register(bytes) !== written || !usual) return undefined;
        return left-- > 0 ? sealed(1, 0x90, 6) : undefined;
      };
      fake.ignoresWrites = outcome === "refused";
      expect(write(name, value).result.outcome).toBe(outcome);
      expect(fake.sent(16)).toHaveLength(tries);
    }
  });

  it("is tried again at once when the BMS is busy and there is no memory for a timer", () => {
    let left = 1;
    fake.instead = (bytes) => (bytes[1] === 16 && left-- > 0 ? sealed(1, 0x90, 6) : undefined);
    // The first is the deadline's.
    board.refusals.failAllocation(2);
    expect(write("max_balance_current", 2001).result.outcome).toBe("confirmed");
  });

  it("is not begun without memory for its deadline", () => {
    board.refusals.failAllocation(1);
    expect(() => write("max_balance_current", 2001)).toThrow("add failed");
    clock.runFor(5000);
    expect(fake.sent(16)).toHaveLength(0);
  });

  it("of a bit reads the word again after the BMS was busy", () => {
    let busy = true;
    fake.setWord(0x1114, 0x0100);
    fake.instead = (bytes) => {
      if (bytes[1] !== 16 || !busy) return undefined;
      busy = false;
      fake.setWord(0x1114, 0x0200);
      return sealed(1, 0x90, 6);
    };
    // The request that is answered with "busy" must not count as applied.
    fake.ignoresWrites = true;
    clock.after(250, () => (fake.ignoresWrites = false));
    expect(write("display_always_on", 1).result).toEqual({ outcome: "confirmed" });
    expect(fake.word(0x1114)).toBe(0x0210);
  });

  describe("when a retry is refused after a lost reply", () => {
    let tries: number;
    beforeEach(() => {
      tries = 0;
      fake.instead = (bytes) => {
        if (bytes[1] !== 16 || register(bytes) !== 0x106c) return undefined;
        return ++tries === 1 ? null : sealed(1, 0x90, 4);
      };
    });

    it("is read back, and was applied all the same", () => {
      expect(write("cell_count", 15).result).toEqual({ outcome: "no-reply-applied" });
      expect(tries).toBe(2);
    });

    it("is refused if another value is read back", () => {
      fake.ignoresWrites = true;
      expect(write("cell_count", 15).result).toEqual({ outcome: "refused", exception: 4 });
      expect(tries).toBe(2);
    });

    it("is unknown if it cannot be read back", () => {
      fake.answersReads = fake.answersTriggers = false;
      expect(write("cell_count", 15).result).toEqual({ outcome: "no-reply" });
    });

    it("does not delay the refusal of the next write", () => {
      write("cell_count", 15);
      refuseWrite(0x1048, 3);
      const { length } = fake.requests;
      expect(write("max_balance_current", 2001).result).toEqual({ outcome: "refused", exception: 3 });
      expect(fake.requests).toHaveLength(length + 3);
    });
  });

  it("is tried at most three times without an answer", () => {
    fake.instead = () => null;
    const { result, took } = write("cell_count", 15);
    expect(result).toEqual({ outcome: "no-reply" });
    // Tried three times, then looked for all the same until the time is up, in either mode.
    expect(requests().slice(0, 3)).toEqual(Array(3).fill("01 10 10 6C 00 02"));
    expect(
      fake
        .sent(16)
        .map(register)
        .filter((one) => one === 0x106c),
    ).toHaveLength(3);
    expect(fake.sent(3).length).toBeGreaterThan(4);
    expect(fake.sent(16).map(register)).toContain(0x161e);
    expect(took).toBe(4000);
  });

  it("succeeds at the third try", () => {
    let tries = 0;
    fake.instead = (bytes) => (bytes[1] === 16 && ++tries < 3 ? null : undefined);
    expect(write("cell_count", 15).result).toEqual({ outcome: "confirmed" });
    expect(fake.sent(16)).toHaveLength(3);
  });

  it("reports a reply to another request", () => {
    fake.instead = (bytes) => (bytes[1] === 16 ? sealed(1, 16, 0x10, 0x74, 0, 2) : undefined);
    expect(write("charge_mos", 0).result).toEqual({ outcome: "mismatch", readBack: 0 });
    expect(fake.sent(16)).toHaveLength(3);
    fake.answersReads = fake.answersTriggers = false;
    expect(write("charge_mos", 1).result).toEqual({ outcome: "mismatch" });
  });

  it.each([0, 1])("reports a reply to another request with the switch, %i, that was read back", (value) => {
    fake.setWord(0x1114, 0x3310);
    fake.instead = (bytes) => (bytes[1] === 16 ? sealed(1, 16, 0x10, 0x74, 0, 2) : undefined);
    expect(write("display_always_on", value).result).toEqual({ outcome: "mismatch", readBack: value });
    fake.ignoresWrites = true;
    expect(write("display_always_on", 1 - value).result).toEqual({ outcome: "mismatch", readBack: value });
  });

  it("reads back a write without a reply, and reports what the BMS holds", () => {
    read(SETUP);
    // The reply is lost, not the request.
    fake.instead = (bytes) => (bytes[1] === 16 ? null : undefined);
    expect(write("cell_count", 15).result).toEqual({ outcome: "no-reply-applied" });
    expect(readRaw(bms.setup, FIELDS.cellCount)).toBe(15);
    fake.ignoresWrites = true;
    expect(write("cell_count", 14).result).toEqual({ outcome: "no-reply-not-applied", readBack: 15 });
    expect(readRaw(bms.setup, FIELDS.cellCount)).toBe(15);
  });

  it("reports a write that was acknowledged but not applied, with the value read", () => {
    read(SETUP);
    read(DEVICE_INFO);
    fake.ignoresWrites = true;
    expect(write("cell_ovp_voltage", 3600).result).toEqual({ outcome: "not-applied", readBack: 3650 });
    expect(write("charge_utp", -205).result).toEqual({ outcome: "not-applied", readBack: 50 });
    expect(write("bluetooth_name", "Pack 7").result).toEqual({ outcome: "not-applied", readBack: "BB02" });
    expect(write("display_always_on", 1).result).toEqual({ outcome: "not-applied", readBack: 0 });
    fake.setWord(0x1114, 0xffff);
    expect(write("display_always_on", 0).result).toEqual({ outcome: "not-applied", readBack: 1 });
    expect(write("emergency", 1).result).toEqual({ outcome: "not-applied", readBack: 0 });
    expect(readRaw(bms.setup, FIELDS.cellOvpVoltage)).toBe(3650);
    expect(readText(bms.deviceInfo, FIELDS.bluetoothName)).toBe("BB02");
  });

  it("reads a setting back twice, and the emergency countdown five times", () => {
    fake.ignoresWrites = true;
    for (const [name, value, looks] of [
      ["cell_ovp_voltage", 3600, 2],
      ["emergency", 1, 5],
    ] as const) {
      const before = fake.sent(3).length;
      write(name, value);
      expect(fake.sent(3).length - before).toBe(looks);
    }
  });

  it("is confirmed, and not said to be another value, by reads that agree", () => {
    for (let foreign = 0; foreign < 3; foreign++) {
      for (const [held, outcome] of [
        [3600, "confirmed"],
        [3500, "not-applied"],
      ] as const) {
        open();
        fake.setWord(0x100e, 3500);
        fake.ignoresWrites = held === 3500;
        let reads = 0;
        // Another master's reply of the same length: it holds what was asked where the BMS does not, and the other way round.
        fake.instead = (bytes) => {
          if (!isRead(bytes) || reads++ !== foreign) return undefined;
          const words = Array<number>(2 * bytes[5]!).fill(0);
          const other = held === 3500 ? 3600 : 3500;
          words.splice(2, 2, other >> 8, other & 255);
          return sealed(1, 3, words.length, ...words);
        };
        expect(write("cell_ovp_voltage", 3600).result.outcome).toBe(outcome);
      }
    }
  });

  it("is unverified when no two reads agree", () => {
    let reads = 0;
    fake.instead = (bytes) =>
      isRead(bytes) ? sealed(1, 3, 2 * bytes[5]!, ...Array<number>(2 * bytes[5]!).fill(++reads)) : undefined;
    expect(write("cell_ovp_voltage", 3600).result).toEqual({ outcome: "unverified" });
  });

  it("reads back after noise", () => {
    fake.instead = (bytes, usual) => (usual && isRead(bytes) ? Uint8Array.of(0xff, ...usual) : undefined);
    expect(write("cell_ovp_voltage", 3600).result).toEqual({ outcome: "confirmed" });
  });

  it("reads back by a frame when FC03 is silent", () => {
    fake.answersReads = false;
    expect(write("cell_ovp_voltage", 3600).result).toEqual({ outcome: "confirmed" });
    expect(requests()).toEqual([
      "01 10 10 0C 00 02",
      expect.stringMatching(/^01 03 10 0C/),
      expect.stringMatching(/^01 03 10 0C/),
      "01 10 16 1E 00 01",
    ]);
    expect(write("bluetooth_name", "Pack 7").result).toEqual({ outcome: "confirmed" });
    expect(requests().at(-1)).toBe("01 10 16 1C 00 01");
  });

  it("reads back by registers when frames are silent", () => {
    open({ readMode: "frames" });
    fake.answersTriggers = false;
    expect(write("cell_ovp_voltage", 3600).result).toEqual({ outcome: "confirmed" });
    expect(requests().at(-1)).toMatch(/^01 03 10 0C/);
  });

  it("without an acknowledgement is not said to be applied by one frame alone", () => {
    open({ readMode: "frames" });
    fake.ignoresWrites = true;
    let frames = 0;
    fake.instead = (bytes, usual) => {
      if (register(bytes) !== 0x161e) return null;
      if (!usual || frames++) return undefined;
      // 3650 becomes 3600, and the sum stays right.
      const wrong = usual.slice();
      wrong[18] = 0x10;
      wrong[22] = usual[22]! + 0x32;
      return wrong;
    };
    expect(write("cell_ovp_voltage", 3600).result).toEqual({ outcome: "no-reply-not-applied", readBack: 3650 });
  });

  it("is unverified when neither answers", () => {
    fake.answersReads = fake.answersTriggers = false;
    expect(write("cell_ovp_voltage", 3600).result).toEqual({ outcome: "unverified" });
  });

  it("does not take a late read-back of another register as its own", () => {
    fake.setWord(0x100e, 3600);
    fake.setWord(0x1012, 3600);
    let stale: Uint8Array | undefined;
    fake.instead = (bytes, usual) => {
      if (bytes[1] !== 3) return undefined;
      const answer = stale ?? null;
      stale = usual;
      return answer;
    };
    fake.ignoresWrites = true;
    fake.answersTriggers = false;
    // OVP is 3600 and is read back late; OVPR must not be confirmed by that.
    write("cell_ovp_voltage", 3600);
    fake.setWord(0x1012, 3500);
    expect(write("cell_ovpr_voltage", 3600).result.outcome).not.toBe("confirmed");
  });

  it("does not take a late read-back of a number as the switch word", () => {
    // The reply to each read is the one to the read before it.
    let stale: Uint8Array | null = null;
    fake.instead = (bytes, usual) => {
      if (!isRead(bytes)) return undefined;
      const answer = stale;
      stale = usual ?? null;
      return answer;
    };
    fake.answersTriggers = false;
    fake.setWord(0x1114, 0x3300);
    for (let round = 0; round < 4; round++) {
      write("cell_ovp_voltage", 3600);
      expect(write("display_always_on", 1).result).toEqual({ outcome: "not-sent" });
      expect(fake.word(0x1114)).toBe(0x3300);
    }
  });

  describe("the switch word", () => {
    it.each([
      ["display_always_on", 1, 0x3300, 0x3310],
      ["display_always_on", 0, 0xffff, 0xffef],
      ["temperature_sensors_disabled", 1, 0x0000, 0x0002],
      ["temperature_sensors_disabled", 0, 0x8003, 0x8001],
    ] as const)("%s %i makes 0x%s of it and leaves the other bits", (name, value, before, after) => {
      for (const readMode of ["registers", "frames"] as const) {
        open({ readMode });
        fake.setWord(0x1114, before);
        expect(write(name, value).result).toEqual({ outcome: "confirmed" });
        expect(fake.word(0x1114)).toBe(after);
      }
    });

    it("is read from the BMS every time, not from the image", () => {
      read(SETUP);
      fake.setWord(0x1114, 0x0100);
      write("display_always_on", 1);
      expect(fake.word(0x1114)).toBe(0x0110);
    });

    it("is never formed from another master's reply of the same length", () => {
      for (let foreign = 0; foreign < 3; foreign++) {
        open();
        fake.setWord(0x1114, 0x8321);
        let reads = 0;
        fake.instead = (bytes) =>
          isRead(bytes) && reads++ === foreign
            ? sealed(1, 3, 2 * bytes[5]!, ...Array<number>(2 * bytes[5]!).fill(0))
            : undefined;
        expect(write("display_always_on", 1).result).toEqual({ outcome: "confirmed" });
        expect(fake.word(0x1114)).toBe(0x8331);
      }
    });

    it("is not written while every read contradicts the one before", () => {
      let reads = 0;
      fake.instead = (bytes) =>
        isRead(bytes) ? sealed(1, 3, 2 * bytes[5]!, ...Array<number>(2 * bytes[5]!).fill(reads++)) : undefined;
      expect(write("display_always_on", 1).result).toEqual({ outcome: "not-sent-busy" });
      expect(reads).toBe(MAX_UNSETTLED_READS);
      expect(fake.sent(16)).toEqual([]);
    });

    it("is compared as a whole: a switch that changed beside the requested one is not confirmed", () => {
      fake.setWord(0x1114, 0x8300);
      fake.instead = (bytes) => {
        // Somebody else's write, right after ours.
        if (bytes[1] === 16) clock.after(5, () => fake.setWord(0x1114, 0x0310));
        return undefined;
      };
      const readBack = "0x0310, changed: GPS locks discharging";
      expect(write("display_always_on", 1).result).toEqual({ outcome: "not-applied", readBack });
    });

    it("names two of the others that have changed, even where the requested one has not", () => {
      fake.ignoresWrites = true;
      fake.instead = (bytes) => {
        if (bytes[1] === 16) clock.after(5, () => fake.setWord(0x1114, 0x0307));
        return undefined;
      };
      const readBack = "0x0307, changed: heating, temperature sensors disabled, ...";
      expect(write("display_always_on", 1).result).toEqual({ outcome: "not-applied", readBack });
    });

    it("is formed from two frames that agree, and judged by two where it is not what was written", () => {
      // The first frame before the write, the second, and those that read it back: two wrong bits that the sum does not show.
      for (let damaged = 0; damaged < 5; damaged++) {
        open({ readMode: "frames" });
        fake.setWord(0x1114, 0x3200);
        let frames = 0;
        fake.instead = (bytes, usual) => {
          if (!usual || register(bytes) !== 0x161e || frames++ !== damaged) return undefined;
          const wrong = usual.slice();
          wrong[282] = usual[282]! ^ 2;
          wrong[284] = usual[284]! ^ 2;
          wrong[299] = wrong.subarray(0, 299).reduce((sum, byte) => sum + byte, 0);
          return wrong;
        };
        expect([damaged, write("display_always_on", 1).result]).toEqual([damaged, { outcome: "confirmed" }]);
        expect([damaged, fake.word(0x1114)]).toEqual([damaged, 0x3210]);
      }
    });

    it.each([115_200, 9_600])(
      "keeps its other bits whichever frame has two wrong bits, at %i baud; 1,000,000 of them: test/soak",
      (baud) => {
        const { damaged, ...written } = writeDamaged(1_000, 1, baud);
        expect(written).toEqual({ foreign: 0, missed: 0, falsely: 0, confirmed: 1_000 });
        expect(damaged).toBeGreaterThan(500);
      },
    );

    it("is not confirmed while another switch stands changed, by frames, and nothing is put back", () => {
      open({ readMode: "frames" });
      fake.setWord(0x1114, 0x3200);
      fake.instead = (bytes) => {
        if (register(bytes) === 0x1114) clock.after(5, () => fake.setWord(0x1114, 0x3212));
        return undefined;
      };
      const readBack = "0x3212, changed: temperature sensors disabled";
      expect(write("display_always_on", 1).result).toEqual({ outcome: "not-applied", readBack });
      expect(fake.word(0x1114)).toBe(0x3212);
    });

    it("is never written when it could not be read", () => {
      fake.answersReads = fake.answersTriggers = false;
      expect(write("display_always_on", 1).result).toEqual({ outcome: "not-sent" });
      expect(new Set(fake.sent(16).map(register))).toEqual(new Set([0x161e]));
    });
  });

  describe("emergency", () => {
    it("is confirmed when the countdown agrees", () => {
      expect(write("emergency", 1).result).toEqual({ outcome: "confirmed" });
      expect(fake.word(0x12d4)).toBe(1800);
      expect(write("emergency", 0).result).toEqual({ outcome: "confirmed" });
      expect(requests().filter((request) => request.startsWith("01 10"))).toEqual(Array(2).fill("01 10 16 10 00 01"));
    });

    it("shows its countdown with the next telemetry, like everything else", () => {
      read();
      write("emergency", 1);
      expect(readRaw(bms.telemetry, FIELDS.emergencyTime)).toBe(0);
      read();
      expect(readRaw(bms.telemetry, FIELDS.emergencyTime)).toBe(1800);
    });

    it("waits a moment for the countdown", () => {
      fake.ignoresWrites = true;
      clock.after(700, () => fake.setWord(0x12d4, 60));
      expect(write("emergency", 1).result).toEqual({ outcome: "confirmed" });
    });

    it.each([
      ["rises", 12],
      ["falls by more than the time between", -12],
    ])("on is not confirmed by replies of others whose countdown %s", (_, step) => {
      fake.ignoresWrites = true;
      let left = 900;
      fake.instead = (bytes) => {
        if (!isRead(bytes)) return undefined;
        left += step;
        return sealed(1, 3, 2 * bytes[5]!, left >> 8, left & 255, ...Array<number>(2 * bytes[5]! - 2).fill(0));
      };
      expect(write("emergency", 1).result).toEqual({ outcome: "unverified" });
      expect(fake.sent(3)).toHaveLength(MAX_UNSETTLED_READS);
    });

    it("on is confirmed while the countdown runs, which has begun anew", () => {
      fake.setWord(0x12d4, 100);
      fake.delay = 150;
      const end = clock.now + 5_000;
      const run = (): void => {
        fake.setWord(0x12d4, fake.word(0x12d4) - 1);
        if (clock.now < end) clock.after(1_000, run);
      };
      clock.after(20, run);
      expect(write("emergency", 1).result).toEqual({ outcome: "confirmed" });
      expect(fake.word(0x12d4)).toBeGreaterThan(1_700);
    });

    it("on is not confirmed by one frame alone, whose sum two wrong bits may leave right", () => {
      open({ readMode: "frames" });
      fake.ignoresWrites = true;
      let frames = 0;
      fake.instead = (bytes, usual) => {
        if (register(bytes) !== 0x1620 || !usual || frames++) return undefined;
        const damaged = usual.slice();
        // 0x12D4, and a wire resistance.
        damaged[6 + 0xd4]! ^= 4;
        damaged[6 + 0x90]! ^= 4;
        return damaged;
      };
      expect(write("emergency", 1).result).toEqual({ outcome: "not-applied", readBack: 0 });
    });

    it("off is confirmed by two reads that agree, and not by another master's reply alone", () => {
      expect(write("emergency", 0).result).toEqual({ outcome: "confirmed" });
      expect(fake.sent(3)).toHaveLength(AGREEING_READS);
      fake.setWord(0x12d4, 900);
      fake.ignoresWrites = true;
      let reads = 0;
      fake.instead = (bytes) =>
        isRead(bytes) && !reads++ ? sealed(1, 3, 2 * bytes[5]!, ...Array<number>(2 * bytes[5]!).fill(0)) : undefined;
      expect(write("emergency", 0).result).toEqual({ outcome: "not-applied", readBack: 900 });
    });

    it("off is not applied while the countdown continues", () => {
      fake.setWord(0x12d4, 900);
      fake.ignoresWrites = true;
      expect(write("emergency", 0).result).toEqual({ outcome: "not-applied", readBack: 900 });
      expect(fake.sent(3)).toHaveLength(5);
    });

    it("is read back by a telemetry frame when reading by frames", () => {
      open({ readMode: "frames" });
      expect(write("emergency", 1).result).toEqual({ outcome: "confirmed" });
      expect(requests()).toEqual(["01 10 16 10 00 01", "01 10 16 20 00 01", "01 10 16 20 00 01"]);
    });
  });

  describe("beside another master", () => {
    const master = (): void => board.wire.bms.send(capture("phinix-parallel_req_1620_addr2"));

    beforeEach(() => {
      open({ mode: "auto" });
      clock.runFor(FIRST_LISTEN);
    });

    it.each([
      ["cell_count", 15],
      ["display_always_on", 1],
    ] as const)("%s %i is not sent, which is known at once", (name, value) => {
      master();
      clock.runFor(100);
      const { result, took } = write(name, value);
      expect(result).toEqual({ outcome: "not-sent-busy" });
      expect(took).toBeLessThan(100);
      expect(fake.requests).toEqual([]);
    });

    it("is unknown, and not sent again, if that is heard after it was sent", () => {
      fake.instead = () => null;
      clock.after(200, master);
      const { result, took } = write("cell_count", 15);
      expect(result).toEqual({ outcome: "no-reply" });
      expect(took).toBeLessThan(500);
      expect(requests()).toEqual(["01 10 10 6C 00 02"]);
    });

    it("is unverified if that is heard before the value is read back", () => {
      fake.instead = (bytes, usual) => {
        if (bytes[1] === 16) clock.after(20, master);
        return usual;
      };
      expect(write("cell_count", 15).result).toEqual({ outcome: "unverified" });
      expect(requests()).toEqual(["01 10 10 6C 00 02"]);
    });
  });

  describe("within its time", () => {
    it.each([
      ["cell_count", 15],
      ["display_always_on", 1],
    ] as const)("%s %i ends at the latest when its time is up", (name, value) => {
      for (const timeout of [1, 50, 387, 389, 500, 1200]) {
        open();
        fake.instead = () => null;
        const { result, took } = write(name, value, timeout);
        // The gap and the wait for the reply take 388 ms.
        const unsent = name === "cell_count" ? "not-sent-busy" : "not-sent";
        expect(result).toEqual({ outcome: name === "cell_count" && timeout > 388 ? "no-reply" : unsent });
        if (name === "cell_count") expect(fake.sent(16).length > 0).toBe(result.outcome === "no-reply");
        expect(took).toBeLessThanOrEqual(timeout);
        expect(bus.busy).toBe(false);
      }
    });

    it.each([
      [DEFAULT_GAP, 4500, WRITE_TRIES],
      [500, 4500, WRITE_TRIES],
      [700, 4500, WRITE_TRIES - 1],
      [MAX_GAP, 4500, 1],
      [MAX_GAP, 3600, 1],
    ])("at a gap of %i ms a lost reply leaves time for the read-back (%i ms: %i tries)", (gap, timeout, tries) => {
      open({ gap });
      fake.instead = (bytes) => (bytes[1] === 16 ? null : undefined);
      expect(write("cell_count", 15, timeout).result).toEqual({ outcome: "no-reply-applied" });
      expect(fake.sent(16)).toHaveLength(tries);
    });

    it("is unknown when a busy bus delayed the request, and the time is up before the reply", () => {
      fake.instead = () => null;
      for (let at = 0; at < 300; at += 10) clock.after(at, () => board.wire.bms.send(Uint8Array.of(0x55)));
      const { result, took } = write("cell_count", 15, 600);
      expect([result, took]).toEqual([{ outcome: "no-reply" }, 600]);
      expect(fake.sent(16)).toHaveLength(1);
    });

    it("is unknown when the time is up while its reply is awaited", () => {
      fake.instead = () => null;
      for (let at = 0; at < 400; at += 10) clock.after(at, () => board.wire.bms.send(Uint8Array.of(0x55)));
      const { result, took } = write("cell_count", 15, 600);
      expect([result, took]).toEqual([{ outcome: "no-reply" }, 600]);
      expect(fake.sent(16)).toHaveLength(1);
      // Nothing follows.
      expect(fake.requests).toHaveLength(1);
    });

    it("is not sent when the time is up while the bus is busy", () => {
      read();
      const from = fake.requests.length;
      for (let at = 0; at < 450; at += 10) clock.after(at, () => board.wire.bms.send(Uint8Array.of(0x55)));
      clock.runFor(50);
      const { result, took } = write("cell_count", 15, 400);
      expect([result, took]).toEqual([{ outcome: "not-sent-busy" }, 400]);
      expect(fake.requests).toHaveLength(from);
    });

    it("nothing is sent without time for its reply", () => {
      open({ gap: MAX_GAP });
      // The word is read twice, each time after a gap; another and 313 ms for the reply no longer fit.
      const { result, took } = write("display_always_on", 1, 3100);
      expect(result).toEqual({ outcome: "not-sent-busy" });
      // Ends when that is known, not when the time is up.
      expect(took).toBeLessThan(2200);
      expect(fake.sent(3)).toHaveLength(2);
      expect(fake.sent(16)).toEqual([]);
      expect(write("display_always_on", 1, 6000).result).toEqual({ outcome: "confirmed" });
    });

    it("reports an acknowledged write as far as it was verified", () => {
      fake.answersReads = fake.answersTriggers = false;
      expect(write("cell_ovp_voltage", 3600, 600).result).toEqual({ outcome: "unverified" });
      open();
      fake.ignoresWrites = true;
      expect(write("emergency", 1, 600).result).toEqual({ outcome: "not-applied", readBack: 0 });
    });

    it("the next read is not disturbed by an aborted one", () => {
      fake.delay = 200;
      write("cell_count", 15, 150);
      fake.delay = 10;
      expect(read().outcome).toBe("ok");
    });

    it.each([0, -1, NaN])("refuses a timeout of %d", (timeout) => {
      const error = new RangeError(`timeout ${timeout}`);
      expect(() => bms.write("cell_count", 15, timeout, () => undefined)).toThrow(error);
      expect(bus.busy).toBe(false);
    });
  });
});
