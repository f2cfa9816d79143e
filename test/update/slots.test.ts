import type { Flash } from "embedded:storage/flash";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { APPLICATION_SLOTS } from "../../src/update/slots";
import { poweredBoard } from "../support/system/simulated-board";

/** boards/esp32/partitions.csv. */
const SLOT_BYTES = 1_856 * 1_024;
const BEGINNING = Uint8Array.of(0xe9, 1, 2, 3);
const REST = Uint8Array.of(4, 5);

const { opened } = vi.hoisted(() => ({
  opened: { bySdk: undefined as ((path: string) => Pick<Flash, "close" | "status">) | undefined },
}));
vi.mock("embedded:storage/flash", async (original) => {
  const { default: simulated } = await original<{ default: { open(options: { path: string }): Flash } }>();
  return { default: { open: ({ path }: { path: string }) => opened.bySdk?.(path) ?? simulated.open({ path }) } };
});

let board: ReturnType<typeof poweredBoard>;
beforeEach(() => {
  board = poweredBoard();
  opened.bySdk = undefined;
});

/** Restarts without power cut or firmware: only the boot loader decides. */
function bootLoader(): number {
  board.slots.boot();
  return board.slots.running;
}

function writeImage(): void {
  const slot = APPLICATION_SLOTS.open();
  slot.write(BEGINNING);
  slot.write(REST);
  slot.complete();
}

describe("the size", () => {
  it("is that of the inactive slot, and its partition is closed again", () => {
    const close = vi.fn();
    const paths: string[] = [];
    opened.bySdk = (path) => {
      paths.push(path);
      return { status: () => ({ size: SLOT_BYTES, blockLength: 4_096, blocks: 464 }), close };
    };
    expect(APPLICATION_SLOTS.size).toBe(SLOT_BYTES);
    expect(paths).toEqual(["nextota"]);
    expect(close).toHaveBeenCalledTimes(1);
  });

  it("is 0 on a board without a second slot", () => {
    opened.bySdk = () => {
      throw new Error("can't find partition");
    };
    expect(APPLICATION_SLOTS.size).toBe(0);
    expect(() => APPLICATION_SLOTS.open()).toThrow("can't find partition");
  });
});

describe("an image", () => {
  it("that is complete starts next, and only once unless it is confirmed", () => {
    writeImage();
    expect(board.slots.running).toBe(0);
    expect([bootLoader(), bootLoader()]).toEqual([1, 0]);
    expect(board.slots.states).toEqual(["valid", "bad"]);
  });

  it("that is confirmed stays", () => {
    writeImage();
    bootLoader();
    APPLICATION_SLOTS.confirm();
    expect([bootLoader(), bootLoader()]).toEqual([1, 1]);
  });

  it("that is rejected is replaced by the previous one at once", async () => {
    let starts = 0;
    board.powerOff();
    await board.boot(() => void starts++);
    writeImage();
    board.restart();
    await board.restarted;
    expect([starts, board.slots.running]).toEqual([2, 1]);
    APPLICATION_SLOTS.reject();
    await board.restarted;
    expect([starts, board.slots.running]).toEqual([3, 0]);
  });

  it("that is abandoned changes nothing", () => {
    const slot = APPLICATION_SLOTS.open();
    slot.write(BEGINNING);
    slot.close();
    expect(bootLoader()).toBe(0);
    expect(board.slots.states).toEqual(["valid", "empty"]);
  });

  it("too long for the slot is refused by the write", () => {
    const slot = APPLICATION_SLOTS.open();
    slot.write(new Uint8Array(APPLICATION_SLOTS.size));
    expect(() => slot.write(Uint8Array.of(0))).toThrow("write failed");
  });
});
