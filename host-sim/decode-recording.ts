/** What passes in a recording, message by message. */
import { FRAME_BYTES, FRAME_HEADER, hasValidSum, headerAt } from "jk-bms/frame";
import { EXCEPTION_BIT, exceptionName, READ_HOLDING_REGISTERS } from "modbus/pdu";
import { frameAt, isReply } from "modbus/rtu";
import { decode, hexWord } from "./decode-bytes";
import type { Passage, Recording } from "./replay";

export interface Message {
  /** Ms: when the passage began that it is in. */
  readonly at: number;
  /** Whether the firmware has sent it; undefined: not told. */
  readonly sent?: boolean | undefined;
  readonly address?: number;
  readonly request?: string;
  readonly answer?: object | string;
  /** Bytes that are no message, in hexadecimal. */
  readonly noise?: string;
}

interface Asked {
  readonly address: number;
  readonly register: number;
  readonly bytes: number;
}

const word = (bytes: Uint8Array, at: number): number => ((bytes[at] as number) << 8) | (bytes[at + 1] as number);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex").toUpperCase();

/** What cannot be decoded says why. */
function decoded(bytes: Uint8Array, start?: number): object | string {
  try {
    return decode(bytes, start);
  } catch (error) {
    return (error as Error).message;
  }
}

type What = Omit<Message, "at" | "sent">;

function modbus(frame: Uint8Array, asked: Asked[]): What {
  const [address = 0, code = 0, third = 0] = frame;
  if (code & EXCEPTION_BIT) return { address, answer: `exception ${third} (${exceptionName(third)})` };
  const isRead = code === READ_HOLDING_REGISTERS;
  if (!isReply(frame, 0, frame.length)) {
    const register = word(frame, 2);
    if (!isRead) return { address, request: `write ${hexWord(register)}: ${hex(frame.subarray(7, -2))}` };
    asked.push({ address, register, bytes: 2 * word(frame, 4) });
    return { address, request: `read ${hexWord(register)}, ${word(frame, 4)} words` };
  }
  if (!isRead) return { address, answer: `written ${hexWord(word(frame, 2))}` };
  const start = asked.findLast((one) => one.address === address && one.bytes === third)?.register;
  return { address, answer: decoded(frame, start) };
}

/** The message at `at`, and its length; undefined: none begins here. */
function messageAt(bytes: Uint8Array, at: number, asked: Asked[]): [What, number] | undefined {
  if (headerAt(bytes, at, bytes.length) === FRAME_HEADER.length) {
    if (bytes.length - at < FRAME_BYTES || !hasValidSum(bytes, at)) return undefined;
    return [{ answer: decoded(bytes.slice(at, at + FRAME_BYTES)) }, FRAME_BYTES];
  }
  const length = frameAt(bytes, at, bytes.length);
  return length > 0 ? [modbus(bytes.slice(at, at + length), asked), length] : undefined;
}

/** Passages of the same direction that follow one another are one piece: a message may have come in several. */
function* runs(passages: readonly Passage[]): Generator<readonly Passage[]> {
  for (let first = 0; first < passages.length;) {
    let after = first + 1;
    while (after < passages.length && passages[after]?.sent === passages[first]?.sent) after++;
    yield passages.slice(first, after);
    first = after;
  }
}

export function decodeRecording({ passages }: Recording): Message[] {
  const asked: Asked[] = [];
  const messages: Message[] = [];
  for (const run of runs(passages)) {
    const bytes = Uint8Array.from(run.flatMap((passage) => [...passage.bytes]));
    const ends: number[] = [];
    for (const passage of run) ends.push((ends.at(-1) ?? 0) + passage.bytes.length);
    const passageAt = (at: number): Passage => run[ends.findIndex((end) => at < end)] as Passage;
    let noise = 0;
    const add = (from: number, what: What): void => {
      const { at, sent } = passageAt(from);
      messages.push({ at, sent, ...what });
    };
    const endNoise = (at: number): void => {
      if (at > noise) add(noise, { noise: hex(bytes.subarray(noise, at)) });
    };
    for (let at = 0; at < bytes.length;) {
      const found = messageAt(bytes, at, asked);
      if (!found) {
        at++;
        continue;
      }
      endNoise(at);
      add(at, found[0]);
      noise = at += found[1];
    }
    endNoise(bytes.length);
  }
  return messages;
}
