/** The simulator's partition "history": NOR flash in a file, as the firmware opens it. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Flash from "embedded:storage/flash";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SimulatedBoard } from "../../host-sim/board";
import { FlashFile } from "../../host-sim/flash-file";
import { PowerCut, SECTOR_BYTES } from "../../host-sim/nor-flash";
import { FIRST_SECTOR, PARTITION, SECTORS } from "../../src/history/layout";

let path: string;
let board: SimulatedBoard;
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), "flash-")), "history");
  board = new SimulatedBoard({ history: path });
  board.powerOn();
});
afterEach(() => board.powerOff());

const bytesAt = (at: number, length: number): number[] => [...readFileSync(path).subarray(at, at + length)];

describe("the partition", () => {
  it("has the size of the boards'", () => {
    expect(Flash.open({ path: PARTITION }).status()).toEqual({
      size: (FIRST_SECTOR + SECTORS) * SECTOR_BYTES,
      blockLength: SECTOR_BYTES,
      blocks: FIRST_SECTOR + SECTORS,
    });
    expect(() => Flash.open({ path: "other" })).toThrow("can't find partition");
  });

  it("clears bits when it is written, and sets them when it is erased, in the file too", () => {
    const flash = Flash.open({ path: PARTITION });
    const at = SECTOR_BYTES + 8;
    flash.write(Uint8Array.of(0xf0, 0x0f), at);
    flash.write(Uint8Array.of(0x3c), at);
    const read = new Uint8Array(3);
    expect([flash.read(read, at), ...read]).toEqual([3, 0x30, 0x0f, 0xff]);
    expect(bytesAt(at, 3)).toEqual([0x30, 0x0f, 0xff]);
    flash.eraseBlock(1);
    expect(bytesAt(at, 3)).toEqual([0xff, 0xff, 0xff]);
    expect(board.history.wear.slice(0, 3)).toEqual([0, 1, 0]);
  });

  it("keeps the script busy while it is erased", () => {
    Flash.open({ path: PARTITION }).eraseBlock(1, 3);
    let ran = -1;
    board.script.post(() => (ran = board.clock.now));
    const before = board.clock.now;
    board.clock.runFor(1_000);
    expect(ran - before).toBe(90);
  });

  it("is there after a power cut, and in another simulator", () => {
    Flash.open({ path: PARTITION }).write(Uint8Array.of(1), 0);
    board.powerOff();
    expect(new FlashFile(FIRST_SECTOR + SECTORS, path).bytes[0]).toBe(1);
    board.powerOn();
  });

  it("whose power is cut within a write has what was written in the file", () => {
    board.history.power = 1;
    expect(() => Flash.open({ path: PARTITION }).write(Uint8Array.of(1, 2, 3), 0)).toThrow(PowerCut);
    expect(bytesAt(0, 3)).toEqual([...board.history.bytes.subarray(0, 3)]);
    expect(board.history.bytes[0]).toBe(1);
    expect(() => Flash.open({ path: PARTITION }).write(Uint8Array.of(0), 9)).toThrow(PowerCut);
  });
});

it("a file of another size is refused by its name", () => {
  writeFileSync(path, "short");
  expect(() => new FlashFile(4, path)).toThrow(`flash file ${path} has 5 bytes instead of 16384`);
});
