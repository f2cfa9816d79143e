/** What the question before a restore names. */
import { describe, expect, it } from "vitest";
import DEFAULTS from "../../src/settings/defaults";
import { powersOf, type Backup } from "../../web/backup-file";
import { GROUPS, type GroupName } from "../../web/tables";

const backup = (groups: object): Backup => ({ kind: "jk-bms-monitor settings", version: "1", groups });

/** Written out once more: a new setting is named, or its author says here why it need not be. */
const NAMED = [
  "api.enabled",
  "api.token",
  "device.proxyAddress",
  "device.proxyHost",
  "modbus.clients",
  "modbus.enabled",
  "mqtt.ca",
  "mqtt.enabled",
  "mqtt.host",
  "mqtt.password",
  "mqtt.tls",
  "mqtt.user",
  "network.accessPointPassword",
  "network.address",
  "network.dns1",
  "network.dns2",
  "network.gateway",
  "network.mask",
  "network.password",
  "network.ssid",
  "notify.ca",
  "notify.channel1",
  "notify.channel2",
  "notify.token1",
  "notify.token2",
  "notify.url1",
  "notify.url2",
  "snmp.community",
  "snmp.enabled",
  "snmp.receiver1",
  "snmp.receiver2",
  "syslog.host",
  "time.server",
  "time.server2",
];

/** A backup in which every setting has a value that opens or sends the most. */
const everything = (): Record<string, Record<string, unknown>> => {
  const groups: Record<string, Record<string, unknown>> = {};
  for (const group of Object.keys(GROUPS) as GroupName[]) {
    groups[group] = {};
    for (const [member, field] of Object.entries(GROUPS[group])) {
      if (member.includes(".")) continue;
      groups[group][member] =
        field.kind === "boolean"
          ? member !== "tls"
          : field.kind === "text"
            ? `of ${member}`
            : field.kind === "choice"
              ? field.choices.at(-1)
              : 1;
    }
  }
  return groups;
};

describe("the question before a restore", () => {
  it("names every setting that gives access or sends values elsewhere, and no other", () => {
    expect(
      powersOf(backup(everything()))
        .map(([name]) => name)
        .sort(),
    ).toEqual(NAMED);
  });

  it("shows no secret and no certificate, but whose alarms and values they are", () => {
    const shown = Object.fromEntries(powersOf(backup(everything())));
    for (const name of NAMED) {
      const [group, member] = name.split(".") as [GroupName, string];
      const field = GROUPS[group][member]!;
      if (field.kind !== "text") continue;
      const isHidden = field.secret || field.rule === "certificate";
      expect([name, shown[name as "api.token"]]).toEqual([name, isHidden ? "•••" : `of ${member}`]);
    }
    expect(shown).toMatchObject({ "notify.token2": "•••", "api.enabled": "✓", "mqtt.tls": "–" });
  });

  it("names nothing that a backup leaves out, switches off or leaves empty", () => {
    expect(powersOf(backup({}))).toEqual([]);
    const off = {
      api: { enabled: false, token: "" },
      mqtt: { enabled: false, tls: true, host: "", ca: "" },
      notify: { kind1: "off", url1: "" },
      relay: { failSafe: "on", start: "on" },
    };
    expect(powersOf(backup(off))).toEqual([]);
    expect(powersOf(backup({ mqtt: { host: "a", tls: true } }))).toEqual([["mqtt.host", "a"]]);
  });

  it("of the defaults of a new device names what they open", () => {
    expect(powersOf(backup(DEFAULTS))).toEqual([
      ["api.enabled", "✓"],
      ["time.server", "pool.ntp.org"],
      ["mqtt.tls", "–"],
      ["network.mask", "255.255.255.0"],
    ]);
  });
});
