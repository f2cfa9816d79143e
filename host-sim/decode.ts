/** `npm run decode -- FILE.hex`: decodes a captured frame or register reply of a JK BMS to the API's JSON. */
import { readFileSync } from "node:fs";
import * as FIELDS from "jk-bms/field-table";
import { BLOCK_BASE, blockOf, lengthOf, offsetOf, readRaw } from "jk-bms/fields";
import { cellMask, cellVoltage } from "jk-bms/cells";
import { FRAME_BYTES, FRAME_PAYLOAD, FRAME_TYPE, hasValidSum, headerAt } from "jk-bms/frame";
import { Images } from "jk-bms/image";
import { BLOCK_BYTES, MAX_PADDING } from "jk-bms/limits";
import { DEVICE_INFO, SETUP, TELEMETRY, type BlockImage, type BlockType } from "jk-bms/types";
import { hasValidCrc } from "modbus/crc";
import { EXCEPTION_BIT, exceptionName, READ_HOLDING_REGISTERS } from "modbus/pdu";
import { EXCEPTION_ADU_BYTES, frameAt, READ_REPLY_DATA, READ_REPLY_OVERHEAD, SHORT_ADU_BYTES } from "modbus/rtu";
import { LOG_BYTES, logHolds, visitLog } from "jk-bms/system-log";
import { logEvent } from "../src/catalogue/bms-log";
import { toJson, type Decodable } from "./decode-json";

const USAGE = `Usage: npm run decode -- FILE.hex [--start REGISTER]

Prints a captured 300-byte frame (with or without the acknowledgement behind it) or a reply to a register read (function 03) of a JK BMS
as the API's JSON. FILE.hex holds hexadecimal bytes; lines that begin with # are left out. A register reply does not say which registers
it holds: give the first one with --start, for example --start 0x1200.`;

/** An input error, with a message for the user. */
class Unreadable extends Error {}

function parseHex(text: string): Uint8Array {
  const digits = text
    .split("\n")
    .filter((line) => !line.trimStart().startsWith("#"))
    .join("")
    .replace(/\s+/g, "");
  if (!digits) throw new Unreadable("the file has no bytes in it");
  const wrong = /[^0-9a-f]/i.exec(digits);
  if (wrong) throw new Unreadable(`the file is not hexadecimal: it has ${JSON.stringify(wrong[0])} in it`);
  if (digits.length % 2) throw new Unreadable("the file has half a byte: an odd number of hexadecimal digits");
  return Uint8Array.from(digits.match(/../g) as string[], (byte) => parseInt(byte, 16));
}

/** Data of a read reply, starting at byte `offset` of the block. */
function imageOfReply(block: BlockType, offset: number, bytes: Uint8Array): BlockImage {
  const images = new Images();
  images.take(block, offset, bytes, READ_REPLY_DATA, bytes.length - READ_REPLY_OVERHEAD);
  images.commit(block, false);
  return images[block];
}

const BLOCKS: Record<number, BlockType> = { 1: SETUP, 2: TELEMETRY, 3: DEVICE_INFO };

const SYSTEM_LOG = 5;

/** The BMS's own log, the newest entry first. */
function decodeLog(bytes: Uint8Array): object {
  checkFrame(bytes);
  const log = bytes.subarray(FRAME_PAYLOAD, FRAME_PAYLOAD + LOG_BYTES);
  if (!logHolds(log)) throw new Unreadable("the log's newest entry is elsewhere than its count says");
  const entries: object[] = [];
  visitLog(log, (uptimeSeconds, code) => entries.push({ uptimeSeconds, code, event: logEvent(code) }));
  return { type: "systemLog", entries };
}

function checkFrame(bytes: Uint8Array): void {
  if (bytes.length < FRAME_BYTES)
    throw new Unreadable(`a frame has ${FRAME_BYTES} bytes, here are only ${bytes.length}`);
  if (!hasValidSum(bytes, 0)) throw new Unreadable("bad checksum: the frame's last byte is not the sum of the others");
  checkTail(bytes);
}

function decodeFrame(bytes: Uint8Array): Decodable {
  checkFrame(bytes);
  const type = bytes[FRAME_TYPE] as number;
  const block = BLOCKS[type];
  if (!block)
    throw new Unreadable(
      `unknown frame: type ${type}, known are 1 (settings), 2 (realtime), 3 (device info), 5 (system log)`,
    );
  const images = new Images();
  images.take(block, 0, bytes, FRAME_PAYLOAD, BLOCK_BYTES);
  images.commit(block, true);
  return { block, image: images[block], from: 0, to: BLOCK_BYTES };
}

/**
 * Valid data after the frame: nothing, or optional 0x00 bytes and the acknowledgement, optionally followed by one 0x00.
 */
function checkTail(bytes: Uint8Array): void {
  if (bytes.length === FRAME_BYTES) return;
  for (let at = FRAME_BYTES; at <= FRAME_BYTES + MAX_PADDING && at + SHORT_ADU_BYTES <= bytes.length; at++) {
    if (frameAt(bytes, at, at + SHORT_ADU_BYTES) === SHORT_ADU_BYTES) {
      if (bytes.subarray(at + SHORT_ADU_BYTES).every((byte) => byte === 0)) return;
      break;
    }
    if (bytes[at] !== 0) break;
  }
  throw new Unreadable("bad checksum: what follows the frame is no valid acknowledgement");
}

function decodeReply(bytes: Uint8Array, start: number | undefined): Decodable {
  const count = bytes[2] as number;
  if (bytes.length !== READ_REPLY_OVERHEAD + count || count < 2 || count % 2)
    throw new Unreadable(
      `unknown frame: a register reply with ${count} data bytes has ${READ_REPLY_OVERHEAD + count} bytes, here are ${bytes.length}`,
    );
  if (!hasValidCrc(bytes, 0, bytes.length)) throw new Unreadable("bad checksum: the reply's CRC is wrong");
  const register = start ?? guessStart(bytes);
  const block = blockOf(register);
  const from = register - BLOCK_BASE[block];
  if (from + count > BLOCK_BYTES)
    throw new Unreadable(`the reply is longer than the block from ${hexWord(register)} on`);
  return { block, image: imageOfReply(block, from, bytes), from, to: from + count };
}

const hexWord = (value: number): string => `0x${value.toString(16).toUpperCase()}`;

/** Plausible values of each block's first fields; a reply that matches exactly one block is taken as its beginning. */
const SIGNS: readonly { block: BlockType; bytes: number; fits: (image: BlockImage) => boolean }[] = [
  {
    block: SETUP,
    bytes: offsetOf(FIELDS.cellUvprVoltage) + 4,
    fits: (image) =>
      [FIELDS.smartSleepVoltage, FIELDS.cellUvpVoltage, FIELDS.cellUvprVoltage].every((field) => {
        const millivolts = readRaw(image, field);
        return millivolts >= 1000 && millivolts <= 5000;
      }),
  },
  {
    block: TELEMETRY,
    bytes: offsetOf(FIELDS.cellsPresent) + 4,
    fits: (image) => {
      const mask = cellMask(image);
      for (let index = 0; index < 32; index++)
        if (((mask >>> index) & 1) !== (cellVoltage(image, index) > 0 ? 1 : 0)) return false;
      return mask !== 0;
    },
  },
  {
    block: DEVICE_INFO,
    bytes: lengthOf(FIELDS.model),
    fits: ({ view }) => view.getUint8(0) === 0x4a && view.getUint8(1) === 0x4b, // JK
  },
];

function guessStart(bytes: Uint8Array): number {
  const fitting = SIGNS.filter(
    (sign) => bytes.length - READ_REPLY_OVERHEAD >= sign.bytes && sign.fits(imageOfReply(sign.block, 0, bytes)),
  );
  const [only, ...others] = fitting;
  if (!only || others.length)
    throw new Unreadable(
      "a register reply does not say which registers it holds, and these bytes do not show it: give the first one, for example --start 0x1200",
    );
  return BLOCK_BASE[only.block];
}

function decode(bytes: Uint8Array, start: number | undefined): Decodable {
  if (headerAt(bytes, 0, bytes.length) === 4) {
    if (start !== undefined) throw new Unreadable("--start is for register replies, this is a frame");
    return decodeFrame(bytes);
  }
  if (
    bytes.length === EXCEPTION_ADU_BYTES &&
    (bytes[1] as number) & EXCEPTION_BIT &&
    hasValidCrc(bytes, 0, bytes.length)
  ) {
    const code = bytes[2] as number;
    throw new Unreadable(
      `nothing to decode: the BMS refused a request with exception ${code} (${exceptionName(code)})`,
    );
  }
  if (
    bytes.length >= READ_REPLY_OVERHEAD &&
    bytes[1] === READ_HOLDING_REGISTERS &&
    frameAt(bytes, 0, SHORT_ADU_BYTES) !== SHORT_ADU_BYTES
  )
    return decodeReply(bytes, start);
  throw new Unreadable(
    "unknown frame: neither a 300-byte frame (55 AA EB 90 …) nor a reply to a register read (address, 03, …)",
  );
}

function parseStart(text: string | undefined): number {
  const register = text !== undefined && /^(0x[0-9a-f]{1,4}|[0-9]{1,5})$/i.test(text) ? Number(text) : NaN;
  if (!(register >= 0x1000 && register < BLOCK_BASE[DEVICE_INFO] + BLOCK_BYTES) || register % 2)
    throw new Unreadable(`--start ${text ?? ""} is not an even register from 0x1000 to 0x1524`);
  return register;
}

function main(parameters: readonly string[]): void {
  const files: string[] = [];
  let start: number | undefined;
  for (let index = 0; index < parameters.length; index++) {
    const parameter = parameters[index] as string;
    if (parameter === "--start") start = parseStart(parameters[++index]);
    else if (parameter.startsWith("--start=")) start = parseStart(parameter.slice("--start=".length));
    else files.push(parameter);
  }
  const [file] = files;
  if (file === "--help" || file === "-h") {
    console.log(USAGE);
    return;
  }
  if (file === undefined || files.length > 1 || file.startsWith("-")) throw new Unreadable(USAGE);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new Unreadable(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
  const bytes = parseHex(text);
  const isLog = headerAt(bytes, 0, bytes.length) === 4 && bytes[FRAME_TYPE] === SYSTEM_LOG && start === undefined;
  console.log(JSON.stringify(isLog ? decodeLog(bytes) : toJson(decode(bytes, start)), undefined, 1));
}

try {
  main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Unreadable)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
