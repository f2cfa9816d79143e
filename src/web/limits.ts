/** Limits of the web interface. */

/** Listeners to the events at the same time, each of which holds one of the server's connections. One more: 503. */
export const MAX_LISTENERS = 2;
/** How often it is looked for changes while somebody listens, ms. */
export const SAMPLE_INTERVAL = 250;
/** An event at least every so many samples, and ms: a listener that has gone is found out by it. */
export const HEARTBEAT_SAMPLES = 60;
export const HEARTBEAT = HEARTBEAT_SAMPLES * SAMPLE_INTERVAL;
/** Analogue inputs, which are never quite still, are compared every so many samples. */
export const ANALOG_SAMPLES = 8;
/** Bytes of the longest event: seven counters of ten digits. */
export const MAX_EVENT_BYTES = 156;

/** Sessions at the same time; for one more the one not used for longest ends. */
export const MAX_SESSIONS = 4;
/** Seconds without a request after which a session ends. */
export const SESSION_IDLE = 30 * 60;
/** Seconds after which a session ends, however busy. */
export const SESSION_LIFE = 24 * 60 * 60;

/** Characters (code points) of a password. */
export const MIN_PASSWORD = 8;
export const MAX_PASSWORD = 64;
/** Longest body of the requests that carry passwords, bytes: two of them, a part of it escaped. */
export const MAX_PASSWORD_BODY = 1_024;

/**
 * Iterations of PBKDF2 for a new password: as many as a person at the device waits for (1.3 s by STEP_INTERVAL). What the owner
 * types is never stored, and guesses over the network are kept out by the delays below; this is for who reads the flash.
 */
export const ITERATIONS = 5_000;
/** What is taken from a stored one. */
export const MAX_ITERATIONS = 100_000;
/** Bytes of salt. */
export const SALT_BYTES = 16;
/**
 * Iterations at a time, and how often, ms: the script is free in between. On XS a step is 14,000 units of the meter (440 an iteration),
 * some 3 ms on the ESP32, and 128 blocks of SHA-256 in C, some 2 ms.
 */
export const STEP_ITERATIONS = 32;
export const STEP_INTERVAL = 8;
/** Passwords that wait while another is worked out. One more takes the place of one that ranks behind it, or: 503. */
export const MAX_WAITING = 2;
/** Addresses from which somebody has signed in that go before others; the first one makes room. */
export const MAX_KNOWN_ADDRESSES = 4;
/** Of the cookie by which a browser that has signed in is known, bytes. */
export const NONCE_BYTES = 8;
export const PROOF_BYTES = 16;
/** Seconds: 400 days, the longest that browsers keep one. */
export const DEVICE_COOKIE_LIFE = 34_560_000;

/** The second wrong password in a row is answered after this time, ms; each further one after twice the time of the one before. */
export const FIRST_FAILURE_DELAY = 500;
/** The page waits 15 s for an answer, and an answer may have to wait for others to be worked out. */
export const MAX_FAILURE_DELAY = 8_000;
/** Wrong passwords whose answers are held back at a time, each with its connection; one more is answered at once, but its address has to wait all the same. */
export const MAX_HELD = 2;

/** Longest body that changes a settings group, bytes. */
export const MAX_GROUP_BODY = 1_024;
/** Of the MQTT group, with a CA certificate. */
export const MAX_MQTT_BODY = 3_200;

/** From the answer to the restart, ms: the answer must get out. */
export const RESTART_DELAY = 500;
