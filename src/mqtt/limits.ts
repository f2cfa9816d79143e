/** Limits of the MQTT interface. */

/** Largest message that is taken, bytes, as of the REST API. A longer one is read away and refused. */
export const MAX_MESSAGE = 256;
/** Objects and arrays inside one another in a request. */
export const MAX_JSON_DEPTH = 8;
/** Longest `id` of a request, characters. */
export const MAX_ID = 64;
/** Characters of an unknown name that its refusal repeats. */
export const MAX_ECHO = 32;

/** Bytes of the largest state: the telemetry with every alarm raised, every text and number at its longest. */
export const MAX_DOCUMENT = 1792;

/** Keep-alive, ms. The broker tells of a device that is gone after 1.5 times as long. */
export const KEEP_ALIVE = 20_000;
/** The broker has to let the device in within this time, ms; looking its name up is part of it. */
export const CONNECT_TIMEOUT = 20_000;
/** After a lost connection, or a try in vain, the next try comes within this time, ms; after each further one within twice the time … */
export const FIRST_RETRY = 2_000;
/** … and never more than this. Half of the time is left to chance, so that many devices do not come back at once. */
export const MAX_RETRY = 120_000;
/** A connection that held so long was a good one: the next try after it begins with FIRST_RETRY again, ms. */
export const STABLE = 60_000;

/** Longest topic of a message that is taken, bytes: the platform's client keeps it whole, and none that was asked for comes near. */
export const MAX_INCOMING_TOPIC = 512;
/** Any other packet is no longer, bytes without its head: the platform's client keeps the answers to subscriptions whole. */
export const MAX_ANSWER = 64;

/** Topics asked for in one packet. */
export const TOPICS_A_PACKET = 4;
/** ms. What the broker has kept (retained) for a topic comes right after it was asked for; what was meant long ago must not be done now. */
export const SETTLE = 2_000;

/** The interface looks at the clock and at the relay this often, ms. */
export const HEARTBEAT = 1_000;
/** Components of the discovery document that are written without letting anything else run. */
export const COMPONENTS_A_TURN = 4;
/** A code point takes at most this many bytes. */
export const MAX_UTF8 = 4;
/** A part of a message is begun only with so much room, bytes: many small segments help nobody. */
export const MIN_ROOM = 512;
/** Every state is published again after this time, s, or after the publishing interval when that is longer … */
export const REPEAT = 60;
/** … and Home Assistant takes a value for lost when it was not told for so many times as long. */
export const EXPIRE_REPEATS = 3;
