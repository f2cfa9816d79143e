/** `npm run decode -- FILE`: decodes a captured frame, a register reply or a recording of a JK BMS to the API's JSON. */
import { readFileSync } from "node:fs";
import { BLOCK_BASE } from "jk-bms/fields";
import { BLOCK_BYTES } from "jk-bms/limits";
import { DEVICE_INFO } from "jk-bms/types";
import { decode, Unreadable } from "./decode-bytes";
import { decodeRecording } from "./decode-recording";
import { parseRecording, type Recording } from "./replay";

const USAGE = `Usage: npm run decode -- FILE [--start REGISTER]

Prints a captured 300-byte frame (with or without the acknowledgement behind it) or a reply to a register read (function 03) of a JK BMS
as the API's JSON. FILE holds hexadecimal bytes; lines that begin with # are left out. A register reply does not say which registers
it holds: give the first one with --start, for example --start 0x1200.

Of a recording (lines of time and bytes, with the time of its end) each message is printed, with the time in ms.`;

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

/** Undefined: it is none, as a rule because it has no times. */
function recordingIn(text: string): Recording | undefined {
  try {
    return parseRecording(text);
  } catch {
    return undefined;
  }
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
  const recording = recordingIn(text);
  const decoded = recording ? decodeRecording(recording) : decode(parseHex(text), start);
  console.log(JSON.stringify(decoded, undefined, 1));
}

try {
  main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Unreadable)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
