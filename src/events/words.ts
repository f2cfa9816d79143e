/** Events as sentences in English, for interfaces whose readers have no page: the words of the page's log, with the device's own names for settings and states. */
import { sentenceOf } from "../bms/write-report";
import type { WriteReport } from "../bms/outcomes";
import { ALARMS_TABLE } from "../catalogue/alarms";
import type { EventCode, LogEvent } from "./types";

/** `{0}` and `{1}`: the parameters. test/events/words.test.ts compares them with those of the page. */
const WORDS: Readonly<Record<EventCode, string>> = Object.freeze(
  {
    started: "Started with firmware {0} ({1}).",
    "start-reason": "Reason for the start: {0}.",
    crashed: "It crashed at {0}.",
    "safe-mode": "Safe mode: only the network, the page, updates and the log are running.",
    "part-failed": "Could not be started: {0} ({1}).",
    "part-works": "Started after all: {0}.",
    stopped: "Stopped.",
    button: "The access point was opened with the button and has a new password.",
    "bms-online": "The BMS is responding.",
    "bms-offline": "The BMS stopped responding.",
    "other-master": "Another master is on this bus: listening only.",
    "other-master-gone": "The other master fell silent: polling the BMS now.",
    "alarm-raised": "Alarm: {0}.",
    "alarm-cleared": "Alarm cleared: {0}.",
    write: "Write: {0}",
    "relay-on": "Relay switched on.",
    "relay-off": "Relay switched off.",
    settings: "Settings: {0}",
    "settings-changed": "Settings changed: {0}.",
    "older-update": "Downgrade to firmware {0}.",
    mqtt: "MQTT: {0}",
    "password-lost": "The stored password is damaged: nobody can sign in until the settings are reset.",
  },
  true,
);

/** The event's code, and its parameters. */
export function partsOf({ text }: Pick<LogEvent, "text">): readonly [code: string, ...parameters: string[]] {
  return text.split("\t") as [string, ...string[]];
}

/** The event as a sentence, in printable ASCII; of an unknown code only the parameters. */
export function wordsOf([code, ...parameters]: readonly [string, ...string[]]): string {
  const [first = "", second = "", third = "", detail = "", unit = ""] = parameters;
  const words = Object.hasOwn(WORDS, code) ? WORDS[code as EventCode] : "{0}";
  let shown = first;
  switch (code) {
    case "alarm-raised":
    case "alarm-cleared":
      shown = ALARMS_TABLE.find(({ name }) => name === first)?.title ?? first;
      break;
    case "write":
      shown = sentenceOf({ name: first, value: second, outcome: third as WriteReport["outcome"], detail, unit });
      break;
    case "started":
    case "part-failed":
      break;
    default:
      shown = parameters.join(" ");
  }
  // Functions: a "$" in a text means itself. The second one first: the first may contain its mark.
  return words.replace("{1}", () => second).replace("{0}", () => shown);
}
