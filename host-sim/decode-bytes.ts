/** A captured frame or register reply of a JK BMS as the API's JSON. */
import * as FIELDS from "jk-bms/field-table";
import { BLOCK_BASE, blockOf, lengthOf, offsetOf, readRaw } from "jk-bms/fields";
import { cellMask, cellVoltage } from "jk-bms/cells";
import { FRAME_BYTES, FRAME_HEADER, FRAME_PAYLOAD, FRAME_TYPE, hasValidSum, headerAt } from "jk-bms/frame";
import { Images } from "jk-bms/image";
import { BLOCK_BYTES, MAX_PADDING } from "jk-bms/limits";
import { DEVICE_INFO, SETUP, TELEMETRY, type BlockImage, type BlockType } from "jk-bms/types";
import { hasValidCrc } from "modbus/crc";
import { EXCEPTION_BIT, exceptionName, READ_HOLDING_REGISTERS } from "modbus/pdu";
import { EXCEPTION_ADU_BYTES, frameAt, READ_REPLY_DATA, READ_REPLY_OVERHEAD, SHORT_ADU_BYTES } from "modbus/rtu";
import { LOG_BYTES, logHolds, visitLog } from "jk-bms/system-log";
import { logEvent } from "../src/catalogue/bms-log";
import { toJson, type Decodable } from "./decode-json";

/** An input error, with a message for the user. */
export class Unreadable extends Error {}

/** Data of a read reply, starting at byte `offset` of the block. */
function imageOfReply(block: BlockType, offset: number, bytes: Uint8Array): BlockImage {
  const images = new Images();
  images.take(block, offset, bytes, READ_REPLY_DATA, bytes.length - READ_REPLY_OVERHEAD);
  images.spare.renewed(false);
  images.publish(block);
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
  images.spare.renewed(true);
  images.publish(block);
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

export const hexWord = (value: number): string => `0x${value.toString(16).toUpperCase()}`;

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

/** @param start the first register of a register reply; undefined: it is guessed */
export function decode(bytes: Uint8Array, start?: number): object {
  if (
    headerAt(bytes, 0, bytes.length) === FRAME_HEADER.length &&
    bytes[FRAME_TYPE] === SYSTEM_LOG &&
    start === undefined
  )
    return decodeLog(bytes);
  return toJson(decodeBlock(bytes, start));
}

function decodeBlock(bytes: Uint8Array, start: number | undefined): Decodable {
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
