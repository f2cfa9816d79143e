/** Timing, ms unless noted otherwise, and capacities of the network. */

/** Interval of the state check; platform events are handled at once. */
export const STEP_INTERVAL = 1_000;
/** Time an Ethernet link has to come up after the start before Wi-Fi is tried: auto-negotiation takes 2 to 3 s (IEEE 802.3 clause 28). */
export const LINK_GRACE = 5_000;
/** Time-out for joining a Wi-Fi, DHCP included. */
export const JOIN_TIMEOUT = 30_000;
/** Back-off between attempts to join: doubles from the first to the second number. */
export const MIN_BACK_OFF = 1_000;
export const MAX_BACK_OFF = 60_000;
/** Resets the back-off to MIN_BACK_OFF after a Wi-Fi has been joined for this long. */
export const STABLE_AFTER = 10_000;
/** The access point opens after this time without any network. */
export const LONELY_AFTER = 180_000;
/** The access point closes after the network has been up, and the access point unused, for this long. */
export const PORTAL_IDLE = 60_000;
/** Pause before retrying an access point that the platform rejected, or Wi-Fi for which there was no memory. */
export const RETRY_INTERVAL = 10_000;
/** Without an address for this long although its network is there, Wi-Fi is stopped and started; and again after as long. */
export const STUCK_AFTER = 1_800_000;
/** From then on a scan looks for the network between two attempts to join, at most this often. */
export const LOOK_INTERVAL = 60_000;
/** Time for the platform's tasks to stop Wi-Fi, and then to start it. */
export const RADIO_PAUSE = 1_000;
/** Wi-Fi is started anew so often before the device is restarted. */
export const WIFI_STARTS = 2;
/** The device is restarted for Wi-Fi only once it has run for this long, s: so two such restarts are as far apart, and nothing has to be kept. */
export const WIFI_RESTART_INTERVAL = 21_600;

/** Back-off after an Ethernet driver has failed to start, or to be configured: doubles from the first to the second number. */
export const MIN_WIRED_BACK_OFF = 10_000;
export const MAX_WIRED_BACK_OFF = 300_000;

/**
 * Heap needed to start Wi-Fi, bytes: its buffers when all are in use (38,400 on the ESP32: 6 static, 12 for receiving and 12 for sending of
 * 1,600, the SDK's sdkconfig.defaults) and 10,000 for its task and tables; a block for its task's stack.
 */
export const WIFI_NEED = Object.freeze({ free: 49_152, block: 8_192 }, true);
/** The same for Ethernet: 20 DMA buffers of 512 with their descriptors (11 KB), two stacks of 4,096, and the interface. */
export const WIRED_NEED = Object.freeze({ free: 24_576, block: 8_192 }, true);

/**
 * The same for a TLS handshake (docs/performance.md, "MQTT over TLS"): with mbedTLS 4.0.0 on a 64-bit PC 30,640 at most for 8 KB of certificates, in blocks
 * of 8,525, and what the health check asks to be left. With the device's own roots some 8,200 more.
 */
export const TLS_NEED = Object.freeze({ free: 36_864, block: 9_216 }, true);
export const ROOTS_NEED = Object.freeze({ free: 45_056, block: 9_216 }, true);

/** Scan results kept: the strongest networks. */
export const MAX_SCANNED = 16;
/** Time-out of a scan, which takes about 2 s on the ESP32. */
export const SCAN_TIMEOUT = 15_000;
/** Scan results, about 200 slots, are freed after not being requested for this long. */
export const SCAN_KEPT = 60_000;

/** Length of the access point's password in characters of 5 random bits each. */
export const PASSPHRASE_LENGTH = 12;

/** Back-off between attempts to open a socket that the platform refuses: doubles from the first to the second number. */
export const MIN_REOPEN = 1_000;
export const MAX_REOPEN = 60_000;

/** How long a receiver's resolved address is used before its name is looked up again, ms. */
export const RESOLVE_AGAIN = 300_000;
/** Pause before a failed or unanswered look-up is retried, ms. */
export const RESOLVE_RETRY = 30_000;

/** How long the DNS server addresses read from the platform are cached. */
export const FRESH = 1_000;

/** What the clock can be set to, seconds since 1970: from 2025 until before 2100. Outside of it the chip's clock has not been set. */
export const MIN_TIME = 1_735_689_600;
export const MAX_TIME = 4_102_444_800;
/** A time server is not believed that says a time before this firmware was made, or from so many seconds after it on: 20 years. */
export const MAX_AGE = 631_152_000;
/** A time further than this from the running clock, s, needs a second answer that agrees with it to within AGREEING, s, no sooner than TIME_AGAIN later. */
export const MAX_STEP = 3_600;
export const AGREEING = 10;
export const TIME_AGAIN = 60_000;
/** Interval of time requests while the server answers. */
export const TIME_INTERVAL = 3_600_000;
/** The clock is in step, and set by nobody else, for this long after an answer, s: while one of two requests is answered. */
export const TIME_IN_STEP = 7_200;
/** Time-out for resolving the server's name, and for its answer. */
export const TIME_TIMEOUT = 5_000;
/** Back-off after a failed time request: doubles from the first number (RFC 4330 section 10: at least 15 s) to the second. */
export const MIN_TIME_BACK_OFF = 16_000;
export const MAX_TIME_BACK_OFF = 1_024_000;

/** mDNS (RFC 6762): interval of the three probes (section 8.1), then of the two announcements (section 8.3). */
export const PROBE_INTERVAL = 250;
export const PROBES = 3;
export const ANNOUNCE_INTERVAL = 1_000;
export const ANNOUNCEMENTS = 2;
/** TTL of records, seconds (section 10): of those with the host name, and of all others. */
export const HOST_TTL = 120;
export const SERVICE_TTL = 4_500;
/** TTL in answers to legacy unicast queries, seconds (section 6.7). */
export const LEGACY_TTL = 10;
/** Minimum interval between multicasts of the same records, ms (section 6). */
export const MULTICAST_INTERVAL = 1_000;
/** Questions and records processed in one packet. */
export const MAX_RECORDS = 24;
/** Names tried on a conflict: hostname, hostname-2 … */
export const MAX_NAMES = 9;
