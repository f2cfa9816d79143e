/** How long the network waits for what, ms unless said otherwise, and how much it keeps. */

/** The state is looked at this often; what the platform tells of itself is acted on at once. */
export const STEP_INTERVAL = 1_000;
/** After the start an Ethernet link has this long to come up before Wi-Fi is tried: auto-negotiation takes 2 to 3 s (IEEE 802.3 clause 28). */
export const LINK_GRACE = 5_000;
/** Joining a Wi-Fi, its DHCP included. */
export const JOIN_TIMEOUT = 30_000;
/** Between two tries to join: doubled from the first to the second number. */
export const MIN_BACK_OFF = 1_000;
export const MAX_BACK_OFF = 60_000;
/** A Wi-Fi joined so long is good: the next loss begins with MIN_BACK_OFF again. */
export const STABLE_AFTER = 10_000;
/** Without any network so long, the access point opens. */
export const LONELY_AFTER = 180_000;
/** The access point closes when the network has been good, and nobody has come in over it, so long. */
export const PORTAL_IDLE = 60_000;
/** An access point or a cable's address that the platform refused is tried again after this time. */
export const RETRY_INTERVAL = 10_000;

/** Networks kept of a scan: the strongest. */
export const MAX_SCANNED = 16;
/** A scan takes about 2 s on the ESP32; one that never ends is given up. */
export const SCAN_TIMEOUT = 15_000;
/** What a scan found is forgotten when nobody asked for it so long: it takes about 200 slots. */
export const SCAN_KEPT = 60_000;

/** Characters of the access point's password, each of 5 random bits. */
export const PASSPHRASE_LENGTH = 12;

/** What the platform told of an address is good for so long. */
export const FRESH = 1_000;

/** Between two questions to the time server, when it answers. */
export const TIME_INTERVAL = 3_600_000;
/** For its name, and for its answer. */
export const TIME_TIMEOUT = 5_000;
/** After a question in vain: doubled from the first (RFC 4330 section 10: at least 15 s) to the second number. */
export const MIN_TIME_BACK_OFF = 16_000;
export const MAX_TIME_BACK_OFF = 1_024_000;

/** mDNS (RFC 6762): three probes so far apart (section 8.1), then two announcements (section 8.3). */
export const PROBE_INTERVAL = 250;
export const PROBES = 3;
export const ANNOUNCE_INTERVAL = 1_000;
export const ANNOUNCEMENTS = 2;
/** Seconds that records are good for (section 10): of addresses, and of all others. */
export const HOST_TTL = 120;
export const SERVICE_TTL = 4_500;
/** Seconds, for askers that are no mDNS (section 6.7). */
export const LEGACY_TTL = 10;
/** The same is sent to all not more often than so, ms (section 6). */
export const MULTICAST_INTERVAL = 1_000;
/** Questions and records looked at in one packet. */
export const MAX_RECORDS = 24;
/** Names tried when others have the wished one: hostname, hostname-2 … */
export const MAX_NAMES = 9;
