/** Limits of the settings and of their storage. */

/** Largest stored text of a group, in UTF-16 units: NVS allows 4,000 bytes, and the largest group, with a CA certificate, stays below that. */
export const MAX_STORED_TEXT = 3_600;
/** Maximum nesting depth of a stored text; the deepest group has three levels inside the envelope. */
export const MAX_STORED_DEPTH = 6;
/** Problems kept since the start; the last entry says if there were more. */
export const MAX_PROBLEMS = 16;

/** Names, in characters (code points). */
export const MIN_NAME = 1;
export const MAX_NAME = 32;

/** RFC 1123 allows a label of 63; ESP-IDF allows hostnames of up to 32. */
export const MIN_HOSTNAME = 1;
export const MAX_HOSTNAME = 32;

/** The token that a device generates: 128 bits. */
export const TOKEN_BYTES = 16;
/** A token chosen by the owner. */
export const MIN_TOKEN = 16;
export const MAX_TOKEN = 128;
/** A token in the board's configuration, set by a developer (the simulator's command line). */
export const MIN_CONFIGURED_TOKEN = 1;

/** Empty: all access is denied. */
export const MIN_COMMUNITY = 0;
export const MAX_COMMUNITY = 32;
/** sysContact, sysLocation: RFC 3418 allows 255. */
export const MAX_SYSTEM_TEXT = 64;

/** Host name or IPv4 address; RFC 1123 allows 253. */
export const MAX_HOST = 63;

/** IEEE 802.11: bytes. */
export const MAX_SSID = 32;
/** Six pairs of hexadecimal digits with colons between. */
export const MAX_BSSID = 17;
/** WPA passphrase; may also be empty. */
export const MIN_PASSPHRASE = 8;
export const MAX_PASSPHRASE = 63;
/** In place of a passphrase, the key itself: hexadecimal digits (IEEE 802.11, 256 bits). */
export const WIFI_KEY = 64;

/** The stored hash of the web interface's password. */
export const MAX_PASSWORD_HASH = 128;

/** The stored hash of a named token: SHA-256 in hexadecimal. */
export const MAX_TOKEN_HASH = 64;

/** Minutes ahead of UTC: the range of existing zones. */
export const MIN_ZONE_OFFSET = -720;
export const MAX_ZONE_OFFSET = 840;
/** Characters of a zone's name: the longest in the time zone database has 32. */
export const MAX_ZONE_NAME = 40;
/** A name, a blank, and a rule of at most 63 characters (modules/posix-tz/limits.ts). */
export const MAX_ZONE = 104;

/** Addresses of the device's own network, as its mask says: a /30 to a /8. */
export const MIN_HOSTS = 4;
export const MAX_HOSTS = 0x100_0000;

/** Addresses that Modbus TCP serves; the text of them has 15 characters for each, and a comma and a blank between. */
export const MAX_ALLOWED = 4;
export const MAX_CLIENTS = 17 * MAX_ALLOWED - 2;

/** A TCP or UDP port. */
export const MIN_PORT = 1;
export const MAX_PORT = 65_535;
/** Of the MQTT broker, bytes of UTF-8. */
export const MAX_MQTT_USER = 64;
export const MAX_MQTT_PASSWORD = 128;
/** A CA certificate as PEM, characters including line feeds: enough for RSA with 4,096 bits. */
export const MAX_CERTIFICATE = 2_048;
/** Line feeds in it, each stored as two characters. With the 64-character lines of RFC 7468 there are 33. */
export const MAX_CERTIFICATE_LINES = 64;
/** Address of a service for notifications; its topic (ntfy) or chat (Telegram); its token, or "user:password". */
export const MAX_URL = 128;
export const MAX_CHANNEL = 64;
export const MAX_SERVICE_TOKEN = 96;
/** Seconds that the BMS, or a pack, may be silent before it counts as lost; 0: that is not reported. */
export const MAX_OFFLINE_AFTER = 86_400;
/** Thresholds of notifications, 0: none. Per cent, degrees Celsius, millivolts. */
export const MAX_SOC_ALARM = 99;
export const MAX_TEMPERATURE_ALARM = 100;
export const MAX_SPREAD_ALARM = 2_000;

/** Base topic. */
export const MIN_TOPIC = 1;
export const MAX_TOPIC = 64;
/** Seconds. */
export const MIN_PUBLISH_INTERVAL = 1;
export const MAX_PUBLISH_INTERVAL = 3_600;

/** The DIP switch of the BMS. */
export const MIN_ADDRESS = 0;
export const MAX_ADDRESS = 15;
/** Instead of the address of one pack: all of them. */
export const ALL_PACKS = -1;

/** Packs on one bus, the first included; a board may bear fewer. */
export const MAX_PACKS = 16;

/** Of the BMS's port: UART protocol 001, and 013. */
export const BAUD_RATES = Object.freeze([115200, 9600] as const, true);

/** Telemetry poll interval, ms: at 9,600 baud a poll takes most of the minimum. */
export const MIN_INTERVAL = 500;
export const MAX_INTERVAL = 60_000;

/**
 * Quiet time before a request, ms: the BMS needs 30. With more than the maximum, a write of a switch of the word 0x1114, which asks nine times, may
 * not be confirmed in time. A larger value of an older version becomes the maximum.
 */
export const MIN_GAP = 30;
export const MAX_GAP = 200;

/** Thresholds of the automatic relay: per cent, or volts of the pack (24 cells of 4.35 V are 104.4 V). */
export const MIN_THRESHOLD = 0;
export const MAX_THRESHOLD = 105;

/** Seconds offline before the automatic relay takes its fail-safe state. */
export const MIN_FAIL_SAFE = 5;
export const MAX_FAIL_SAFE = 3_600;
/** Minimum on and off times of the automatic relay, seconds. */
export const MIN_RELAY_TIME = 0;
export const MAX_RELAY_TIME = 3_600;

/** NTC and its series resistor, ohm. */
export const MIN_RESISTANCE = 100;
export const MAX_RESISTANCE = 1_000_000;
/** B value of an NTC, kelvin. */
export const MIN_BETA = 1_000;
export const MAX_BETA = 10_000;

/** Linear temperature sensors, degrees Celsius per volt; negative for a falling characteristic. */
export const MIN_SLOPE = -1_000;
export const MAX_SLOPE = 1_000;
/** Degrees Celsius. */
export const MIN_TEMPERATURE_OFFSET = -300;
export const MAX_TEMPERATURE_OFFSET = 300;

/** Divider ratio, V at the terminal for 1 V at the pin. */
export const MIN_RATIO = 0.01;
export const MAX_RATIO = 1_000;
/** Volts. */
export const MIN_VOLTAGE_OFFSET = -100;
export const MAX_VOLTAGE_OFFSET = 100;

/** Milliseconds. */
export const MIN_DEBOUNCE = 0;
export const MAX_DEBOUNCE = 10_000;
