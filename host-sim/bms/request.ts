import { crcHolds } from "./codec";

/** How a request was handled. */
export type Outcome =
  | "answered"
  | "exception"
  /** Addressed to another slave. */
  | "foreign"
  /** Wrong CRC, or too short to be a request. */
  | "damaged"
  /** Started too soon after the last reply, or during it. */
  | "too-soon"
  /** FC03 while the BMS is asleep to it. */
  | "asleep"
  /** The bus master answers no requests. */
  | "master";

export interface Request {
  /** Virtual time of its last byte, ms. */
  readonly at: number;
  readonly bytes: Uint8Array;
  readonly address: number;
  readonly function: number;
  /** For FC03, FC06 and FC16. */
  readonly register: number | undefined;
  /** Number of registers; for FC03 and FC16. */
  readonly quantity: number | undefined;
  /** Data of an FC16 write. */
  readonly data: Uint8Array;
  /** A write that only requests a frame. */
  readonly trigger: boolean;
}

export interface LoggedRequest extends Request {
  readonly outcome: Outcome;
}

export const READ = 0x03;
export const WRITE_SINGLE = 0x06;
export const WRITE = 0x10;
const FIRST_TRIGGER = 0x161c;
const LAST_TRIGGER = 0x1624;
const WRITE_DATA_AT = 7;

const NO_DATA = new Uint8Array(0);

const isTrigger = (register: number): boolean =>
  register >= FIRST_TRIGGER && register <= LAST_TRIGGER && register % 2 === 0;

/** Parses a received message; undefined if its CRC is wrong. */
export function parseRequest(at: number, bytes: Uint8Array): Request | undefined {
  if (!crcHolds(bytes)) return undefined;
  const word = (offset: number): number | undefined =>
    offset + 2 <= bytes.length - 2 ? ((bytes[offset] as number) << 8) | (bytes[offset + 1] as number) : undefined;
  const code = bytes[1] as number;
  const addressed = code === READ || code === WRITE_SINGLE || code === WRITE;
  const register = addressed ? word(2) : undefined;
  return {
    at,
    bytes,
    address: bytes[0] as number,
    function: code,
    register,
    quantity: code === READ || code === WRITE ? word(4) : undefined,
    data: code === WRITE ? bytes.subarray(WRITE_DATA_AT, -2) : NO_DATA,
    trigger: code === WRITE && register !== undefined && isTrigger(register),
  };
}

/** Whether the message's length matches its function and byte count. */
export function hasRightLength({ bytes, function: code, quantity, data }: Request): boolean {
  if (code === READ) return bytes.length === 8;
  return bytes.length >= 11 && data.length === bytes[6] && data.length === (quantity ?? 0) * 2 && data.length > 0;
}
