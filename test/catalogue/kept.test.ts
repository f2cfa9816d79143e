/** A document that is written again from what has changed must be the one that is written whole, byte for byte. */
import { FIELDS } from "jk-bms/fields";
import { Images } from "jk-bms/image";
import { DEVICE_INFO, SETUP, TELEMETRY, type BlockType } from "jk-bms/types";
import { JsonWriter } from "json/writer";
import { beforeEach, describe, expect, it } from "vitest";
import { REST, STATUS_ITEMS, writeStatus } from "../../src/catalogue/document";
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
