import { describe, expect, it } from "vitest";
import { MAX_EVENT_TEXT } from "../../src/events/limits";
import type { EventCode, LogEvent } from "../../src/events/types";
import GROUPS from "../../src/settings/tables";
import type { SyslogFacility } from "../../src/settings/types";
import { MAX_HOSTNAME } from "../../src/settings/limits";
import { MAX_MESSAGE_BYTES } from "../../src/syslog/limits";
import { messageOf } from "../../src/syslog/message";
import type { SyslogDevice } from "../../src/syslog/types";

const device = ({ facility = "local0", hostname = "shed", address = 1, restarts = 3 } = {}): SyslogDevice =>
  ({
    settings: { syslog: { facility }, device: { hostname }, bms: { address } },
    build: { softwareName: "jk-bms-monitor" },
    start: { restarts },
    uptime: () => 100,
    time: () => Date.UTC(2026, 10, 23, 19, 30) / 1000,
  }) as unknown as SyslogDevice;

const event = (text: string, uptime = 100): LogEvent => ({ uptime, before: false, text });

it("has the fields of RFC 5424, in its order", () => {
  expect(messageOf(device(), event("alarm-raised\tcell_undervoltage", 40), 7)).toBe(
    '<130>1 2026-11-23T19:29:00.000Z shed jk-bms-monitor 3 alarm-raised [jkbms@8072.9999.9999.485 pack="1" value="cell_undervoltage"]' +
      '[meta sequenceId="7" sysUpTime="4000"] Alarm: Cell under-voltage.',
  );
});

it("without parameters there is no value", () => {
  expect(messageOf(device(), event("stopped"), 1)).toContain('[jkbms@8072.9999.9999.485 pack="1"][meta');
});

it("parameters that are empty leave no empty places in the value", () => {
  expect(messageOf(device(), event("write\tcharge_mos\toff\tconfirmed\t\t\tAPI\t"), 1)).toContain(
    'value="charge_mos off confirmed API"]',
  );
});

it("a quote, a backslash and a bracket are escaped in the value", () => {
  expect(messageOf(device(), event('crashed\t"a"\\]]'), 1)).toContain('value="\\"a\\"\\\\\\]\\]"]');
});

it.each([
  [1, "1"],
  [2_147_483_647, "2147483647"],
  [2_147_483_648, "1"],
])("number %d has the sequenceId %s", (number, shown) => {
  expect(messageOf(device(), event("stopped"), number)).toContain(`sequenceId="${shown}"`);
});

describe("the priority", () => {
  const facilities = (GROUPS.syslog.fields.facility as { choices: readonly SyslogFacility[] }).choices;
  it.each(facilities.map((name, at) => [name, [1, 3, 16, 17, 18, 19, 20, 21, 22, 23][at]!] as const))(
    "%s is facility %d",
    (facility, number) => {
      expect(messageOf(device({ facility }), event("stopped"), 1)).toMatch(new RegExp(`^<${8 * number + 5}>1 `));
    },
  );

  const SEVERITIES: Readonly<Record<EventCode, readonly [parameter: string, severity: number][]>> = {
    started: [["", 5]],
    "start-reason": [["", 5]],
    crashed: [["", 2]],
    "safe-mode": [["", 2]],
    "part-failed": [["", 3]],
    "part-works": [["", 5]],
    stopped: [["", 5]],
    button: [["", 5]],
    "bms-online": [["", 5]],
    "bms-offline": [["", 3]],
    "pack-online": [["3", 5]],
    "pack-offline": [["3", 3]],
    "pack-swapped": [["3", 3]],
    "no-reply": [["silence", 3]],
    "other-master": [["", 4]],
    "other-master-gone": [["", 5]],
    "alarm-raised": [
      ["cell_undervoltage", 2],
      ["fully_charged", 5],
      ["change_password", 5],
      ["unknown", 2],
    ],
    "alarm-cleared": [["cell_undervoltage", 5]],
    "condition-raised": [
      ["shared-address", 3],
      ["emergency", 4],
      ["unknown", 4],
    ],
    "condition-cleared": [["emergency", 5]],
    write: [["", 6]],
    "relay-on": [["", 6]],
    "relay-off": [["", 6]],
    settings: [["", 4]],
    "settings-changed": [["", 5]],
    "older-update": [["", 4]],
    "clock-set": [["", 5]],
    "clock-doubtful": [["", 4]],
    "setting-changed": [["cell_ovp_voltage", 5]],
    "all-packs-ended": [["cell_count", 4]],
    mqtt: [
      ["connected", 6],
      ["no-answer", 4],
    ],
    "password-lost": [["", 4]],
  };
  const rows = Object.entries(SEVERITIES).flatMap(([code, list]) =>
    list.map(([parameter, severity]) => [code, parameter, severity] as const),
  );
  it.each(rows)("%s %s has severity %d", (code, parameter, severity) => {
    expect(messageOf(device(), event(`${code}\t${parameter}`), 1)).toMatch(new RegExp(`^<${128 + severity}>`));
  });
});

describe("with several packs", () => {
  it.each([
    ["pack-offline\t3", "3", "Pack 3 stopped responding."],
    ["alarm-raised\tcell_undervoltage\t4", "4", "Pack 4: Alarm: Cell under-voltage."],
    [
      "write\tcharge_mos\toff\tconfirmed\t\t5\tAPI\t",
      "5",
      "Pack 5: Write (API): charge_mos off: confirmed by the BMS.",
    ],
    [
      "setting-changed\tcharge_otp\t70\t65\tC\t6\tmaster\t",
      "6",
      "Pack 6: Setting changed (master): charge_otp 70 -> 65 C.",
    ],
  ])("%j is of pack %s", (text, pack, sentence) => {
    const message = messageOf(device(), event(text), 1);
    expect(message).toContain(` pack="${pack}" `);
    expect(message.endsWith(`] ${sentence}`)).toBe(true);
  });
});

describe("the longest message", () => {
  const longest = device({ facility: "local7", hostname: "h".repeat(MAX_HOSTNAME), address: 15, restarts: 65_535 });
  const fill = (length: number, character: string): LogEvent =>
    event(`crashed\t${character.repeat(length)}`, 2 ** 32 - 1);

  it("has all of its structured data: only the sentence is cut", () => {
    const message = messageOf(longest, fill(MAX_EVENT_TEXT - 8, "]"), 2 ** 31 - 1);
    expect(message).toMatch(/ sysUpTime="429496729500"\] It crashed at \]*/);
    expect(message.length).toBeLessThanOrEqual(MAX_MESSAGE_BYTES);
  });

  it("is cut at MAX_MESSAGE_BYTES", () => {
    const cut = messageOf(longest, { ...fill(0, ""), text: `crashed\t${"x".repeat(300)}` }, 1);
    expect(cut.length).toBe(MAX_MESSAGE_BYTES);
    const room = (length: number): number => messageOf(device(), event(`crashed\t${"x".repeat(length)}`), 1).length;
    // Each character is there twice: in the value and in the sentence.
    const exact = (MAX_MESSAGE_BYTES - room(0) - ' value=""'.length) / 2;
    expect([Math.floor(exact), Math.ceil(exact), Math.ceil(exact) + 1].map(room)).toEqual(
      Number.isInteger(exact) ? [480, 480, 480] : [479, 480, 480],
    );
  });
});
