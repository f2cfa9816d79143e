import { SERVICES } from "notification-services/services";
import { describe, expect, it } from "vitest";
import { accepts, demand, type Field, type Fields, type ValueField } from "../../src/settings/field";
import { MAX_ZONE as MAX_RULE } from "../../modules/posix-tz/limits";
import * as limits from "../../src/settings/limits";
import { groupOf, textOf } from "../../src/settings/stored-text";
import GROUPS from "../../src/settings/tables";
import { isBssid } from "../../src/settings/text-rules";
import type { GroupName } from "../../src/settings/types";
import { defaultsOf, overlay } from "../../src/settings/values";
import { pemOf } from "../support/tls/pem";
import { startSettings } from "../support/fakes/settings";
import { FaultyStorage } from "../support/fakes/storage";
import { table } from "../support/table";

interface Row {
  readonly group: GroupName;
  readonly path: string;
  readonly field: ValueField;
}

const names = Object.keys(GROUPS) as GroupName[];

function* rowsOf(group: GroupName, fields: object, path: string): Generator<Row> {
  for (const [member, field] of Object.entries(fields) as [string, Field][]) {
    if (field.kind === "record") yield* rowsOf(group, field.fields, `${path}${member}.`);
    else if (field.kind === "list")
      for (const [at, item] of field.items.entries()) yield* rowsOf(group, item, `${path}${member}.${at}.`);
    else yield { group, path: path + member, field };
  }
}

const rows = names.flatMap((name) => [...rowsOf(name, GROUPS[name].fields, "")]);

/** A change of the group that sets the one member at `path`, the others as they are. */
function changeOf(group: object, path: string, value: unknown): object {
  const change = structuredClone(group) as Record<string, unknown>;
  const way = path.split(".");
  let at = change;
  // The one item of an open list, which is empty by default.
  if (way[0] === "further") change["further"] = [{ address: 2, name: "Shed" }];
  for (const step of way.slice(0, -1)) at = at[step] as Record<string, unknown>;
  at[way.at(-1) as string] = value;
  return change;
}

const valueAt = (group: object, path: string): unknown =>
  path.split(".").reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], group);

const filled = (length: number): string => "a".repeat(length);

function rightOf(field: ValueField): unknown[] {
  switch (field.kind) {
    case "boolean":
      return [true, false];
    case "integer":
    case "number":
      return [field.minimum, field.maximum, field.kind === "integer" ? field.minimum + 1 : field.minimum + 0.001];
    case "choice":
      return [...field.choices];
    case "text":
      if (field.judge === isBssid) return ["", widestBssid];
      if (field.rule === "ipv4") return ["", "0.0.0.0", "255.255.255.255"];
      if (field.rule === "mask") return ["255.0.0.0", "255.255.255.0", "255.255.255.252"];
      if (field.rule === "clients") return ["", "0.0.0.0", widestClients];
      if (field.rule === "certificate") return ["", pemOf(field.maximum - 1), pemOf(field.maximum)];
      if (field.rule === "zone") return ["", "UTC0", widestZone];
      if (field.rule === "url") return ["", "http://a", widestUrl];
      if (field.rule === "passphrase") return ["", filled(limits.MIN_PASSPHRASE), filled(field.maximum)];
      return [filled(field.minimum), filled(field.minimum + 1), filled(field.maximum)];
  }
}

const widestBssid = "a4:2b:b0:01:02:ff";

/** The longest name and the longest rule. */
const widestZone = `${filled(limits.MAX_ZONE_NAME)} <${filled(MAX_RULE - 3)}>0`;

const widestClients = Array<string>(limits.MAX_ALLOWED).fill("255.255.255.255").join(", ");

const widestUrl = "https://a:65535/".padEnd(limits.MAX_URL, "a");

/** What takes most room in the storage. */
const WIDEST = {
  name: "\u{1f50b}",
  topic: "\u{1f50b}",
  utf8: '"',
  ascii: '"',
  passphrase: '"',
  hostname: "a",
  token: "a",
  host: "a",
  certificate: "",
  clients: "",
  zone: "",
  url: "",
  key: "a",
} as const;

function wrongOf(field: ValueField): unknown[] {
  const always = [undefined, null, {}, [], NaN, Infinity, -Infinity, () => 1];
  switch (field.kind) {
    case "boolean":
      return [...always, 0, 1, "true", ""];
    case "integer":
    case "number": {
      const step = field.kind === "integer" ? 1 : 0.001;
      return [
        ...always,
        field.minimum - step,
        field.maximum + step,
        String(field.minimum),
        true,
        ...(field.kind === "integer" ? [field.minimum + 0.5] : []),
      ];
    }
    case "choice":
      return [
        ...always,
        "none of these",
        3,
        -1,
        String(field.choices[0]) + " ",
        typeof field.choices[0] === "number" ? "0" : 0,
      ];
    case "text":
      return [
        ...always,
        7,
        true,
        ...(field.minimum ? [filled(field.minimum - 1)] : []),
        filled(field.maximum + 1),
        "a\u0000b".padEnd(field.minimum, "a"),
      ];
  }
}

describe("each row of the tables", () => {
  table(rows)("has a default that it accepts", ({ group, path, field }) => {
    // The token is the one value without a default: it is made.
    if (group === "api" && path === "token") expect(field.default).toBe("");
    else expect(accepts(field, field.default)).toBe(true);
  });

  table(rows)("accepts its limits and keeps them across a restart", ({ group, path, field }) => {
    for (const value of rightOf(field)) {
      const storage = new FaultyStorage();
      const settings = startSettings(storage);
      const change = changeOf(settings[group], path, value);
      if (group === "packs") settings.update("bms", { address: 7 });
      // The two thresholds of the relay must differ.
      if (path === "onAt") Object.assign(change, { offAt: 50 });
      if (path === "offAt") Object.assign(change, { onAt: 50 });
      expect(settings.update(group, change)).toBeUndefined();
      expect(valueAt(settings[group], path)).toBe(value);
      const again = startSettings(storage);
      expect(again.problems).toEqual([]);
      expect(again[group]).toEqual(settings[group]);
    }
  });

  table(rows)("refuses values beyond, with its name and rule", ({ group, path, field }) => {
    const storage = new FaultyStorage();
    const settings = startSettings(storage);
    const before = settings[group];
    const writes = storage.writes;
    for (const value of wrongOf(field)) {
      const message = settings.update(group, changeOf(before, path, value));
      expect(message, String(value)).toBe(demand(field, `${group}.${path}`));
    }
    expect(settings[group]).toBe(before);
    expect(storage.writes).toBe(writes);
  });
});

/** The packs behind the first of eight, with their longest names. */
const FURTHER = Array.from({ length: 7 }, (_, at) => ({ address: at + 2, name: WIDEST.name.repeat(limits.MAX_NAME) }));
/** Counters, states and notes that the firmware keeps besides (src/runtime/state.ts), with the entries of the name spaces. */
const STATE_ENTRIES = 40;

describe("the groups", () => {
  /** Of a group as it is stored with all texts at their longest. */
  function widestText(group: GroupName): string {
    const fields = GROUPS[group].fields as unknown as Fields<Record<string, unknown>>;
    let values: object = defaultsOf(fields);
    for (const row of rows)
      if (row.group === group) {
        let value: unknown = row.field.default;
        if (row.field.kind === "text" && row.field.rule === "certificate") value = pemOf(row.field.maximum);
        else if (row.field.kind === "text" && row.field.judge === isBssid) value = widestBssid;
        else if (row.field.kind === "text" && row.field.rule === "zone") value = widestZone;
        else if (row.field.kind === "text" && row.field.rule === "url") value = widestUrl;
        else if (row.field.kind === "text" && row.field.rule === "clients") value = widestClients;
        else if (row.field.kind === "text" && row.field.rule === "passphrase")
          value = WIDEST.passphrase.repeat(limits.MAX_PASSPHRASE);
        else if (row.field.kind === "text")
          value =
            row.field.rule === "ipv4"
              ? "255.255.255.255"
              : row.field.rule === "mask"
                ? "255.255.255.252"
                : WIDEST[row.field.rule].repeat(row.field.maximum);
        else if (row.field.kind === "number") value = row.field.maximum - 1 / 3;
        else if (row.field.kind === "integer") value = row.field.maximum;
        values = changeOf(values, row.path, value);
      }
    if (group === "packs") values = { ...values, further: FURTHER };
    const faults: string[] = [];
    overlay(fields, defaultsOf(fields), values, group, (path) => faults.push(path));
    expect(faults).toEqual([]);
    const text = textOf(GROUPS[group].version, values);
    expect(groupOf(text)?.values, group).toEqual(values);
    return text;
  }

  it.each(names)("%s fits the storage with all texts at their longest", (group) => {
    expect(Buffer.byteLength(widestText(group))).toBeLessThan(4000);
    expect(group.length).toBeLessThanOrEqual(15);
  });

  it("fit the stand-in of a broken NVS all together, with 8 packs: 4 of its 5 pages, 126 entries each", () => {
    // A text takes an entry, and one for each 32 bytes with its end; a group lies in one page.
    const entries = names.map((group) => 1 + Math.ceil((Buffer.byteLength(widestText(group)) + 1) / 32));
    expect(entries.reduce((sum, one) => sum + one, 0) + STATE_ENTRIES).toBeLessThanOrEqual(4 * 126);
  });

  it("state their range and unit", () => {
    const settings = startSettings();
    expect(settings.update("bms", { interval: 499 })).toBe("not-integer\tbms.interval\t500\t60000\tms");
    expect(settings.update("bms", { address: 16 })).toBe("not-integer\tbms.address\t0\t15\t");
    expect(settings.update("bms", { baud: 1 as 9600 })).toBe("not-choice\tbms.baud\t115200, 9600");
    expect(settings.update("relay", { onAt: -1 })).toBe("not-number\trelay.onAt\t0\t105\t% or V");
    expect(settings.update("relay", { fitted: 1 as unknown as boolean })).toBe("not-boolean\trelay.fitted");
    expect(settings.update("monitoring", { temperature: 5 as never })).toBe("not-object\tmonitoring.temperature");
    expect(settings.update("monitoring", { inputs: [] as never })).toBe("not-list\tmonitoring.inputs\t2");
  });

  it.each([
    ["device", "name", 1, 32, "name"],
    ["device", "hostname", 1, 32, "hostname"],
    ["api", "token", 16, 128, "token"],
    ["snmp", "community", 0, 32, "ascii"],
    ["network", "ssid", 0, 32, "utf8"],
    ["network", "password", 0, 64, "passphrase"],
    ["network", "accessPointPassword", 0, 63, "passphrase"],
    ["mqtt", "user", 0, 64, "utf8"],
    ["mqtt", "password", 0, 128, "utf8"],
    ["network", "address", 0, 15, "ipv4"],
    ["modbus", "clients", 0, 66, "clients"],
    ["mqtt", "host", 0, 63, "host"],
    ["mqtt", "baseTopic", 1, 64, "topic"],
    ["time", "server2", 0, 63, "host"],
    ["time", "zone", 0, 104, "zone"],
    ["notify", "url1", 0, 128, "url"],
    ["notify", "token2", 0, 96, "key"],
  ] as const)("state the rule of a text: %s.%s", (group, member, ...rule) => {
    expect(startSettings().update(group, { [member]: "\u0001" })).toBe(
      ["not-text", `${group}.${member}`, ...rule].join("\t"),
    );
  });

  const told = (pick: (field: ValueField) => unknown): Record<string, unknown> =>
    Object.fromEntries(
      rows.flatMap(({ group, path, field }) => {
        const value = pick(field);
        return value === undefined ? [] : [[`${group}.${path}`.replace(/\.\d\./, ".*."), value]];
      }),
    );

  it("have these defaults and units", () => {
    const known = rows.map(({ group, path, field }): [string, unknown[]] => [
      `${group}.${path}`,
      "unit" in field ? [field.default, field.unit] : [field.default],
    ]);
    expect(Object.fromEntries(known)).toEqual({
      "device.name": ["JK BMS monitor"],
      "device.hostname": ["jk-bms"],
      "device.proxyHost": [""],
      "device.proxyAddress": [""],
      "device.statusLed": [true],
      "api.enabled": [true],
      "api.token": [""],
      "bms.address": [1, ""],
      "bms.baud": [115200],
      "bms.readMode": ["auto"],
      "bms.interval": [1000, "ms"],
      "bms.gap": [75, "ms"],
      "bms.mode": ["auto"],
      "packs.first": ["Pack 1"],
      "packs.further.0.address": [0, ""],
      "packs.further.0.name": ["Pack"],
      "relay.fitted": [true],
      "relay.name": ["Relay"],
      "relay.mode": [0],
      "relay.activeLevel": [1],
      "relay.start": ["off"],
      "relay.source": ["alarm"],
      "relay.pack": [-1, ""],
      "relay.onAt": [20, "% or V"],
      "relay.offAt": [30, "% or V"],
      "relay.failSafe": ["off"],
      "relay.failSafeAfter": [60, "s"],
      "relay.minimumOn": [5, "s"],
      "relay.minimumOff": [5, "s"],
      "monitoring.fitted": [true],
      "monitoring.temperature.name": ["Temperature"],
      "monitoring.temperature.kind": ["ntc"],
      "monitoring.temperature.resistance25": [10000, "ohm"],
      "monitoring.temperature.beta": [3950, "K"],
      "monitoring.temperature.seriesResistance": [22000, "ohm"],
      "monitoring.temperature.slope": [100, "degrees Celsius per volt"],
      "monitoring.temperature.offset": [0, "degrees Celsius"],
      "monitoring.voltages.0.name": ["DC 1"],
      "monitoring.voltages.0.ratio": [25, ""],
      "monitoring.voltages.0.offset": [0, "V"],
      "monitoring.voltages.1.name": ["DC 2"],
      "monitoring.voltages.1.ratio": [25, ""],
      "monitoring.voltages.1.offset": [0, "V"],
      "monitoring.voltages.2.name": ["DC 3"],
      "monitoring.voltages.2.ratio": [25, ""],
      "monitoring.voltages.2.offset": [0, "V"],
      "monitoring.inputs.0.name": ["Input 1"],
      "monitoring.inputs.0.activeLevel": [0],
      "monitoring.inputs.0.debounce": [50, "ms"],
      "monitoring.inputs.1.name": ["Input 2"],
      "monitoring.inputs.1.activeLevel": [0],
      "monitoring.inputs.1.debounce": [50, "ms"],
      "snmp.enabled": [false],
      "snmp.community": [""],
      "snmp.contact": [""],
      "snmp.location": [""],
      "snmp.receiver1": [""],
      "snmp.receiver2": [""],
      "modbus.enabled": [false],
      "modbus.port": [502, ""],
      "modbus.clients": [""],
      "syslog.host": [""],
      "syslog.port": [514, ""],
      "syslog.facility": ["local0"],
      "notify.language": ["en"],
      "notify.alarms": [true],
      "notify.cleared": [true],
      "notify.offlineAfter": [120, "s"],
      "notify.soc": [15, "%"],
      "notify.temperature": [50, "degrees Celsius"],
      "notify.spread": [0, "mV"],
      "notify.device": [true],
      "notify.master": [true],
      "notify.ca": [""],
      "notify.kind1": ["off"],
      "notify.url1": [""],
      "notify.channel1": [""],
      "notify.token1": [""],
      "notify.kind2": ["off"],
      "notify.url2": [""],
      "notify.channel2": [""],
      "notify.token2": [""],
      "network.ssid": [""],
      "network.password": [""],
      "network.bssid": [""],
      "network.addressing": ["dhcp"],
      "network.address": [""],
      "network.mask": ["255.255.255.0"],
      "network.gateway": [""],
      "network.dns1": [""],
      "network.dns2": [""],
      "network.accessPointPassword": [""],
      "web.password": [""],
      "access.guest": [""],
      "access.tokens.0.name": ["Token 1"],
      "access.tokens.0.write": [false],
      "access.tokens.0.hash": [""],
      "access.tokens.1.name": ["Token 2"],
      "access.tokens.1.write": [false],
      "access.tokens.1.hash": [""],
      "access.tokens.2.name": ["Token 3"],
      "access.tokens.2.write": [false],
      "access.tokens.2.hash": [""],
      "access.tokens.3.name": ["Token 4"],
      "access.tokens.3.write": [false],
      "access.tokens.3.hash": [""],
      "access.links.0.name": ["Link 1"],
      "access.links.0.write": [false],
      "access.links.0.hash": [""],
      "access.links.1.name": ["Link 2"],
      "access.links.1.write": [false],
      "access.links.1.hash": [""],
      "time.server": ["pool.ntp.org"],
      "time.server2": [""],
      "time.offset": [0, "min"],
      "time.zone": [""],
      "mqtt.enabled": [false],
      "mqtt.host": [""],
      "mqtt.port": [1883, ""],
      "mqtt.tls": [false],
      "mqtt.ca": [""],
      "mqtt.user": [""],
      "mqtt.password": [""],
      "mqtt.baseTopic": ["jk-bms"],
      "mqtt.interval": [5, "s"],
      "mqtt.discovery": [true],
      "mqtt.discoveryPrefix": ["homeassistant"],
    });
  });

  it("have these choices", () => {
    expect(told((field) => (field.kind === "choice" ? field.choices : undefined))).toEqual({
      "bms.baud": [115200, 9600],
      "bms.readMode": ["auto", "registers", "frames"],
      "bms.mode": ["auto", "poll", "listen"],
      "relay.mode": [0, 1, 2],
      "relay.activeLevel": [0, 1],
      "syslog.facility": ["user", "daemon", ...[0, 1, 2, 3, 4, 5, 6, 7].map((at) => `local${at}`)],
      "notify.language": ["en", "pt"],
      "notify.kind1": ["off", ...Object.keys(SERVICES)],
      "notify.kind2": ["off", ...Object.keys(SERVICES)],
      "relay.start": ["restore", "on", "off"],
      "relay.source": ["alarm", "soc", "voltage", "fault"],
      "relay.failSafe": ["hold", "off", "on"],
      "monitoring.temperature.kind": ["ntc", "linear"],
      "monitoring.inputs.*.activeLevel": [0, 1],
      "network.addressing": ["dhcp", "static"],
    });
  });

  it("have these secrets, which no interface may show", () => {
    expect(Object.keys(told((field) => (field.kind === "text" ? field.secret : undefined)))).toEqual([
      "api.token",
      "snmp.community",
      ...[1, 2].flatMap((at) => [`notify.url${at}`, `notify.channel${at}`, `notify.token${at}`]),
      "network.password",
      "network.accessPointPassword",
      "web.password",
      "access.guest",
      "access.tokens.*.hash",
      "access.links.*.hash",
      "mqtt.password",
    ]);
  });
});

describe("texts", () => {
  const takes = (group: GroupName, member: string, text: string): boolean =>
    startSettings().update(group, { [member]: text }) === undefined;

  it.each([
    ["Batterie Süd 🔋", true],
    [" a ", true],
    ["   ", false],
    ["a\nb", false],
    ["a\u007fb", false],
    ["a\u0080b", false],
    ["a\u009fb", false],
    ["a\u200a\u2010\u2027b", true],
    ...[
      "\u00ad",
      "\u034f",
      "\u061c",
      "\u180b",
      "\u180e",
      "\u200b",
      "\u200c",
      "\u200d",
      "\u200e",
      "\u200f",
      "\u2060",
      "\u2064",
    ].map((hidden): [string, boolean] => [`a${hidden}b`, false]),
    ...["\u206f", "\ufe00", "\ufe0e", "\ufeff", "\u{e0001}", "\u{e0061}", "\u{e01ef}"].map(
      (hidden): [string, boolean] => [`a${hidden}b`, false],
    ),
    ["☀\ufe0f", true],
    ["a\ufe0f", false],
    ["\ufe0f", false],
    ["☀\ufe0f\ufe0f", false],
    ["a\u00ac\u00aeb", true],
    ["\ufdff\ufe10\ufefc", true],
    ["a\u2028b", false],
    ["a\u202eb", false],
    ["a\u202f\u205fb", true],
    ["a\u2066b", false],
    ["a\u2069b", false],
    ["a\u206ab", false],
    ["a\u2070b", true],
    ["a\u00a0b", true],
    ["a\ud800b", false],
    ["\udfff", false],
    ["\ue000", true],
    ["🔋".repeat(32), true],
    ["🔋".repeat(33), false],
  ])("a name %j: %s", (text, right) => expect(takes("device", "name", text)).toBe(right));

  it.each([
    ["a", true],
    ["Pack-7", true],
    ["AZaz09", true],
    ["7", true],
    ...Array.from("/:@[`{", (character): [string, boolean] => [character, false]),
    ["-a", false],
    ["a-", false],
    ["-", false],
    ["a.b", false],
    ["a_b", false],
    ["ä", false],
    ["a b", false],
    ["a".repeat(limits.MAX_HOSTNAME), true],
    ["a".repeat(limits.MAX_HOSTNAME + 1), false],
  ])("a hostname %j: %s", (text, right) => expect(takes("device", "hostname", text)).toBe(right));

  it.each([
    ["abcDEF0123456789", true],
    ["!0123456789abcd~", true],
    ["a".repeat(16), true],
    ["a".repeat(128), true],
    ["a".repeat(129), false],
    ["0123456789 abcdef", false],
    ["0123456789\u007fabcdef", false],
    ["0123456789äabcdef", false],
    ["a".repeat(15), false],
  ])("a token %j: %s", (text, right) => expect(takes("api", "token", text)).toBe(right));

  it.each([
    ["", true],
    ["public", true],
    [" ~", true],
    ["\u001f", false],
    ["\u007f", false],
    ["é", false],
  ])("a community %j: %s", (text, right) => expect(takes("snmp", "community", text)).toBe(right));

  it.each([
    ["", true],
    ["a".repeat(limits.MIN_PASSPHRASE - 1), false],
    ["a".repeat(limits.MIN_PASSPHRASE), true],
    ["a".repeat(limits.MAX_PASSPHRASE), true],
    ["x".repeat(limits.MAX_PASSPHRASE), true],
    ["x".repeat(limits.WIFI_KEY), false],
    ["0aF".repeat(22).slice(0, limits.WIFI_KEY - 1), true],
    ["0aF".repeat(22).slice(0, limits.WIFI_KEY), true],
    ["0aF".repeat(22).slice(0, limits.WIFI_KEY + 1), false],
    ["0aF".repeat(22).slice(0, limits.WIFI_KEY - 1) + "g", false],
    ["pässwörd", false],
  ])("a passphrase %j: %s", (text, right) => expect(takes("network", "password", text)).toBe(right));

  it.each([
    ["", true],
    ["09:af:00:ff:1a:f9", true],
    ["09:af:00:ff:1a", false],
    ["09:af:00:ff:1a:f9:00", false],
    ["09:AF:00:ff:1a:f9", false],
    ["09:ag:00:ff:1a:f9", false],
    ["09-af-00-ff-1a-f9", false],
    ["09:af:00:ff:1a:f:", false],
    ["09af00ff1af9", false],
  ])("a BSSID %j: %s", (text, right) => expect(takes("network", "bssid", text)).toBe(right));

  it("a key of 64 hexadecimal digits is no passphrase of the device's own access point", () => {
    expect(takes("network", "accessPointPassword", "a".repeat(limits.MAX_PASSPHRASE))).toBe(true);
    expect(takes("network", "accessPointPassword", "a".repeat(limits.WIFI_KEY))).toBe(false);
  });

  const FAMILY = "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}";
  it.each([
    ["network", "ssid", limits.MAX_SSID],
    ["mqtt", "user", limits.MAX_MQTT_USER],
    ["mqtt", "password", limits.MAX_MQTT_PASSWORD],
  ] as const)("the limit of %s.%s counts bytes of UTF-8", (group, member, most) => {
    for (const [text, bytes] of [
      ["a", 1],
      ["ã", 2],
      ["€", 3],
      ["\u{1f50b}", 4],
    ] as const) {
      const filled = text.repeat(most / bytes);
      const full = filled + "a".repeat(most - Buffer.byteLength(filled));
      expect(takes(group, member, full), text).toBe(true);
      expect(takes(group, member, full.slice(0, -1)), text).toBe(bytes < 4 || full.endsWith("a"));
      expect(takes(group, member, `${full}a`), text).toBe(false);
    }
    for (const name of ["Casa do João", FAMILY, "\u2600\ufe0f", "a\u05d0\u200fb"])
      expect(takes(group, member, name), name).toBe(true);
    for (const name of ["a\0", "a\n", "\u007f", "a\u0085", "\ud83d", "\udd0b"])
      expect(takes(group, member, name), name).toBe(false);
  });

  it.each([
    ["", true],
    ["192.168.1.20", true],
    ["0.0.0.0", true],
    ["255.255.255.255", true],
    ["256.1.1.1", false],
    ["1.2.3", false],
    ["1.2.3.4.5", false],
    ["1.2.3.", false],
    ["01.2.3.4", false],
    ["1.2.3.a", false],
    ["-1.2.3.4", false],
  ])("an address %j: %s", (text, right) => expect(takes("network", "address", text)).toBe(right));

  it.each([
    ["", true],
    ["broker", true],
    ["mqtt-broker.example.org", true],
    ["10.0.0.7", true],
    ["broker.", false],
    ["a..b", false],
    ["-a.b", false],
    ["a-.b", false],
    ["a b", false],
    ["a_b", false],
    ["a".repeat(limits.MAX_HOST), true],
    ["a".repeat(limits.MAX_HOST + 1), false],
  ])("a host %j: %s", (text, right) => expect(takes("mqtt", "host", text)).toBe(right));

  it.each([
    ["jk-bms", true],
    ["home/cellar/Süd", true],
    ["", false],
    ["/a", false],
    ["a/", false],
    ["a/+/b", false],
    ["#", false],
    ["a\u0000b", false],
  ])("a topic %j: %s", (text, right) => expect(takes("mqtt", "baseTopic", text)).toBe(right));
});
