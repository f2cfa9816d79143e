/** A document that is written again from what has changed must be the one that is written whole, byte for byte. */
import * as FIELDS from "jk-bms/field-table";
import type { Field } from "jk-bms/fields";
import { Images } from "jk-bms/image";
import { DEVICE_INFO, SETUP, TELEMETRY, type BlockType } from "jk-bms/types";
import { JsonWriter } from "json/writer";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { REST, STATUS_ITEMS, writeStatus } from "../../src/catalogue/document";
import { Kept } from "../../src/catalogue/kept";
import type { Pack } from "../../src/catalogue/pack";
import { Rendered } from "../../src/endpoints/rendered";
import fc from "../support/property";

const BLOCK = 293;
const MAX_BYTES = 8192;

class Bench implements Pack {
  online = true;
  configurationLoaded = true;
  readonly images = new Images();
  readonly blocks = {
    [SETUP]: new Uint8Array(BLOCK),
    [TELEMETRY]: new Uint8Array(BLOCK),
    [DEVICE_INFO]: new Uint8Array(BLOCK),
  };
  readonly kept = new Rendered(STATUS_ITEMS);
  state = 0;
  get telemetry() {
    return this.images[TELEMETRY];
  }
  get setup() {
    return this.images[SETUP];
  }
  get deviceInfo() {
    return this.images[DEVICE_INFO];
  }

  set(block: BlockType, at: number, byte: number): void {
    this.blocks[block][at] = byte;
  }

  read(block: BlockType, littleEndian = false): void {
    this.images.replace(block, littleEndian, 0, this.blocks[block], 0, BLOCK);
  }

  /** As the API does. */
  write(kept: Rendered | undefined, room = MAX_BYTES): string {
    const into = new Uint8Array(room).fill(0x2a);
    if (kept) expect(kept.serve(into, this.state)).toBe(0);
    const json = new JsonWriter().begin(into).open();
    json.boolean("success", true).open("data");
    writeStatus(json, this, REST, kept);
    json.integer("ageSeconds", this.state % 1001).close();
    const length = json.close().end();
    kept?.keep(into, length, this.state);
    return new TextDecoder().decode(into.subarray(0, length));
  }

  /** The document, which is the same either way. */
  check(): string {
    this.state++;
    const whole = this.write(undefined);
    expect(this.write(this.kept)).toBe(whole);
    return whole;
  }
}

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});

/** Offsets that the document shows, so that a change of one is not lost among the others. */
const SHOWN = [
  ...Array.from({ length: 64 }, (_, at) => at),
  ...Array.from({ length: 64 }, (_, at) => 0x4a + at),
  ...Object.values(FIELDS)
    .filter(({ block }) => block === TELEMETRY)
    .flatMap(({ offset, length }) => Array.from({ length }, (_, at) => offset + at)),
];

describe("a status written again from what has changed", () => {
  it("is the whole one, byte for byte, whatever changes", () => {
    const byte = fc.oneof(fc.constantFrom(0, 1, 9, 10, 99, 100, 0x7f, 0x80, 0xff), fc.nat({ max: 255 }));
    const change = fc.record({
      block: fc.constantFrom<BlockType>(TELEMETRY, TELEMETRY, TELEMETRY, TELEMETRY, SETUP, DEVICE_INFO),
      at: fc.oneof(fc.constantFrom(...SHOWN), fc.nat({ max: 100 })),
      byte,
    });
    const step = fc.record({
      changes: fc.array(change, { maxLength: 6 }),
      littleEndian: fc.constantFrom(false, false, false, true),
      online: fc.constantFrom(true, true, true, false),
      /** The link is opened again: nothing is known. */
      forget: fc.constantFrom(false, false, false, false, false, true),
    });
    const start = fc.array(change, { maxLength: 60 });
    const mask = fc.constantFrom(0, 1, 0xff, 0xffff, 0xffffff, 0xffffffff, 0xf0f0, 0xaaaaaaaa);
    fc.assert(
      fc.property(start, mask, fc.array(step, { maxLength: 12, size: "max" }), (first, cells, steps) => {
        bench = new Bench();
        new DataView(bench.blocks[TELEMETRY].buffer).setUint32(0x40, cells);
        for (const { block, at, byte: value } of first) bench.set(block, at, value);
        bench.check();
        for (const { changes, littleEndian, online, forget } of steps) {
          for (const { block, at, byte: value } of changes) bench.set(block, at, value);
          for (const block of new Set([TELEMETRY, ...changes.map((one) => one.block)] as const))
            bench.read(block, littleEndian);
          bench.online = online;
          if (forget) for (const image of [bench.telemetry, bench.setup, bench.deviceInfo]) image.valid = false;
          bench.check();
        }
      }),
      { numRuns: 300 },
    );
  });

  it("is the whole one when two cells have changed places, in the other byte order", () => {
    const view = new DataView(bench.blocks[TELEMETRY].buffer);
    view.setUint32(0x40, 3);
    view.setUint16(0, 3301);
    view.setUint16(2, 3302);
    bench.read(TELEMETRY);
    expect(bench.check()).toContain('"voltage":3.301,');
    // The same bytes.
    view.setUint32(0x40, 3, true);
    bench.read(TELEMETRY, true);
    bench.check();
  });

  it("is the whole one after a telemetry that is not known", () => {
    new DataView(bench.blocks[TELEMETRY].buffer).setUint32(0x40, 0xffff);
    for (const littleEndian of [false, false, true, true]) {
      bench.set(TELEMETRY, 0xa7, 50);
      bench.read(TELEMETRY, littleEndian);
      bench.check();
      bench.telemetry.valid = false;
      bench.check();
    }
  });

  it("is written whole after one that did not fit", () => {
    bench.read(TELEMETRY);
    bench.check();
    bench.set(TELEMETRY, 0xa7, 77);
    bench.read(TELEMETRY);
    bench.state++;
    expect(() => bench.write(bench.kept, 300)).toThrow(RangeError);
    bench.set(TELEMETRY, 0xa7, 7);
    bench.read(TELEMETRY);
    expect(bench.check()).toContain('"soc":7,');
  });

  it("shows a text that was written", () => {
    bench.read(DEVICE_INFO);
    bench.check();
    bench.deviceInfo.patch(FIELDS.bluetoothName, "other");
    expect(bench.check()).toContain('"name":"other"');
  });
});

describe("what is as it was is copied, in runs", () => {
  const CELLS = 16;
  /** Bytes of a document that were copied, and in how many runs. */
  function copied(): [bytes: number, runs: number] {
    const copy = vi.spyOn(bench.kept, "copy");
    bench.check();
    const { calls } = copy.mock;
    copy.mockRestore();
    return [calls.reduce((bytes, [, , from, to]) => bytes + to - from, 0), calls.length];
  }
  const bytesOf = (member: string): number => {
    const text = bench.write(undefined);
    const from = text.indexOf(`"${member}":`);
    return text.slice(from).search(/[,}]/) + 1;
  };
  let all: number;

  const change = ({ block, offset }: Field, byte: number): void => {
    bench.set(block, offset, byte);
    bench.read(block);
  };

  beforeEach(() => {
    new DataView(bench.blocks[TELEMETRY].buffer).setUint32(0x40, 2 ** CELLS - 1);
    bench.set(TELEMETRY, FIELDS.soc.offset, 50);
    // What is unknown has no number.
    bench.set(TELEMETRY, FIELDS.temperatureSensors.offset, 0xff);
    bench.set(TELEMETRY, FIELDS.temperatureSensors.offset + 1, 0xff);
    bench.set(DEVICE_INFO, FIELDS.maxCells.offset, CELLS);
    for (const block of [TELEMETRY, SETUP, DEVICE_INFO] as const) bench.read(block);
    const text = bench.check();
    // Each run of rows and of cells ends before what is written after them; a computed text has no number either.
    all = text.indexOf("]") - text.indexOf('"online"') - ',"cells":[}'.length - bytesOf("batteryType");
  });

  it("all of it but what has no number, if nothing has changed", () => {
    expect(copied()).toEqual([all, 3]);
    expect(copied()).toEqual([all, 3]);
  });

  it("all but the rows that have changed", () => {
    change(FIELDS.soc, 51);
    expect(copied()).toEqual([all - bytesOf("soc"), 4]);
    expect(copied()).toEqual([all, 3]);
    // A text is written anew when its block has been read.
    change(FIELDS.bluetoothName, 0x41);
    const [bytes, runs] = copied();
    expect(all - bytes).toBeGreaterThan(bytesOf("name") + bytesOf("model"));
    expect(runs).toBe(4);
    expect(copied()).toEqual([all + 1, 3]);
  });

  it("all but the row that is last", () => {
    change(FIELDS.battery2Temperature, 1);
    expect(copied()[1]).toBe(3);
  });

  // A high byte of the third cell and a low one of the fourth; voltages are in the rows too.
  it.each([
    ["voltage", 4],
    ["voltage", 7],
    ["wire resistance", 0x4a + 4],
    ["wire resistance", 0x4a + 7],
  ])("all but the two cells of which one has changed: %s at %i", (what, at) => {
    const cell = ',{"number":3,"voltage":0,"wireResistanceMilliOhm":0}';
    bench.set(TELEMETRY, at, 1);
    bench.read(TELEMETRY);
    const [bytes, runs] = copied();
    if (what === "voltage") expect(all - bytes).toBeGreaterThan(2 * cell.length);
    else expect([all - bytes, runs]).toEqual([2 * cell.length, 4]);
    expect(all - bytes).toBeLessThan(4 * cell.length);
    expect(copied()[1]).toBe(3);
  });
});

describe("Kept", () => {
  class Document extends Kept {
    constructor(text?: string, room = 0) {
      super();
      if (text === undefined) return;
      this.old = new Uint8Array(text.length + room).fill(0x2a);
      this.old.set(new TextEncoder().encode(text));
      this.length = text.length;
    }
    get whole(): string {
      return new TextDecoder().decode(this.old);
    }
  }
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

  it("copies as long as there is room, and counts on beyond it", () => {
    const into = bytes("......");
    const document = new Document("abcdef");
    expect(document.copy(into, 2, 1, 5)).toBe(6);
    expect(new TextDecoder().decode(into)).toBe("..bcde");
    expect(document.copy(into, 3, 0, 4)).toBe(7);
    expect(new TextDecoder().decode(into)).toBe("..bcde");
    expect(new Document().copy(into, 0, 1, 3)).toBe(2);
    expect(new TextDecoder().decode(into)).toBe("..bcde");
  });

  it("repeats a part of the document elsewhere in it", () => {
    const document = new Document("abcdef");
    document.repeat(4, 1, 3);
    expect(document.whole).toBe("abcdbc");
    expect(() => new Document().repeat(4, 1, 3)).not.toThrow();
  });

  it.each([
    ["as long", 2, 4, "XY", 0, "abXYefgh**"],
    ["shorter", 2, 5, "X", -2, "abXfghgh**"],
    ["longer", 2, 3, "XYZ", 2, "abXYZdefgh"],
    ["of the end, longer", 6, 8, "XYZU", 2, "abcdefXYZU"],
  ])("replaces a part by one that is %s", (_, from, to, text, moved, whole) => {
    const document = new Document("abcdefgh", 2);
    // Of what is given, only that length.
    expect(document.replace(from, to, bytes(`${text}...`), text.length)).toBe(moved);
    expect(document.whole).toBe(whole);
  });

  it("does not replace what finds no room, or is nowhere", () => {
    const document = new Document("abcdefgh", 2);
    expect(document.replace(0, 1, bytes("XYZU"), 4)).toBeNaN();
    expect(document.replace(NaN, NaN, bytes("X"), 1)).toBeNaN();
    expect(document.whole).toBe("abcdefgh**");
    expect(document.replace(0, 1, bytes("XYZ"), 3)).toBe(2);
    // Full now, until something is shorter again.
    expect(document.replace(0, 1, bytes("XY"), 2)).toBeNaN();
    expect(document.replace(0, 3, bytes("X"), 1)).toBe(-2);
    expect(document.replace(0, 1, bytes("XYZ"), 3)).toBe(2);
    expect(document.whole).toBe("XYZbcdefgh");
    expect(new Document().replace(0, 1, bytes("X"), 1)).toBeNaN();
  });

  it("is known while there is an old document", () => {
    expect([new Document().known, new Document("").known]).toEqual([false, true]);
  });
});
