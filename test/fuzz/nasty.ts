/** Texts, JSON and damage that every interface is fed with. */
import type { Random } from "./random";

const TEXTS = [
  "",
  "on",
  "off",
  "0",
  "-1",
  "1e999",
  "0x10",
  "3.45",
  "NaN",
  "__proto__",
  "constructor",
  "toString",
  "<script>alert(1)</script>",
  "=cmd|' /C calc'!A0",
  "\u202etxt.exe",
  "\u{1f50b}\u{1f9a0}",
  "\ud800",
  "\0",
  "a\r\nSet-Cookie: x=y",
  "%00%0d%0a",
  "../../etc/passwd",
  '"},{"',
  "' OR 1=1 --",
  "x".repeat(257),
  "9".repeat(400),
] as const;

const NUMBERS = ["0", "-0", "1", "-1", "3.45", "1e308", "1e309", "4294967296", "0.0000001", "00", "+1", ".5", "1."];

export const text = (random: Random): string =>
  random.once(4) ? random.bytes(random.below(40)).toString("latin1") : random.of(TEXTS);

/** A JSON value of `depth` levels at most; now and then none that a parser accepts. */
export function json(random: Random, names: readonly string[], depth = 3): string {
  switch (random.below(depth > 0 ? 9 : 6)) {
    case 0:
      return random.of(["true", "false", "null", "undefined", "nul"]);
    case 1:
    case 2:
      return random.of(NUMBERS);
    case 3:
    case 4:
    case 5:
      return JSON.stringify(text(random));
    case 6:
      return `[${Array.from({ length: random.below(4) }, () => json(random, names, depth - 1)).join(",")}]`;
    default:
      return object(random, names, depth - 1);
  }
}

export function object(random: Random, names: readonly string[], depth = 2): string {
  if (random.once(40)) return "[".repeat(random.below(2_000)) + '{"a":'.repeat(random.below(200));
  const members = Array.from(
    { length: random.below(5) },
    () => `${JSON.stringify(random.once(6) ? text(random) : random.of(names))}:${json(random, names, depth)}`,
  );
  return `{${members.join(",")}}`;
}

/** `bytes` with some of them changed, removed, repeated or cut off. */
export function damaged(random: Random, bytes: Buffer): Buffer {
  let result = Buffer.from(bytes);
  for (let count = 1 + random.below(4); count > 0 && result.length; count--) {
    const at = random.below(result.length);
    const end = Math.min(result.length, at + 1 + random.below(8));
    switch (random.below(5)) {
      case 0:
        result[at] = random.below(256);
        break;
      case 1:
        result = Buffer.concat([result.subarray(0, at), result.subarray(end)]);
        break;
      case 2:
        result = Buffer.concat([result.subarray(0, end), result.subarray(at)]);
        break;
      case 3:
        result = Buffer.concat([result.subarray(0, at), random.bytes(end - at), result.subarray(at)]);
        break;
      default:
        result = result.subarray(0, at);
    }
  }
  return result;
}
