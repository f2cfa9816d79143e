import { describe, expect, it } from "vitest";
import { ALARMS_TABLE } from "../../src/catalogue/alarms";
import { partsOf, wordsOf } from "../../src/events/words";
import { messageText } from "../../web/messages";
import { NO_REPLIES } from "../../src/packs/types";
import { en } from "../../web/texts/en";

const words = (text: string): string => wordsOf(partsOf({ text }));

/** What the page says, with the parameters as they are. */
const shown = (code: keyof typeof en.messages, ...parameters: string[]): string => {
  const message: string | ((...shown: string[]) => string) = en.messages[code];
  return typeof message === "string" ? message : message(...parameters);
};

describe("the words of an event", () => {
  it.each([
    ["started", "1.2.3", "abc"],
    ["start-reason", "power-on"],
    ["crashed", "task main, pc 0x400d1a2b"],
    ["safe-mode"],
    ["part-failed", "led", "in use"],
    ["part-works", "led"],
    ["stopped"],
    ["button"],
    ["bms-online"],
    ["bms-offline"],
    ["pack-online", "3"],
    ["pack-offline", "3"],
    ["pack-swapped", "3"],
    ["other-master"],
    ["other-master-gone"],
    ["relay-on"],
    ["relay-off"],
    ["settings-changed", "network"],
    ["older-update", "0.9.0"],
    ["clock-set", "page", "192.168.1.20"],
    ["clock-doubtful"],
    ["mqtt", "connected"],
    ["condition-raised", "emergency"],
    ["condition-cleared", "emergency"],
  ] as const)("%s: those of the page's log", (code, ...parameters) => {
    expect(words([code, ...parameters].join("\t"))).toBe(shown(code, ...parameters));
  });

  it.each(["online", "offline"] as const)("pack-%s of which the log has not kept the pack", (state) => {
    for (const text of [`pack-${state}`, `pack-${state}\t`]) {
      expect(words(text)).toBe(en.messages[`bms-${state}`]);
      expect(messageText(text, en)).toBe(en.messages[`bms-${state}`]);
    }
  });

  it.each(ALARMS_TABLE)("$name has its title", ({ name, title }) => {
    expect(words(`alarm-raised\t${name}`)).toBe(shown("alarm-raised", title));
    expect(words(`alarm-cleared\t${name}`)).toBe(shown("alarm-cleared", title));
    expect(words(`alarm-cleared\t${name}\t\t7`)).toBe(shown("alarm-cleared", title, "7"));
    expect(words(`alarm-cleared\t${name}\t15\t7`)).toBe(`Pack 15: ${shown("alarm-cleared", title, "7")}`);
  });

  it("of a condition that flapped how often it came", () => {
    expect(words("condition-cleared\temergency\t\t7")).toBe("No longer (7 times): emergency");
    expect(words("condition-cleared\temergency\t15\t7")).toBe("Pack 15: No longer (7 times): emergency");
    expect(messageText("condition-cleared\temergency\t15\t7", en)).toBe(
      `Pack 15: No longer (7 times): ${en.concerns.emergency}`,
    );
  });

  it.each(NO_REPLIES)("no reply but %s: the page's words, of each pack its own", (kind) => {
    expect(words(`no-reply\t${kind}`)).toBe(en.noReplies[kind]);
    for (const address of [1, 2, 15])
      expect(words(`no-reply\t${kind}\t${address}`)).toBe(`Pack ${address}: ${en.noReplies[kind]}`);
  });

  it("a lost password", () => expect(words("password-lost")).toBe(en.errors["password-lost"]));

  it.each([
    ["write\tcharge_mos\toff\tconfirmed\t\t\t\toff", "Write: charge_mos off: confirmed by the BMS."],
    ["write\tcharge_mos\toff\tconfirmed\t\t\tpage\t", "Write (page): charge_mos off: confirmed by the BMS."],
    [
      "write\tcell_ovp_voltage\t3.65\tnot-sent\tV\t2\tAPI\t",
      "Pack 2: Write (API): cell_ovp_voltage 3.65 V: not sent: the BMS did not answer.",
    ],
    [
      "write\tcell_ovp_voltage\t3.65\tnot-applied\tV\t\t\t3.6",
      "Write: cell_ovp_voltage 3.65 V: acknowledged, but not applied: read back 3.6 V.",
    ],
    [
      "write\tbluetooth_name\t$&{1}\tno-reply\t\t\t\t",
      "Write: bluetooth_name $&{1}: no confirming reply; the outcome is unknown.",
    ],
    [
      "setting-changed\tcell_ovp_voltage\t3.65\t3.6\tV\t2\tmaster\t",
      "Pack 2: Setting changed (master): cell_ovp_voltage 3.65 -> 3.6 V.",
    ],
    ["setting-changed\tcharge_mos\ton\toff\t\t\tunknown\t", "Setting changed (unknown): charge_mos on -> off."],
    ["setting-changed\t\t\t\t\t15\tdevice\t4", "Pack 15: Setting changed (device): 4."],
    ["all-packs-ended\tcell_count", "A restart ended the change of cell_count for all packs."],
    ["settings\tsame\trelay.onAt\trelay.offAt", "Settings: same relay.onAt relay.offAt"],
    ["alarm-raised\tof_another_version", "Alarm: of_another_version."],
    ["of-another-version\ta\tb", "a b"],
    ["toString\ta", "a"],
    ["started", "Started with firmware  ()."],
  ])("%j: %j", (text, sentence) => expect(words(text)).toBe(sentence));
});
