/** The diagnostic capture: what is private is not in it, and what is left decodes and replays. */
import * as FIELDS from "jk-bms/field-table";
import { readRaw, readText } from "jk-bms/fields";
import { hasValidCrc } from "modbus/crc";
import { expect, it, onTestFinished } from "vitest";
import type { FaultKind } from "../../../host-sim/bms/faults";
import { PASSWORD, PIN, SimulatedBms, type SimulatedBmsOptions } from "../../../host-sim/bms/simulated-bms";
import { withCrc } from "../../../host-sim/bms/codec";
import { SimulatedBoard } from "../../../host-sim/board";
import { decodeRecording } from "../../../host-sim/decode-recording";
import { parseRecording, replay } from "../../../host-sim/replay";
import { byteTime } from "../../../host-sim/wire";
import main, { type Firmware } from "../../../src/main";
import type { BmsSettings } from "../../../src/settings/types";
import { captureOf, Masker } from "../../../web-sim/capture";
import { MAX_ANSWER_PASSAGES, MAX_OLD_REQUESTS, RECORDED, Recorder } from "../../../web-sim/recorder";

const SERIAL_NUMBER = "REAL004711";
const NAME = "Boat of Ann";
const USER_DATA = "Ann's street 12";
const PRIVATE = [SERIAL_NUMBER, NAME, USER_DATA, PIN, PASSWORD];

async function power(settings: Partial<BmsSettings> = {}): Promise<[SimulatedBoard, Firmware]> {
  const config = { httpPort: 0, snmpPort: 0, settings: { bms: settings } };
  const board = new SimulatedBoard({ seed: 1, console: () => undefined, config });
  const firmware = await board.boot(() => main());
  onTestFinished(() => board.powerOff());
  if (!firmware) throw new Error("no firmware");
  return [board, firmware];
}

interface Recorded {
  readonly board: SimulatedBoard;
  readonly firmware: Firmware;
  readonly bms: SimulatedBms;
  readonly recorder: Recorder;
}

async function recorded(settings: Partial<BmsSettings>, options: Partial<SimulatedBmsOptions> = {}): Promise<Recorded> {
  const [board, firmware] = await power(settings);
  const { clock, wire } = board;
  const recorder = new Recorder();
  wire.onByte = (byte, sender) =>
    recorder.take(sender === wire.board, [byte], clock.now - byteTime(sender.baud), clock.now);
  const bms = new SimulatedBms({ clock, wire: wire.bms, serialNumber: SERIAL_NUMBER, ...options });
  bms.registers.writeText("BluetoothName", NAME);
  bms.registers.writeText("UserData", USER_DATA);
  bms.registers.writeText("UserData2", USER_DATA);
  return { board, firmware, bms, recorder };
}

const bytesIn = (text: string): string =>
  parseRecording(text)
    .passages.flatMap(({ bytes }) => [...bytes])
    .map((byte) => String.fromCharCode(byte))
    .join("");

/** A few characters in a row are enough. */
function expectNothingPrivate(text: string): void {
  const all = bytesIn(text);
  for (const one of PRIVATE)
    for (let at = 0; at + 4 <= one.length; at++) expect(all, one).not.toContain(one.slice(at, at + 4));
}

const statusOf = ({ monitor }: Firmware): object => {
  const [pack] = monitor.packs;
  if (!pack?.telemetry.valid || !pack.setup.valid || !pack.deviceInfo.valid) return {};
  const { telemetry, setup, deviceInfo } = pack;
  return {
    soc: readRaw(telemetry, FIELDS.soc),
    ovp: readRaw(setup, FIELDS.cellOvpVoltage),
    model: readText(deviceInfo, FIELDS.model),
  };
};

it.each(["registers", "frames"] as const)(
  "a start and the minutes after it, read by %s: each message decodes, and a replay shows the same",
  async (readMode) => {
    const { board, firmware, recorder } = await recorded({ readMode }, { evolving: false });
    board.clock.runFor(3 * RECORDED);
    const text = captureOf({ board, recorder });
    expectNothingPrivate(text);
    const recording = parseRecording(text);
    const messages = decodeRecording(recording);
    expect(messages.filter(({ noise, answer }) => noise !== undefined || typeof answer === "string")).toEqual(
      messages.filter(({ answer }) => typeof answer === "string" && answer.startsWith("written 0x16")),
    );
    const answers = messages.map(({ answer }) => answer as { type?: string; serialNumber?: string });
    for (const type of ["realtime", "settings", "deviceInfo", "systemLog"])
      expect(
        answers.some((answer) => answer?.type === type),
        type,
      ).toBe(true);
    expect(messages.some(({ request, sent }) => request?.startsWith("read 0x12") && sent)).toBe(
      readMode === "registers",
    );

    const [other, replayed] = await power({ readMode });
    const played = replay(other.clock, other.wire.bms, recording);
    onTestFinished(() => played.close());
    other.clock.runFor(RECORDED);
    expect(statusOf(replayed)).toEqual(statusOf(firmware));
    expect(statusOf(replayed)).toMatchObject({ model: "JK_PB2A16S20P" });
    expect(replayed.monitor.packs[0]?.online).toBe(true);
  },
);

it.each<FaultKind>(["torn", "noise", "truncated", "bad-crc", "wrong-address", "stale", "delay", "echo"])(
  "whatever the line does to it, nothing private is in it: %s",
  async (kind) => {
    for (const readMode of ["registers", "frames"] as const) {
      const { board, bms, recorder } = await recorded({ readMode });
      bms.faults.add({ kind, every: 2 });
      board.clock.runFor(RECORDED);
      expectNothingPrivate(captureOf({ board, recorder }));
    }
  },
);

it("what the firmware writes and reads back is not in it", async () => {
  const { board, firmware, bms, recorder } = await recorded({});
  board.clock.runFor(10_000);
  const { writes, packs } = firmware.monitor;
  const [pack] = packs;
  if (!pack) throw new Error("no pack");
  expect(writes.parameter(pack, "bluetooth_name", "Boat of Bob", "page")).toBeUndefined();
  board.clock.runFor(10_000);
  expect(bms.registers.text("BluetoothName")).toBe("Boat of Bob");
  const text = captureOf({ board, recorder });
  expectNothingPrivate(text);
  expect(bytesIn(text)).not.toContain("Bob");
  expect(decodeRecording(parseRecording(text)).some(({ request }) => request?.startsWith("write 0x1428"))).toBe(true);
});

/** With its CRC, by the simulator's own code. */
const sealed = (...bytes: number[]): Uint8Array => withCrc(bytes);
const ascii = (text: string): number[] => [...text].map((character) => character.charCodeAt(0));
const maskedText = (...pieces: Uint8Array[]): string => {
  const masker = new Masker();
  for (const piece of pieces) masker.mask(piece);
  return pieces.map((piece) => String.fromCharCode(...piece)).join("");
};
const reply = (text: string): Uint8Array => sealed(1, 3, text.length, ...ascii(text));
const SECRET = "0123456789abcdef";

it("a reply whose request is not there is masked as a whole; one that may be several's as each", () => {
  expect(maskedText(reply(SECRET))).not.toMatch(/[0-9a-f]{2}/);
  const model = sealed(1, 3, 0x14, 0x00, 0, 8);
  const serial = sealed(1, 3, 0x14, 0x50, 0, 8);
  expect(maskedText(model, reply(SECRET))).toContain(SECRET);
  expect(maskedText(model, serial, reply(SECRET))).not.toMatch(/[0-9a-f]{2}/);
  expect(maskedText(serial, model, reply(SECRET))).not.toMatch(/[0-9a-f]{2}/);
  // Another pack's request explains nothing.
  expect(maskedText(sealed(2, 3, 0x14, 0x00, 0, 8), reply(SECRET))).not.toMatch(/[0-9a-f]{2}/);
});

it.each([
  [0x20, "01234567xxxxxxxx"],
  [0x40, "xxxxxxxx89abcdef"],
  [0x48, "01234567xxxxxxxx"],
  [0x88, "xxxxxxxx89abcdef"],
  [0x90, SECRET],
])("of the 16 bytes from 0x14%s on masks what is private, and the CRC holds", (offset, expected) => {
  const pieces = [sealed(1, 3, 0x14, offset, 0, 8), reply(SECRET)] as const;
  expect(maskedText(...pieces)).toContain(expected);
  expect(hasValidCrc(pieces[1], 0, pieces[1].length)).toBe(true);
});

it("keeps a minute, and of what was asked earlier the newest answer", () => {
  const recorder = new Recorder();
  const exchange = (request: number, answer: number, at: number): void => {
    recorder.take(true, [request], at, at + 1);
    recorder.take(false, [answer], at + 10, at + 11);
  };
  const all = (): number[][] => recorder.passages.map(({ bytes }) => [...bytes]);
  exchange(1, 10, 0);
  exchange(2, 20, 100);
  exchange(1, 11, 200);
  exchange(1, 12, RECORDED + 100);
  // 10 is older than a minute, and 1 has been asked since; 2 is just as old as a minute.
  expect(all()).toEqual([[2], [20], [1], [11], [1], [12]]);
  exchange(3, 30, 2 * RECORDED);
  expect(all()).toEqual([[2], [20], [1], [12], [3], [30]]);
});

it.each([
  ["as many old requests as it keeps", MAX_OLD_REQUESTS, MAX_OLD_REQUESTS],
  ["one more", MAX_OLD_REQUESTS + 1, MAX_OLD_REQUESTS],
])("forgets the oldest request: %s", (_, asked, kept) => {
  const recorder = new Recorder();
  for (let request = 0; request < asked; request++) recorder.take(true, [request], 10 * request, 10 * request + 1);
  recorder.take(true, [255], 3 * RECORDED, 3 * RECORDED + 1);
  expect(recorder.passages).toHaveLength(kept + 1);
});

it("of old requests forgets the one that was asked longest ago", () => {
  const recorder = new Recorder();
  for (const request of [0, ...Array.from({ length: MAX_OLD_REQUESTS }, (_, at) => at), 0, MAX_OLD_REQUESTS]) {
    const at = (recorder.passages.at(-1)?.at ?? 0) + 10;
    recorder.take(true, [request], at, at + 1);
  }
  recorder.take(true, [255], 3 * RECORDED, 3 * RECORDED + 1);
  const kept = recorder.passages.map(({ bytes: [request] }) => request);
  expect([kept.includes(0), kept.includes(1)]).toEqual([true, false]);
});

it.each([
  ["as many pieces as it keeps", MAX_ANSWER_PASSAGES, MAX_ANSWER_PASSAGES],
  ["one more", MAX_ANSWER_PASSAGES + 1, MAX_ANSWER_PASSAGES],
])("of an old answer: %s", (_, pieces, kept) => {
  const recorder = new Recorder();
  recorder.take(true, [1], 0, 1);
  for (let piece = 1; piece <= pieces; piece++) recorder.take(false, [piece], 10 * piece, 10 * piece + 1);
  recorder.take(true, [255], 3 * RECORDED, 3 * RECORDED + 1);
  expect(recorder.passages).toHaveLength(1 + kept + 1);
});

it("masks a reply that came in pieces, with the time of each", () => {
  const board = new SimulatedBoard();
  const recorder = new Recorder();
  const answer = reply(SECRET);
  recorder.take(true, sealed(1, 3, 0x14, 0x50, 0, 8), 0, 1);
  recorder.take(false, answer.subarray(0, 9), 10, 11);
  recorder.take(false, answer.subarray(9), 20, 21);
  board.clock.runFor(30);
  const text = captureOf({ board, recorder });
  expect(bytesIn(text)).toContain("x".repeat(SECRET.length));
  expect(parseRecording(text).passages.map(({ at, bytes }) => [at, bytes.length])).toEqual([
    [0, 8],
    [10, 9],
    [20, answer.length - 9],
  ]);
});

it("joins what follows at once, and tells apart what comes later or from the other side", () => {
  const recorder = new Recorder();
  recorder.take(true, [1], 0, 1);
  recorder.take(true, [2], 3, 4);
  recorder.take(true, [3], 6.1, 7);
  // A chunk that came late began before what was last.
  recorder.take(false, [4], 5, 8);
  expect(recorder.passages.map(({ at, sent, bytes }) => [at, sent, ...bytes])).toEqual([
    [0, true, 1, 2],
    [6.1, true, 3],
    [6.1, false, 4],
  ]);
});
