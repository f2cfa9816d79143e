/** Limits of the web interface. */

/** Maximum concurrent event listeners; each holds a connection of the server. Beyond it: 503. */
export const MAX_LISTENERS = 2;
/** Interval at which changes are sampled while there are listeners, ms. */
export const SAMPLE_INTERVAL = 250;
/** Samples, and ms, after which an event is sent even without a change, to detect listeners that have left. */
export const HEARTBEAT_SAMPLES = 60;
export const HEARTBEAT = HEARTBEAT_SAMPLES * SAMPLE_INTERVAL;
/** Samples between comparisons of the device's state: network, broker, time server, update. */
export const DEVICE_SAMPLES = 4;
/** Samples between comparisons of the analogue inputs, which always fluctuate. */
export const ANALOG_SAMPLES = 8;
/** Length of the longest event, bytes: seven counters of ten digits, current and power of ten and a sign. */
export const MAX_EVENT_BYTES = 200;

/** Maximum concurrent sessions, separately for the owner and for guests; a further one ends the least recently used. */
export const MAX_SESSIONS = 4;
export const MAX_GUEST_SESSIONS = 2;
/** The same for those who came by a read-only link, whatever their number. */
export const MAX_LINK_SESSIONS = 2;
/**
 * Only a session that has been idle for this long, s, or has never been used, gives way to another of a link: the page of one that is in use
 * would come back at once and end the other in turn.
 */
export const LINK_IDLE = 2 * 60;
/** Longest name that the page gives its browser, characters. */
export const MAX_BROWSER = 24;
/** Idle time after which a session ends, s. */
export const SESSION_IDLE = 30 * 60;
/** Maximum lifetime of a session, s. */
export const SESSION_LIFE = 24 * 60 * 60;

/** A day, s. */
export const DAY = 24 * 60 * 60;
/** Days for which a browser stays signed in if asked to: each day that the device runs is one, and the first use after a start. */
export const STAY_DAYS = 30;

/** Length of a password, characters (code points). */
export const MIN_PASSWORD = 8;
export const MAX_PASSWORD = 64;
/** Longest body of a request with passwords, bytes: two of them, partly escaped. */
export const MAX_PASSWORD_BODY = 1_024;

/**
 * PBKDF2 iterations for a new password: as many as a user will wait for (1.3 s with STEP_INTERVAL). The password itself is
 * never stored, and the delays below stop guessing over the network; the iterations protect against someone who reads the flash.
 */
export const ITERATIONS = 5_000;
/** Most iterations accepted from a stored password. */
export const MAX_ITERATIONS = 100_000;
/** Length of the salt, bytes. */
export const SALT_BYTES = 16;
/**
 * Iterations per step, and the interval between steps, ms: other work runs in between. On XS a step is 14,000 units of the meter (440 an
 * iteration), some 3 ms on the ESP32, and 128 blocks of SHA-256 in C, some 2 ms.
 */
export const STEP_ITERATIONS = 32;
export const STEP_INTERVAL = 8;
/** Passwords waiting while another is hashed. A further one displaces the last if that has lower priority; otherwise: 503. */
export const MAX_WAITING = 2;
/** Addresses with a successful sign-in, which take precedence; a further one evicts the oldest. */
export const MAX_KNOWN_ADDRESSES = 4;
/** Nonce of the cookie that identifies a browser that has signed in, bytes. */
export const NONCE_BYTES = 8;
export const PROOF_BYTES = 16;
/** Lifetime of that cookie, s: 400 days, the most that browsers allow. */
export const DEVICE_COOKIE_LIFE = 34_560_000;

/** Delay of the answer to the second wrong password in a row, ms; it doubles with each further one. */
export const FIRST_FAILURE_DELAY = 500;
/** Longest delay, ms. The page waits 15 s for an answer, which may also queue behind other hashes. */
export const MAX_FAILURE_DELAY = 8_000;
/**
 * Delayed answers to wrong passwords at a time, each holding a connection; beyond it the answer is immediate, but the address must still
 * wait.
 */
export const MAX_HELD = 2;

/**
 * How long a page counts as asking for the button after its last request, ms, and how long a press admits it. As long as it takes to walk to
 * the device with a phone whose screen has gone off.
 */
export const ASKING_FOR = 120_000;
export const ADMITTED_FOR = 120_000;
/** Of the number that the page shows. */
export const NUMBER_DIGITS = 4;

/** Longest body that changes a settings group, bytes. */
export const MAX_GROUP_BODY = 1_024;
/** The same for MQTT and notifications, which may hold a CA certificate, and for a list of packs. */
export const MAX_LONG_BODY = 3_200;

/** Delay between the answer and the restart, ms, so that the answer is sent. */
export const RESTART_DELAY = 500;
