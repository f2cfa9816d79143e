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
