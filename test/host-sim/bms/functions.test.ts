import fc, { runs } from "../../support/property";
import { describe, expect, it } from "vitest";
import { crcHolds, withCrc } from "../../../host-sim/bms/codec";
import { BLOCKS, WIDTH } from "../../../host-sim/bms/fields";
import { PASSWORD, PIN, SERIAL_NUMBER } from "../../../host-sim/bms/simulated-bms";
import { BmsBench, exception, hex, long, readRequest, triggerRequest, writeRequest } from "../../support/bms/bms-bench";

const still = (options = {}): BmsBench => new BmsBench({ evolving: false, ...options });

describe('limits of one read (docs/jk-modbus.md, "Reads")', () => {
  const allowed = [
    [0x1000, 120],
    [0x1200, 120],
    [0x1400, 120],
    [0x1400, 122],
    [0x1400, 123],
    [0x1078, 22],
    [0x1278, 50],
    [0x1478, 60],
    [0x12f0, 16],
    [0x12f0, 26],
    [0x10a0, 64],
    [0x1522, 1],
  ] as const;
  const refused = [
    [0x1400, 124],
    [0x1400, 125],
    [0x14f0, 27],
    [0x12f0, 27],
    [0x12f0, 32],
    [0x10b0, 64],
    [0x12a8, 72],
    [0x14e0, 48],
    [0x1278, 120],
    [0x10f0, 80],
    [0x1310, 80],
    [0x1124, 1],
    [0x1324, 1],
    [0x1524, 1],
  ] as const;

  it.each(allowed)("%i x %i is answered", (register, quantity) => {
    const reply = still().ask(readRequest(register, quantity));
    expect(reply).toHaveLength(5 + quantity * 2);
    expect(reply[2]).toBe(quantity * 2);
    expect(crcHolds(reply)).toBe(true);
  });

  it.each(refused)("%i x %i is exception 2", (register, quantity) => {
    expect(hex(still().ask(readRequest(register, quantity)))).toBe("01 83 02 C0 F1");
  });

  it.each([
    ["15.41", exception(3, 2)],
    ["18.99", exception(3, 2)],
    ["19.00", hex(withCrc([1, 3, 2, 0xec, 0xf6]))],
  ])("the limits for discharging in the cold are a read of firmware 19: %s", (firmware, expected) => {
    const bench = still({ firmware });
    bench.bms.registers.write("TMPBatDCHUT", -20);
    bench.bms.registers.write("TMPBatDCHUTPR", -10);
    expect(hex(bench.ask(readRequest(0x1122, 1)))).toBe(expected);
  });

  it.each([0x0000, 0x0ffe, 0x1126, 0x11fe, 0x1600, 0x1620, 0xfffe])("%i is in no block: exception 2", (register) => {
    expect(hex(still().ask(readRequest(register, 1)))).toBe(exception(3, 2));
  });

  it("odd registers are exception 2, a quantity of 0 exception 3", () => {
    expect(hex(still().ask(readRequest(0x1001, 1)))).toBe(exception(3, 2));
    expect(hex(still().ask(readRequest(0x1000, 0)))).toBe(exception(3, 3));
  });

  it("a read returns the same bytes wherever it starts", () => {
    const bench = still();
    const whole = bench.read(0x1400, 32);
    expect(hex(bench.read(0x1420, 16))).toBe(hex(whole.subarray(32)));
  });
});

describe("byte order", () => {
  it("FC03 is big-endian at the byte offset where the frame is little-endian", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 }), fc.nat(), fc.nat(), (block, pick, value) => {
        const { type, base, fields } = BLOCKS[block] as (typeof BLOCKS)[number];
        const numbers = fields.filter(({ kind, frameOnly }) => kind !== "text" && kind !== "f32" && !frameOnly);
        const field = numbers[pick % numbers.length] as (typeof fields)[number];
        const width = WIDTH[field.kind];
        const index = value % field.count;
        const offset = field.register - base + index * width;
        if (offset > 290) return;
        const bench = still();
        bench.bms.registers.write(field.name, value % 2 ** (width * 8 - 1), index);
        const frame = bench.ask(triggerRequest({ 1: 0x161e, 2: 0x1620, 3: 0x161c }[type])).subarray(0, 300);
        const little = frame.subarray(6 + offset, 6 + offset + width);
        const word = bench.read(field.register + index * width - (offset % 2), Math.ceil(width / 2));
        const big = word.subarray(offset % 2, (offset % 2) + width);
        expect(hex(big)).toBe(hex(Uint8Array.from(little).reverse()));
      }),
    );
  });

  it("an 8-bit field at the lower offset is the high byte of the word", () => {
    const bench = still();
    bench.bms.registers.write("BalanSta", 1);
    bench.bms.registers.write("SOC", 59);
    expect(hex(bench.read(0x12a6, 1))).toBe("01 3B");
  });

  it("the enable flags of the settings exist in the frame only", () => {
    const bench = still();
    expect(hex(bench.read(0x1118, 5))).toBe("18 00 00 00 00 00 00 00 00 00");
    expect(hex(bench.ask(triggerRequest(0x161e)).subarray(287, 293))).toBe("FE FF FF FF 9F E9");
  });
});

/** Every 32-bit setting with a range, and its lowest and highest value on a JK_PB2A16S20P. */
const SETTINGS = [
  ...[0x1000, 0x1004, 0x1008, 0x100c, 0x1010, 0x1018, 0x101c, 0x1020, 0x1024, 0x1028].map(
    (register) => [register, 1200, 4400] as const,
  ),
  [0x1014, 3, 1000],
  [0x102c, 1000, 200_000],
  [0x1030, 2, 600],
  [0x1034, 2, 600],
  [0x1038, 1000, 200_000],
  [0x103c, 2, 600],
  [0x1040, 2, 600],
  [0x1044, 2, 600],
  [0x1048, 300, 2000],
  [0x104c, 300, 800],
  [0x1050, 300, 800],
  [0x1054, 300, 800],
  [0x1058, 300, 800],
  [0x105c, -450, 200],
  [0x1060, -450, 200],
  [0x1064, 500, 1100],
  [0x1068, 500, 1100],
  [0x106c, 2, 32],
  [0x1070, 0, 1],
  [0x1074, 0, 1],
  [0x1078, 0, 1],
  [0x107c, 2000, 20_000_000],
  [0x1080, 0, 1_000_000],
  [0x1084, 1200, 4250],
  [0x1088, 0, 2_000_000],
  [0x1104, 0, 2_000_000],
  [0x110c, 0, 300],
  [0x1110, 100_000, 20_000_000],
] as const;

describe("writes of single settings", () => {
  it.each(SETTINGS)(
    "register %i accepts %i to %i, and refuses one below and one above",
    (register, lowest, highest) => {
      const bench = still();
      for (const value of [lowest, highest]) {
        bench.set(register, value);
        expect(hex(bench.read(register, 2)), String(value)).toBe(
          hex(writeRequest(register, long(value)).subarray(7, 11)),
        );
      }
      const before = hex(bench.read(register, 2));
      for (const value of [lowest - 1, highest + 1]) {
        expect(hex(bench.ask(writeRequest(register, long(value)))), String(value)).toBe(exception(0x10, 3));
      }
      expect(hex(bench.read(register, 2))).toBe(before);
    },
  );

  it("200.001 A is refused as captured, or with exception 2 if so configured", () => {
    expect(hex(still().ask(writeRequest(0x1038, long(200_001))))).toBe("01 90 03 0C 01");
    expect(hex(still({ valueException: 2 }).ask(writeRequest(0x1038, long(200_001))))).toBe("01 90 02 CD C1");
  });

  it("ceilings follow the model", () => {
    const small = still({ model: "JK_PB1A16S10P" });
    expect(hex(small.ask(writeRequest(0x1048, long(1001))))).toBe(exception(0x10, 3));
    expect(hex(small.ask(writeRequest(0x1038, long(100_001))))).toBe(exception(0x10, 3));
    small.set(0x1048, 1000);
    small.set(0x1038, 100_000);
    expect(small.bms.registers.read("CurBalanMax")).toBe(1000);
  });

  it("a field is written whole and alone: anything else is exception 2", () => {
    for (const [register, values] of [
      [0x1004, [0]],
      [0x1006, [0]],
      [0x1004, [0, 2600, 0, 2700]],
      [0x1004, [0, 2600, 0]],
      [0x1114, [0x3200, 0x0a0a]],
      [0x1116, [0x0a0a, 0x1800]],
      [0x1005, [0]],
    ] as const) {
      expect(hex(still().ask(writeRequest(register, values))), `${register}`).toBe(exception(0x10, 2));
    }
  });

  it.each([0x1108, 0x1122, 0x1124, 0x1200, 0x1290, 0x12a6, 0x1400, 0x1410, 0x1420, 0x1438, 0x1450, 0x1506, 0x1800])(
    "read-only register %i is exception 2",
    (register) => {
      expect(hex(still().ask(writeRequest(register, [0])))).toBe(exception(0x10, 2));
      expect(hex(still().ask(writeRequest(register, [0, 0])))).toBe(exception(0x10, 2));
    },
  );

  it("8-bit pairs: each half has its range, and the read-only half stays", () => {
    const bench = still();
    expect(hex(bench.ask(writeRequest(0x1116, [0xf614])))).toBe(hex(withCrc([1, 0x10, 0x11, 0x16, 0, 1])));
    expect([bench.bms.registers.read("TMPHeatStart"), bench.bms.registers.read("TMPHeatStop")]).toEqual([-10, 20]);
    expect(hex(bench.ask(writeRequest(0x1116, [0xd714])))).toBe(exception(0x10, 3));
    bench.ask(writeRequest(0x1118, [0x0c55]));
    expect(bench.bms.registers.read("TIMSmartSleep")).toBe(12);
    expect(bench.bms.registers.read("SettingsEnableFlags")).toBe(0xfe);
    expect(hex(bench.ask(writeRequest(0x1118, [0])))).toBe(exception(0x10, 3));
  });

  it("the switch word is one register", () => {
    const bench = still();
    bench.ask(writeRequest(0x1114, [0x3251]));
    expect(hex(bench.read(0x1114, 1))).toBe("32 51");
  });

  it("the Bluetooth name: eight words, where the model allows it", () => {
    const name = [0x5465, 0x7374, 0x424d, 0x5300, 0, 0, 0, 0];
    const bench = still();
    expect(hex(bench.ask(writeRequest(0x1428, name)))).toBe("01 10 14 28 00 08 44 37");
    expect(bench.bms.registers.text("BluetoothName")).toBe("TestBMS");
    expect(hex(bench.ask(writeRequest(0x1428, name.slice(0, 7))))).toBe(exception(0x10, 2));
    expect(hex(bench.ask(writeRequest(0x1428, [0x0741, ...name.slice(1)])))).toBe(exception(0x10, 3));
    const older = still({ nameWritable: false });
    expect(hex(older.ask(writeRequest(0x1428, name)))).toBe(exception(0x10, 2));
    expect(older.bms.registers.text("BluetoothName")).toBe("JK-SIM");
  });
});

describe("other functions", () => {
  it("FC06 is 0x86 02 on firmware 15.41, and exception 1 on 19", () => {
    const request = withCrc([1, 6, 0x11, 0x14, 0x32, 0x51]);
    expect(hex(still().ask(request))).toBe("01 86 02 C3 A1");
    expect(hex(still({ firmware: "19.27" }).ask(request))).toBe(exception(6, 1));
  });

  it.each([1, 2, 4, 5, 7, 8, 0x0f, 0x11, 0x14, 0x16, 0x17, 0x2b, 0x41])("function %i is exception 1", (code) => {
    expect(hex(still().ask(withCrc([1, code, 0x10, 0, 0, 1])))).toBe(exception(code, 1));
  });

  it("a length that does not match the byte count or function is exception 3", () => {
    const bench = still();
    expect(hex(bench.ask(withCrc([1, 0x10, 0x10, 0x04, 0, 2, 2, 0x0a, 0x28])))).toBe(exception(0x10, 3));
    expect(hex(bench.ask(withCrc([1, 0x10, 0x10, 0x04, 0, 2, 4, 0x0a, 0x28])))).toBe(exception(0x10, 3));
    expect(hex(bench.ask(withCrc([1, 0x10, 0x10, 0x04, 0, 0, 0])))).toBe(exception(0x10, 3));
    expect(hex(bench.ask(withCrc([1, 3, 0x10, 0])))).toBe(exception(3, 3));
    expect(hex(bench.ask(withCrc([1, 3, 0x10, 0, 0, 1, 0])))).toBe(exception(3, 3));
  });

  it("survives any message with a valid CRC", () => {
    const bench = still();
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), (message) => {
        // The commands that end the board's talking have tests of their own.
        if (message[1] === 0x10 && message[2] === 0x16) return;
        const reply = bench.ask(withCrc([1, ...message]));
        expect(crcHolds(reply)).toBe(true);
        expect(reply[0]).toBe(1);
      }),
      { numRuns: runs(200) },
    );
  });
});

describe("models and firmware", () => {
  it("device information follows them", () => {
    const texts = (bench: BmsBench): unknown[] => [
      bench.bms.registers.text("ManufacturerDeviceID"),
      bench.bms.registers.text("HardwareVersion"),
      bench.bms.registers.text("SoftwareVersion"),
      bench.bms.registers.read("MaxCells"),
    ];
    expect(texts(still())).toEqual(["JK_PB2A16S20P", "15A", "15.41", 0]);
    expect(texts(still({ model: "JK_PB2A16S15P", firmware: "14.20" }))).toEqual(["JK_PB2A16S15P", "14.XA", "14.20", 0]);
    expect(texts(still({ firmware: "19.27" }))).toEqual(["JK-PB2A16S20P", "19A", "19.27", 16]);
  });

  it("the frame's sixth byte is 5 on old firmware and 0 on new", () => {
    expect(still({ firmware: "15.10" }).ask(triggerRequest(0x1620))[5]).toBe(5);
    expect(still().ask(triggerRequest(0x1620))[5]).toBe(0);
  });

  it("has as many cells as the model takes, at most 16 by default", () => {
    const cellsOf = (options: Parameters<typeof still>[0]): number => still(options).bms.pack.cells.length;
    expect(cellsOf({ model: "JK_PB2A8S20P" })).toBe(8);
    expect(cellsOf({ model: "JK_PB2A24S20P" })).toBe(16);
    expect(cellsOf({ model: "JK_PB2A24S20P", cells: 24 })).toBe(24);
    expect(cellsOf({ cells: 16 })).toBe(16);
  });

  it("explains invalid options", () => {
    expect(() => still({ model: "JK-B2A8S20P" })).toThrow("model JK-B2A8S20P is not of the form JK_PB2A16S20P");
    expect(() => still({ firmware: "15" })).toThrow("firmware 15 is not of the form 15.41");
    expect(() => still({ address: 16 })).toThrow("address is a whole number from 0 to 15, not 16");
    expect(() => still({ cells: 33 })).toThrow("cells is a whole number from 1 to 32, not 33");
    expect(() => still({ cells: 0 })).toThrow("cells");
    expect(() => still({ cells: 24 })).toThrow("model JK_PB2A16S20P takes up to 16 cells, not 24");
    expect(() => still({ cells: 17 })).toThrow("up to 16 cells");
    expect(() => still({ model: "JK_PB2A8S20P", cells: 16 })).toThrow("model JK_PB2A8S20P takes up to 8 cells, not 16");
  });

  it("personal fields contain texts that tests can search for", () => {
    const info = new TextDecoder("latin1").decode(still().ask(triggerRequest(0x161c)));
    expect(info).toContain(PIN);
    expect(info).toContain(PASSWORD);
    expect(info).toContain(`${SERIAL_NUMBER}\x00000`);
    expect(info).not.toContain("10000000000");
  });

  it.each([1, 8, 16, 24, 32])("%i cells", (cells) => {
    const bench = new BmsBench({ cells, model: "JK_PB2A32S20P" });
    bench.clock.runFor(1000);
    const { registers } = bench.bms;
    const voltages = Array.from({ length: 32 }, (_, index) => registers.read("CellVol", index));
    expect(voltages.filter((voltage) => voltage > 0)).toHaveLength(cells);
    expect(registers.read("CellSta")).toBe(2 ** cells - 1);
    expect(registers.read("CellCount")).toBe(cells);
    expect(registers.read("Alarms")).toBe(0);
  });
});
