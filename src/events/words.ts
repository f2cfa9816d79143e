/** Events as sentences in English, for interfaces whose readers have no page: the words of the page's log, with the device's own names for settings and states. */
import { sentenceOf } from "../bms/write-report";
import type { WriteReport } from "../bms/outcomes";
import { ALARMS_TABLE } from "../catalogue/alarms";
import type { NoReply } from "../packs/types";
import type { EventCode, LogEvent } from "./types";

/** `{0}` and `{1}`: the parameters. test/events/words.test.ts compares them with those of the page. */
const WORDS: Readonly<Record<EventCode, string>> = Object.freeze(
  {
    started: "Started with firmware {0} ({1}).",
    "start-reason": "Reason for the start: {0}.",
    crashed: "It crashed at {0}.",
    "safe-mode": "Safe mode: only the network, the page, updates and the log are running.",
    "part-failed": "Has failed: {0} ({1}).",
    "part-works": "Works now: {0}.",
    stopped: "Stopped.",
    button: "The access point was opened with the button and has a new password.",
    "bms-online": "The BMS is responding.",
    "bms-offline": "The BMS stopped responding.",
    "pack-online": "Pack {0} is responding.",
    "pack-offline": "Pack {0} stopped responding.",
    "pack-swapped": "Another pack than before answers at address {0}: nothing is written to it until it is accepted.",
    "other-master": "Another master is on this bus: listening only.",
    "other-master-gone": "The other master fell silent: polling the BMS now.",
    "no-reply": "{0}",
    "alarm-raised": "Alarm: {0}.",
    "alarm-cleared": "Alarm cleared{1}: {0}.",
    "condition-raised": "Needs attention: {0}",
    "condition-cleared": "No longer{1}: {0}",
    write: "Write{1}: {0}",
    "setting-changed": "Setting changed{1}: {0}.",
    "all-packs-ended": "A restart ended the change of {0} for all packs.",
    "relay-on": "Relay switched on.",
    "relay-off": "Relay switched off.",
    settings: "Settings: {0}",
    "settings-changed": "Settings changed: {0}.",
    "clock-set": "Clock set: {0}.",
    "clock-doubtful": "The time server's time is doubtful; it is asked again.",
    "older-update": "Downgrade to firmware {0}.",
    mqtt: "MQTT: {0}",
    "password-lost": "The stored password is damaged: nobody can sign in until the settings are reset.",
  },
  true,
);

/** What came instead of a reply, and what to check: the page's words. */
const INSTEAD: Readonly<Record<NoReply, string>> = Object.freeze(
  {
    silence: "No data arrives. Check cable, address, and that the BMS is awake.",
    noise: "The data that arrives is not valid. Check A and B, baud rate, and protocol 001.",
    others: "Another address answers. Check address and DIP switches.",
    echo: "Only the request comes back. Check the cable.",
    exceptions: "The BMS answers with errors only. Check firmware and read mode.",
    late: "It answers, but too late. Restart the BMS, and connect it without a converter in between.",
  },
  true,
);

/** The event's code, and its parameters. */
export function partsOf({ text }: Pick<LogEvent, "text">): readonly [code: string, ...parameters: string[]] {
  return text.split("\t") as [string, ...string[]];
}

/** Place of the pack's address among the parameters. */
const PACK_AT: Readonly<Record<string, number>> = Object.freeze(
  {
    "pack-online": 1,
    "pack-offline": 1,
    "pack-swapped": 1,
    "no-reply": 2,
    "alarm-raised": 2,
    "alarm-cleared": 2,
    "condition-raised": 2,
    "condition-cleared": 2,
    write: 5,
    "setting-changed": 5,
  },
  true,
);

/** The address of the pack that the event names; undefined: it names none, and is of the first or of the device. */
export function packOf(parts: readonly string[]): string | undefined {
  const [code = ""] = parts;
  return (Object.hasOwn(PACK_AT, code) && parts[PACK_AT[code] as number]) || undefined;
}

/** The event as a sentence, in printable ASCII; of an unknown code only the parameters. */
export function wordsOf([given, ...parameters]: readonly [string, ...string[]]): string {
  // Of many in an hour the log has not kept which packs they were.
  const code = parameters[0] ? given : given.replace("pack-o", "bms-o");
  const [first = "", second = "", third = "", unit = "", , origin, detail = ""] = parameters;
  const pack = (PACK_AT[code] ?? 0) > 1 ? packOf([code, ...parameters]) : undefined;
  const words = (pack ? `Pack ${pack}: ` : "") + (Object.hasOwn(WORDS, code) ? WORDS[code as EventCode] : "{0}");
  let shown = first;
  let after = second;
  switch (code) {
    case "alarm-raised":
    case "alarm-cleared":
    case "condition-raised":
    case "condition-cleared":
      shown = ALARMS_TABLE.find(({ name }) => name === first)?.title ?? first;
      after = third && ` (${third} times)`;
      break;
    case "no-reply":
      shown = Object.hasOwn(INSTEAD, first) ? INSTEAD[first as NoReply] : first;
      break;
    case "write":
      shown = sentenceOf({ name: first, value: second, outcome: third as WriteReport["outcome"], detail, unit });
      after = origin ? ` (${origin})` : "";
      break;
    case "setting-changed":
      // Of many only how many they are.
      shown = first ? `${first} ${second} -> ${third}${unit && ` ${unit}`}` : detail;
      after = ` (${origin})`;
      break;
    case "started":
    case "part-failed":
      break;
    default:
      shown = parameters.join(" ");
  }
  // Functions: a "$" in a text means itself. The second one first: the first may contain its mark.
  return words.replace("{1}", () => after).replace("{0}", () => shown);
}
