/** A bus with one pack on a simulated wire with a fake BMS, opened anew for each test. Live bindings: tests read them, `open` sets them. */
import { expect } from "vitest";
import type { BoardOptions, SimulatedBoard } from "../../../host-sim/board";
import type { Clock } from "../../../host-sim/clock";
import type { JkBus } from "../../../modules/jk-bms/jk-bus";
import type { JkPack } from "../../../modules/jk-bms/jk-pack";
import { TELEMETRY, type BlockType, type ReadOutcome, type WriteResult } from "../../../modules/jk-bms/types";
import type { WriteName } from "../../../modules/jk-bms/writes";
import { hex } from "../hex";
import { FakeBms } from "./fake-bms";
import { lineBoard } from "./line";
import { PackOnLine, type PackOptions } from "./pack-on-line";

export let clock: Clock;
export let board: SimulatedBoard;
export let fake: FakeBms;
export let bus: JkBus;
export let bms: JkPack;

export function open(options: PackOptions = {}, wire: BoardOptions = {}, address = 1): void {
  board = lineBoard(wire);
  ({ clock } = board);
  fake = new FakeBms(board);
  bus = new PackOnLine(board).open(options, [address]);
  [bms] = bus.links as [JkPack];
}

export function close(): void {
  bus.close();
}

export function read(block: BlockType = TELEMETRY): { outcome: ReadOutcome | undefined; took: number } {
  const since = clock.now;
  let outcome: ReadOutcome | undefined;
  let took = 0;
  bms.read(block, (result) => {
    expect(outcome).toBeUndefined();
    outcome = result;
    took = clock.now - since;
  });
  expect(outcome).toBeUndefined();
  clock.runFor(3000);
  return { outcome, took };
}

export function write(name: WriteName, value: number | string, timeout = 4000): { result: WriteResult; took: number } {
  const since = clock.now;
  let result: WriteResult | undefined;
  let took = 0;
  bms.write(name, value, timeout, (outcome) => {
    expect(result).toBeUndefined();
    result = outcome;
    took = clock.now - since;
  });
  expect(result).toBeUndefined();
  clock.runFor(timeout + 1000);
  expect(took).toBeLessThanOrEqual(timeout);
  return { result: result as WriteResult, took };
}

export const LONG = "01 03 12 00 00 78";
export const SHORT = ["01 03 12 00 00 39", "01 03 12 72 00 38"];
export const TAIL = "01 03 12 E2 00 19";
export const requests = (): string[] => fake.requests.map(({ bytes }) => hex(bytes.subarray(0, 6)));
export const isRead = (bytes: Uint8Array): boolean => bytes[1] === 3;
export const register = (bytes: Uint8Array): number => ((bytes[2] as number) << 8) | (bytes[3] as number);
