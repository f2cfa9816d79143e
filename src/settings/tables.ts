import { SERVICES, type ServiceKind } from "notification-services/services";
import type { BooleanField, ChoiceField, Fields, NumberField, TextField } from "./field";
import * as limits from "./limits";
import { isZone } from "./local-time";
import { isBssid, type TextRule } from "./text-rules";
import { isUrl } from "./url";
import type {
  GroupName,
  InputChannel,
  NotifyKind,
  PackSettings,
  SettingsGroups,
  TokenSettings,
  VoltageChannel,
} from "./types";

/** One stored group. */
export interface Group<T> {
  /** Stored with the values. Increment it, with a migration, when the meaning of a member changes; a new member needs no new version. */
  readonly version: number;
  readonly fields: Fields<T>;
  /** For the board's configuration, if it allows more than `fields`. */
  readonly configured?: Fields<T>;
  /** Stored by every version: without them the group is damaged. Any other member may be missing, since an older version did not have it. */
  readonly essential?: readonly (string & keyof T)[];
  /** Two members that must not be equal. */
  readonly differ?: readonly [string & keyof T, string & keyof T];
  /** Names, token and password: loaded by `identify`, once the network is up. */
  readonly identity?: true;
  /** The page reaches it by resources of its own: it has no form, and is in no backup. */
  readonly hidden?: true;
  /** Its texts or lists may be long: the page may send more than for other groups. */
  readonly long?: true;
}

// Fields that are alike are one object: flash.
const ON: BooleanField = Object.freeze({ kind: "boolean", default: true }, true);
const OFF: BooleanField = Object.freeze({ kind: "boolean", default: false }, true);

const integer = (value: number, minimum: number, maximum: number, unit: string): NumberField => ({
  kind: "integer",
  default: value,
  minimum,
  maximum,
  unit,
});

const number = (value: number, minimum: number, maximum: number, unit: string): NumberField => ({
  kind: "number",
  default: value,
  minimum,
  maximum,
  unit,
});

const name = (value: string): TextField => ({
  kind: "text",
  default: value,
  rule: "name",
  minimum: limits.MIN_NAME,
  maximum: limits.MAX_NAME,
});

const text = (rule: TextRule, maximum: number, value = ""): TextField => ({
  kind: "text",
  default: value,
  rule,
  minimum: 0,
  maximum,
});

const secret = (rule: TextRule, maximum: number): TextField => ({ ...text(rule, maximum), secret: true });

const topic = (value: string): TextField => ({ ...text("topic", limits.MAX_TOPIC, value), minimum: limits.MIN_TOPIC });

const MAX_IPV4 = 15;

/** Empty: not generated yet. */
const token = (minimum: number): TextField => ({
  kind: "text",
  default: "",
  rule: "token",
  minimum,
  maximum: limits.MAX_TOKEN,
  secret: true,
});

const HOST: TextField = Object.freeze(text("host", limits.MAX_HOST), true);
const IPV4: TextField = Object.freeze(text("ipv4", MAX_IPV4), true);
const ASCII: TextField = Object.freeze(text("ascii", limits.MAX_SYSTEM_TEXT), true);
const CERTIFICATE: TextField = Object.freeze(text("certificate", limits.MAX_CERTIFICATE), true);
const PASSWORD_HASH: TextField = Object.freeze(secret("ascii", limits.MAX_PASSWORD_HASH), true);
const TOKEN_HASH: TextField = Object.freeze(secret("ascii", limits.MAX_TOKEN_HASH), true);
const RATIO: NumberField = Object.freeze(number(25, limits.MIN_RATIO, limits.MAX_RATIO, ""), true);
const VOLTAGE_OFFSET: NumberField = Object.freeze(
  number(0, limits.MIN_VOLTAGE_OFFSET, limits.MAX_VOLTAGE_OFFSET, "V"),
  true,
);
const ACTIVE_LOW: ChoiceField<0 | 1> = Object.freeze({ kind: "choice", default: 0, choices: [0, 1] }, true);
const DEBOUNCE: NumberField = Object.freeze(integer(50, limits.MIN_DEBOUNCE, limits.MAX_DEBOUNCE, "ms"), true);
const RELAY_TIME: NumberField = Object.freeze(integer(5, limits.MIN_RELAY_TIME, limits.MAX_RELAY_TIME, "s"), true);

/** 240 kΩ over 10 kΩ: 61 V at the calibrated full scale of the ESP32's converter (2.45 V). */
const voltageChannel = (value: string): Fields<VoltageChannel> => ({
  name: name(value),
  ratio: RATIO,
  offset: VOLTAGE_OFFSET,
});

/** A contact to ground with a pull-up: active low. */
const inputChannel = (value: string): Fields<InputChannel> => ({
  name: name(value),
  activeLevel: ACTIVE_LOW,
  debounce: DEBOUNCE,
});

const namedToken = (value: string): Fields<TokenSettings> => ({
  name: name(value),
  write: OFF,
  hash: TOKEN_HASH,
});

/** Address and name are always given: their defaults are never used. */
const PACK: Fields<PackSettings> = Object.freeze(
  {
    address: integer(limits.MIN_ADDRESS, limits.MIN_ADDRESS, limits.MAX_ADDRESS, ""),
    name: name("Pack"),
  },
  true,
);

const SERVICE: ChoiceField<NotifyKind> = Object.freeze(
  { kind: "choice", default: "off", choices: ["off", ...(Object.keys(SERVICES) as ServiceKind[])] },
  true,
);
const SERVICE_URL: TextField = Object.freeze({ ...secret("url", limits.MAX_URL), judge: isUrl }, true);
const CHANNEL: TextField = Object.freeze(secret("key", limits.MAX_CHANNEL), true);
const SERVICE_TOKEN: TextField = Object.freeze(secret("key", limits.MAX_SERVICE_TOKEN), true);

type Groups = { readonly [Name in GroupName]: Group<SettingsGroups[Name]> };

/** All settings: defaults, validation, messages, storage and the page's forms derive from these rows, in their order. A new setting is a new row (and its type). */
// eslint-disable-next-line no-restricted-syntax -- frozen at the end of the file
const GROUPS: Groups = {
  device: {
    version: 1,
    identity: true,
    fields: {
      name: { ...name("JK BMS monitor"), form: "identity" },
      hostname: {
        kind: "text",
        form: "identity",
        // Followed by the last three bytes of the MAC address, once known.
        default: "jk-bms",
        rule: "hostname",
        minimum: limits.MIN_HOSTNAME,
        maximum: limits.MAX_HOSTNAME,
      },
      proxyHost: { ...text("host", limits.MAX_HOST), form: "identity" },
      proxyAddress: { ...text("ipv4", MAX_IPV4), form: "identity" },
      statusLed: ON,
    },
  },
  api: {
    version: 1,
    identity: true,
    fields: {
      enabled: ON,
      token: { ...token(limits.MIN_TOKEN), form: "token" },
    },
    configured: { enabled: ON, token: token(limits.MIN_CONFIGURED_TOKEN) },
    essential: ["enabled", "token"],
  },
  bms: {
    version: 1,
    fields: {
      address: integer(1, limits.MIN_ADDRESS, limits.MAX_ADDRESS, ""),
      baud: { kind: "choice", default: 115200, choices: limits.BAUD_RATES },
      readMode: { kind: "choice", default: "auto", choices: ["auto", "registers", "frames"] },
      interval: integer(1_000, limits.MIN_INTERVAL, limits.MAX_INTERVAL, "ms"),
      gap: { ...integer(75, limits.MIN_GAP, limits.MAX_GAP, "ms"), isCapped: true },
      mode: { kind: "choice", default: "auto", choices: ["auto", "poll", "listen"] },
    },
  },
  packs: {
    version: 1,
    long: true,
    fields: {
      first: name("Pack 1"),
      further: { kind: "list", items: [PACK], open: true },
    },
  },
  relay: {
    version: 1,
    fields: {
      name: name("Relay"),
      mode: { kind: "choice", default: 0, choices: [0, 1, 2] },
      source: { kind: "choice", default: "alarm", choices: ["alarm", "soc", "voltage", "fault"] },
      pack: integer(limits.ALL_PACKS, limits.ALL_PACKS, limits.MAX_ADDRESS, ""),
      onAt: number(20, limits.MIN_THRESHOLD, limits.MAX_THRESHOLD, "% or V"),
      offAt: number(30, limits.MIN_THRESHOLD, limits.MAX_THRESHOLD, "% or V"),
      minimumOn: RELAY_TIME,
      minimumOff: RELAY_TIME,
      failSafe: { kind: "choice", default: "off", choices: ["hold", "off", "on"] },
      failSafeAfter: integer(60, limits.MIN_FAIL_SAFE, limits.MAX_FAIL_SAFE, "s"),
      start: { kind: "choice", default: "off", choices: ["restore", "on", "off"] },
      activeLevel: { kind: "choice", default: 1, choices: [0, 1] },
      fitted: ON,
    },
    essential: ["fitted", "activeLevel"],
    differ: ["onAt", "offAt"],
  },
  monitoring: {
    version: 1,
    fields: {
      temperature: {
        kind: "record",
        fields: {
          name: name("Temperature"),
          kind: { kind: "choice", default: "ntc", choices: ["ntc", "linear"] },
          resistance25: number(10_000, limits.MIN_RESISTANCE, limits.MAX_RESISTANCE, "ohm"),
          beta: number(3_950, limits.MIN_BETA, limits.MAX_BETA, "K"),
          // With 22 kΩ from 3.3 V the converter's 150 to 2,450 mV are -11 to 86 °C; with 10 kΩ the range would start at +3 °C.
          seriesResistance: number(22_000, limits.MIN_RESISTANCE, limits.MAX_RESISTANCE, "ohm"),
          slope: number(100, limits.MIN_SLOPE, limits.MAX_SLOPE, "degrees Celsius per volt"),
          offset: number(0, limits.MIN_TEMPERATURE_OFFSET, limits.MAX_TEMPERATURE_OFFSET, "degrees Celsius"),
        },
      },
      voltages: { kind: "list", items: [voltageChannel("DC 1"), voltageChannel("DC 2"), voltageChannel("DC 3")] },
      inputs: { kind: "list", items: [inputChannel("Input 1"), inputChannel("Input 2")] },
      fitted: ON,
    },
  },
  snmp: {
    version: 1,
    fields: {
      enabled: OFF,
      community: { ...secret("ascii", limits.MAX_COMMUNITY), minimum: limits.MIN_COMMUNITY },
      contact: ASCII,
      location: ASCII,
      receiver1: HOST,
      receiver2: HOST,
    },
  },
  modbus: {
    version: 1,
    fields: {
      enabled: OFF,
      port: integer(502, limits.MIN_PORT, limits.MAX_PORT, ""),
      clients: { ...text("clients", limits.MAX_CLIENTS), isKept: true },
    },
  },
  syslog: {
    version: 1,
    fields: {
      host: HOST,
      port: integer(514, limits.MIN_PORT, limits.MAX_PORT, ""),
      facility: {
        kind: "choice",
        default: "local0",
        choices: ["user", "daemon", "local0", "local1", "local2", "local3", "local4", "local5", "local6", "local7"],
      },
    },
  },
  notify: {
    version: 1,
    long: true,
    fields: {
      language: { kind: "choice", default: "en", choices: ["en", "pt"] },
      alarms: ON,
      cleared: ON,
      offlineAfter: integer(120, 0, limits.MAX_OFFLINE_AFTER, "s"),
      soc: integer(15, 0, limits.MAX_SOC_ALARM, "%"),
      temperature: integer(50, 0, limits.MAX_TEMPERATURE_ALARM, "degrees Celsius"),
      spread: integer(0, 0, limits.MAX_SPREAD_ALARM, "mV"),
      device: ON,
      master: ON,
      ca: CERTIFICATE,
      kind1: SERVICE,
      url1: SERVICE_URL,
      channel1: CHANNEL,
      token1: SERVICE_TOKEN,
      kind2: SERVICE,
      url2: SERVICE_URL,
      channel2: CHANNEL,
      token2: SERVICE_TOKEN,
    },
  },
  network: {
    version: 1,
    fields: {
      ssid: { ...text("utf8", limits.MAX_SSID), form: "wifi" },
      password: { ...secret("passphrase", limits.WIFI_KEY), form: "wifi" },
      bssid: { ...text("ascii", limits.MAX_BSSID), judge: isBssid, form: "bssid" },
      addressing: { kind: "choice", default: "dhcp", choices: ["dhcp", "static"] },
      address: IPV4,
      mask: { ...text("mask", MAX_IPV4, "255.255.255.0"), isKept: true },
      gateway: IPV4,
      dns1: IPV4,
      dns2: IPV4,
      accessPointPassword: { ...secret("passphrase", limits.MAX_PASSPHRASE), form: "accessPoint" },
    },
  },
  web: {
    version: 1,
    identity: true,
    hidden: true,
    fields: { password: PASSWORD_HASH },
    essential: ["password"],
  },
  access: {
    version: 1,
    hidden: true,
    fields: {
      guest: PASSWORD_HASH,
      tokens: {
        kind: "list",
        items: [namedToken("Token 1"), namedToken("Token 2"), namedToken("Token 3"), namedToken("Token 4")],
      },
      links: { kind: "list", items: [namedToken("Link 1"), namedToken("Link 2")] },
    },
  },
  time: {
    version: 1,
    fields: {
      server: text("host", limits.MAX_HOST, "pool.ntp.org"),
      server2: HOST,
      offset: integer(0, limits.MIN_ZONE_OFFSET, limits.MAX_ZONE_OFFSET, "min"),
      zone: { ...text("zone", limits.MAX_ZONE), judge: isZone },
    },
  },
  mqtt: {
    version: 1,
    long: true,
    fields: {
      enabled: OFF,
      host: HOST,
      port: integer(1883, limits.MIN_PORT, limits.MAX_PORT, ""),
      tls: OFF,
      ca: CERTIFICATE,
      user: text("utf8", limits.MAX_MQTT_USER),
      password: secret("utf8", limits.MAX_MQTT_PASSWORD),
      baseTopic: topic("jk-bms"),
      interval: integer(5, limits.MIN_PUBLISH_INTERVAL, limits.MAX_PUBLISH_INTERVAL, "s"),
      discovery: ON,
      discoveryPrefix: topic("homeassistant"),
    },
  },
};

Object.freeze(GROUPS, true);
export const GROUP_NAMES: readonly GroupName[] = Object.freeze(Object.keys(GROUPS) as GroupName[], true);
export { GROUPS as default };
