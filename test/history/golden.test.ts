/** The bytes of the records, and of what is not complete yet, as firmware 0.1.0 wrote them: a device in the field keeps its history. */
import { createHash } from "node:crypto";
import { recall } from "application";
import * as FIELDS from "jk-bms/field-table";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SimulatedBoard } from "../../host-sim/board";
import { random } from "../../host-sim/bms/random";
import { NorFlash } from "../../host-sim/nor-flash";
import { milliwatts } from "../../src/catalogue/computed";
import { BankSum } from "../../src/packs/bank-sum";
import * as layout from "../../src/history/layout";
import { Recorder } from "../../src/history/recorder";
import { RecordStore } from "../../src/history/record-store";
import { CELLS_AT, CELLS_BYTES, HISTORY_AT, HISTORY_BYTES } from "../../src/runtime/retained";
import { TestMonitor } from "../support/bms/bms-link";
import { FaultyStorage } from "../support/fakes/storage";
import { RINGS } from "../support/system/history-flash";
import golden from "../fixtures/history-records.json";

/** Monday, 1 March 2027, 07:03:20 in UTC. */
const BEGIN = Date.UTC(2027, 2, 1, 7, 3, 20) / 1_000;
const OFFSET = 3_600;
const CELLS = 20;

let board: SimulatedBoard;
beforeEach(() => {
  board = new SimulatedBoard();
  board.powerOn();
});
afterEach(() => board.powerOff());

/** Twelve days of one pack of 20 cells, with all that records have: extremes, what is unknown, a restart, a power cut, a time unknown at first. */
function recorded(): Record<string, unknown> {
  const next = random(7);
  const storage = new FaultyStorage(board);
  const flash = new NorFlash(layout.FIRST_SECTOR + layout.SECTORS);
  const monitor = new TestMonitor();
  monitor.identity = { address: 3, name: "", serial: "" };
  const bank = new BankSum({ monitor: { packs: [monitor] }, uptime: () => uptime });
  const joules = { chargedJoules: 0, dischargedJoules: 0, stored: undefined };
  const relay = { value: 0 };
  let utc = BEGIN;
  let uptime = 0;
  let isKnown = false;
  let store = new RecordStore(flash);
  const start = (kept: boolean): Recorder => {
    uptime = 0;
    store = new RecordStore(flash);
    const sources = { time: () => (isKnown ? utc : undefined), uptime: () => uptime, energy: joules, relay, storage };
    return new Recorder(store, {
      ...sources,
      monitor: { packs: [monitor] },
      start: { intact: kept },
      offsetAt: () => OFFSET,
    });
  };
  const between = (least: number, most: number): number => Math.round(least + next() * (most - least));
  let recorder = start(false);
  const pass = (seconds: number): void => {
    utc += seconds;
    uptime += seconds;
  };
  for (let step = 0; step < 12 * 1_440; step++) {
    if (step === 90) isKnown = true;
    if (step === 4_000) {
      recorder.save();
      recorder = start(true);
    }
    if (step === 7_500) {
      pass(5_000);
      recorder = start(false);
    }
    if (step % 2_003 === 0) {
      recorder.interrupt(0);
      pass(4_000);
    }
    const hour = Math.floor(step / 60) % 24;
    const isExtreme = step % 1_733 === 0;
    // Now at rest, now charging until it is full, now discharging.
    const watts = isExtreme ? (step & 1 ? 400_000 : -400_000) : [0, 20, 2_345.5, -1_234.5][(hour >> 1) & 3]!;
    const soc = isExtreme ? 255 : hour >= 12 && hour < 14 ? 100 : between(5, 99);
    monitor.telemetry
      .set(FIELDS.soc, soc)
      .set(FIELDS.packPower, Math.abs(watts) * 1_000)
      .set(FIELDS.packCurrent, isExtreme ? Math.sign(watts) * 8_000_000 : watts * 19 + (watts ? between(-40, 40) : 0))
      .set(FIELDS.packVoltage, isExtreme ? 900_000 : 52_000 + between(0, 999))
      .set(FIELDS.alarmCode, step % 517 < 3 ? 1 << 11 : 0)
      .set(FIELDS.cycles, step >> 8)
      .set(FIELDS.fullCapacity, 279_960 - step)
      .set(FIELDS.temperatureSensors, step % 300 < 20 ? 0 : 0x07)
      .set(FIELDS.battery1Temperature, isExtreme ? 3_000 : between(-250, 450))
      .set(FIELDS.battery2Temperature, isExtreme ? -1_999 : between(-200, 500))
      .setCells(
        Array.from({ length: CELLS }, (_, cell) =>
          step % 400 < 10 ? undefined : isExtreme ? 2_000 + cell * 300 : between(3_200, 3_420) + cell,
        ),
        Array.from({ length: CELLS }, (_, cell) => (isExtreme ? 300 : 55 + cell)),
      );
    relay.value = Number(hour > 8);
    const energy = Math.abs(watts) * 60;
    joules[watts > 0 ? "chargedJoules" : "dischargedJoules"] += isExtreme ? 1e11 : energy;
    bank.update(monitor, milliwatts(monitor)!);
    recorder.update(monitor, bank);
    const { startedAt } = recorder;
    if (startedAt !== undefined) store.stamp(startedAt);
    while (store.work());
    pass(60);
  }
  recorder.save();
  return {
    ...Object.fromEntries(
      ["fine", "hours", "days", "cells"].map((name, ring) => [name, ofRing(flash.bytes, ring)] as const),
    ),
    retained: { unfinished: retained(HISTORY_AT, HISTORY_BYTES), cells: retained(CELLS_AT, CELLS_BYTES) },
  };
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

function retained(at: number, length: number): string {
  const bytes = new Uint8Array(length);
  recall(bytes, at);
  return hex(bytes).replace(/(00)+$/, "");
}

/** A few records, and a hash of all bytes of the ring's sectors. */
function ofRing(bytes: Uint8Array, ring: number): unknown {
  const { first, sectors, record } = Object.values(RINGS)[ring]!;
  const part = bytes.subarray(first * 4_096, (first + sectors) * 4_096);
  const records = Array.from({ length: 4 }, (_, index) =>
    hex(part.subarray(16 + index * record, 16 + (index + 1) * record)),
  );
  return { records, all: createHash("sha256").update(part).digest("hex") };
}

it("each record has the same bytes as ever", () => {
  expect(recorded()).toEqual(golden);
});
