import type { ServiceKind } from "notification-services/services";
import type { Problem } from "./messages";

/** The stored settings, by group. Each group is stored separately, so that a damaged one does not affect the others. */

export interface DeviceSettings {
  /** Display name, 1 to 32 visible characters. */
  readonly name: string;
  /** A DNS label (RFC 1123) of at most 32 characters (ESP-IDF). */
  readonly hostname: string;
  /** Additional name that the web interface answers to, such as a proxy's: host name or IPv4 address; empty: none. */
  readonly proxyHost: string;
  /** IPv4 address of the proxy whose X-Forwarded-For is trusted; empty: none. */
  readonly proxyAddress: string;
  /** The LED shows the state of the device; off: only that the button is held. */
  readonly statusLed: boolean;
}

export interface ApiSettings {
  readonly enabled: boolean;
  /** 32 hexadecimal digits generated on the first start (128 bits), or chosen by the owner: 16 to 128 printable ASCII characters, no blanks. */
  readonly token: string;
}

export interface BmsSettings {
  /** Modbus slave address, 0 to 15: the DIP switch. 0 answers on RS485-1 only: on RS485-2 it is a bus master, which can be listened to. */
  readonly address: number;
  readonly baud: 115200 | 9600;
  /** Telemetry poll interval, ms. */
  readonly interval: number;
  readonly readMode: "auto" | "registers" | "frames";
  /** Quiet time between a reply and the next request, ms, at least 30. */
  readonly gap: number;
  /** auto: polls until another master is heard on the bus, and then listens; poll: polls whatever is heard; listen: sends nothing. */
  readonly mode: "auto" | "poll" | "listen";
}

/** A further pack on the same bus. */
export interface PackSettings {
  /** As `BmsSettings.address`. */
  readonly address: number;
  readonly name: string;
}

/** The packs of a bank; the address of the first is that of `BmsSettings`, so that older firmware finds it. */
export interface PacksSettings {
  /** Name of the first pack. */
  readonly first: string;
  /** All others, in the order in which they are polled and shown; each has an address of its own. Empty: there is one pack. */
  readonly further: readonly PackSettings[];
}

/** relay0Config of the API: 0 manual, 1 automatic, 2 disabled. */
export type RelayMode = 0 | 1 | 2;

export interface RelaySettings {
  readonly fitted: boolean;
  readonly name: string;
  readonly mode: RelayMode;
  /** The pin level at which the relay is on. */
  readonly activeLevel: 0 | 1;
  /** State of the relay at start, before any value is known. */
  readonly start: "restore" | "on" | "off";
  /** What the automatic mode follows: with several packs an alarm, or any fault (src/conditions/table.ts), of any, or the bank … */
  readonly source: "alarm" | "soc" | "voltage" | "fault";
  /** … or one of them, by its address, 0 to 15; -1: all. */
  readonly pack: number;
  /** Automatic: the relay switches on at this value (% or V) … */
  readonly onAt: number;
  /** … and off at this one. onAt < offAt: on when low; onAt > offAt: on when high. The difference is the hysteresis. */
  readonly offAt: number;
  /** What the automatic relay does once the BMS has been offline for `failSafeAfter` seconds. */
  readonly failSafe: "hold" | "off" | "on";
  readonly failSafeAfter: number;
  /** Automatic: minimum on and off times, seconds; also after a start. */
  readonly minimumOn: number;
  readonly minimumOff: number;
}

export interface TemperatureChannel {
  readonly name: string;
  readonly kind: "ntc" | "linear";
  /** NTC: resistance at 25 degrees Celsius, ohm; B value, kelvin; series resistor, ohm (divider from the supply, NTC to ground). */
  readonly resistance25: number;
  readonly beta: number;
  readonly seriesResistance: number;
  /** Linear: degrees Celsius per volt. */
  readonly slope: number;
  /** Degrees Celsius: added to either kind (linear: the temperature at 0 V). */
  readonly offset: number;
}

export interface VoltageChannel {
  readonly name: string;
  /** Volts measured per volt at the pin (divider ratio). */
  readonly ratio: number;
  /** Volts, added. */
  readonly offset: number;
}

export interface InputChannel {
  readonly name: string;
  /** The pin level that is active (1). */
  readonly activeLevel: 0 | 1;
  /** A level counts once it has been stable for this long, ms. */
  readonly debounce: number;
}

export interface MonitoringSettings {
  readonly fitted: boolean;
  readonly temperature: TemperatureChannel;
  readonly voltages: readonly [VoltageChannel, VoltageChannel, VoltageChannel];
  readonly inputs: readonly [InputChannel, InputChannel];
}

export interface SnmpSettings {
  readonly enabled: boolean;
  /** Empty: all access is denied. */
  readonly community: string;
  /** sysContact and sysLocation (RFC 3418). */
  readonly contact: string;
  readonly location: string;
  /** Notification receivers: host names or IPv4 addresses; empty: none. */
  readonly receiver1: string;
  readonly receiver2: string;
}

/** Modbus TCP, read only: the protocol has no password. */
export interface ModbusSettings {
  readonly enabled: boolean;
  /** TCP port: 502 by default. */
  readonly port: number;
  /** IPv4 addresses of the clients allowed, up to four, separated by a blank or a comma; empty: the device's own subnet. */
  readonly clients: string;
}

/** Where events are sent to by syslog (RFC 5424, over UDP). */
export interface SyslogSettings {
  /** Host name or IPv4 address of the server; empty: none, nothing is sent. */
  readonly host: string;
  /** UDP port. */
  readonly port: number;
  /** RFC 5424 section 6.2.1: "user" is 1, "daemon" 3, "local0" to "local7" 16 to 23. */
  readonly facility: SyslogFacility;
}

export type SyslogFacility =
  "user" | "daemon" | "local0" | "local1" | "local2" | "local3" | "local4" | "local5" | "local6" | "local7";

export type NotifyLanguage = "en" | "pt";
/** A service that takes messages. */
export type NotifyKind = "off" | ServiceKind;

/** Which messages the owner gets, and where (src/notify). */
export interface NotifySettings {
  /** Of the messages. */
  readonly language: NotifyLanguage;
  /** Alarms of the BMS, and conditions, without what is only a status. */
  readonly alarms: boolean;
  /** Also when a reported condition is over. */
  readonly cleared: boolean;
  /** Seconds without the BMS, or a pack, after which its loss is reported; 0: never. */
  readonly offlineAfter: number;
  /** Below this state of charge, %; above this battery temperature, degrees Celsius; above this cell voltage difference, mV. 0: never. */
  readonly soc: number;
  readonly temperature: number;
  readonly spread: number;
  /** Restarts that nobody ordered, safe mode, what became of an update. */
  readonly device: boolean;
  /** Another master on the bus. */
  readonly master: boolean;
  /** For https: certificate of the CA that signed the services', PEM; empty: none. */
  readonly ca: string;
  // Two targets; members of the group itself, so that a change of one leaves the secrets of the others alone.
  readonly kind1: NotifyKind;
  /** `http://` or `https://`, a host name or IPv4 address, perhaps a port and a path; empty: the service's own. A secret: a webhook's path may be one. */
  readonly url1: string;
  /** ntfy: the topic, which is as good as a password. Telegram: the chat. */
  readonly channel1: string;
  /** Gotify: the application's; Telegram: the bot's; ntfy: an access token, or "user:password"; webhook: sent as bearer. */
  readonly token1: string;
  readonly kind2: NotifyKind;
  readonly url2: string;
  readonly channel2: string;
  readonly token2: string;
}

/** The network connection. The hostname is a setting of the device. */
export interface NetworkSettings {
  /** Wi-Fi to join (IEEE 802.11 SSID, 1 to 32 bytes); empty: none. */
  readonly ssid: string;
  /** WPA passphrase, 8 to 63 characters; empty: an open network. */
  readonly password: string;
  /** The only access point to join, as aa:bb:cc:dd:ee:ff in lower case; empty: whichever is the strongest. */
  readonly bssid: string;
  readonly addressing: "dhcp" | "static";
  /** IPv4, dotted; used with static addressing. */
  readonly address: string;
  readonly mask: string;
  readonly gateway: string;
  readonly dns1: string;
  readonly dns2: string;
  /** WPA2 passphrase of the own access point; empty: not generated yet. */
  readonly accessPointPassword: string;
}

export interface WebSettings {
  /** The password's hash, in the form of src/web/password.ts. Empty: none chosen yet. */
  readonly password: string;
}

/** A further API token. */
export interface TokenSettings {
  readonly name: string;
  /** It may write as well as read. */
  readonly write: boolean;
  /** SHA-256 of the token, 64 hexadecimal digits; empty: unused entry. */
  readonly hash: string;
}

/** Access besides the owner's password and the token in `ApiSettings`. */
export interface AccessSettings {
  /** The guest password's hash, in the same form as WebSettings. Empty: no guests. */
  readonly guest: string;
  readonly tokens: readonly [TokenSettings, TokenSettings, TokenSettings, TokenSettings];
  /** Read-only links to the page, each with the hash of its secret; `write` is false. */
  readonly links: readonly [TokenSettings, TokenSettings];
}

export interface TimeSettings {
  /** SNTP server; empty: none is asked. */
  readonly server: string;
  /** Asked when that one has failed; empty: none. */
  readonly server2: string;
  /** Fixed offset of local time from UTC, minutes, as long as no zone is chosen. */
  readonly offset: number;
  /**
   * Time zone: a rule in the form of POSIX's TZ, alone or behind a name and a blank ("Europe/Lisbon WET0WEST,M3.5.0/1,M10.5.0"); empty:
   * none chosen. Days begin at its midnight, and the page shows its time; everything published is UTC.
   */
  readonly zone: string;
}

export interface MqttSettings {
  readonly enabled: boolean;
  /** Host name or IPv4 address of the broker; empty: none. */
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  /** TLS: certificate of the CA that signed the broker's, PEM; empty: none. */
  readonly ca: string;
  readonly user: string;
  readonly password: string;
  /** Base of all topics. */
  readonly baseTopic: string;
  /** Seconds; everything is published at least this often. */
  readonly interval: number;
  /** Home Assistant's discovery. */
  readonly discovery: boolean;
  readonly discoveryPrefix: string;
}

export interface SettingsGroups {
  readonly device: DeviceSettings;
  readonly api: ApiSettings;
  readonly bms: BmsSettings;
  readonly packs: PacksSettings;
  readonly relay: RelaySettings;
  readonly monitoring: MonitoringSettings;
  readonly network: NetworkSettings;
  readonly web: WebSettings;
  readonly access: AccessSettings;
  readonly time: TimeSettings;
  readonly mqtt: MqttSettings;
  readonly snmp: SnmpSettings;
  readonly modbus: ModbusSettings;
  readonly syslog: SyslogSettings;
  readonly notify: NotifySettings;
}

export type GroupName = keyof SettingsGroups;

/** What the board does not have: it is not fitted, whatever is stored (a backup of another board has it, for instance). */
export interface Lacks {
  readonly relay?: boolean;
  readonly monitoring?: boolean;
}

export interface Settings extends SettingsGroups {
  /** Absent: nothing. */
  readonly lacks?: Lacks;
  /**
   * Values found corrupt, of another version, missing or out of range at start, and replaced by defaults; and storage failures, until the
   * next success: "not-allowed\trelay.onAt". Names, never values; at most MAX_PROBLEMS.
   */
  readonly problems: readonly string[];
  /** The group could not be read at the start, and nothing has been stored over it since: it may be intact. */
  isUnreadable(group: GroupName): boolean;
  /**
   * Changes members of a group, stores the group and then notifies the observers. An unknown or out-of-range member, or
   * a storage failure, changes nothing. Stores only if a value differs.
   * @param byDevice nobody has chosen it, such as a password that the device makes for itself: `settingsChosen` is not called
   * @returns undefined, or the refusal with the member, its range and its unit (messages.ts)
   */
  update<Name extends GroupName>(
    group: Name,
    change: Partial<SettingsGroups[Name]>,
    byDevice?: boolean,
  ): string | undefined;
  /** Reports whether something could be stored: if not, `failure` is listed in `problems` until it succeeds. */
  noteStored(failure: Problem, stored: boolean): void;
  /** Throws a RangeError beyond MAX_OBSERVERS. */
  observe(observer: SettingsObserver): void;
}

export interface SettingsObserver {
  /** After each change of a group. */
  settingsChanged?(group: GroupName): void;
  /** After it, if somebody has changed the group. */
  settingsChosen?(group: GroupName): void;
  /** A problem has occurred since the start: "unwritable\trelay". */
  settingsProblem?(problem: string): void;
}
