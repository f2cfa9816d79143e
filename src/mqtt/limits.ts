/** Limits of the MQTT interface. */
import { MAX_CELLS_BYTES } from "../catalogue/document";

/** Largest incoming message, bytes, as for the REST API. A longer one is drained and rejected. */
export const MAX_MESSAGE = 256;
/** Longest `id` of a request, characters. */
export const MAX_ID = 64;
/** Characters of an unknown name echoed in the refusal. */
export const MAX_ECHO = 32;

/** Bytes of the largest state without the cells: the telemetry with all alarms active and every text and number at its longest. */
const MAX_STATE = 2304;
/** Bytes of the largest document. */
export const MAX_DOCUMENT = Math.max(MAX_STATE, MAX_CELLS_BYTES + 2);

/** Keep-alive, ms. The broker publishes the will after 1.5 times this without a packet. */
export const KEEP_ALIVE = 20_000;
/** Time limit for connecting, ms: from the name lookup to CONNACK. */
export const CONNECT_TIMEOUT = 20_000;
/** Upper bound of the first back-off after a lost connection or a failed attempt, ms; it doubles with each further failure … */
export const FIRST_RETRY = 2_000;
/** … up to this limit, ms. Half of the back-off is random, so that many devices do not reconnect at once. */
export const MAX_RETRY = 30_000;
/** A connection that lasts this long, ms, resets the back-off to FIRST_RETRY. */
export const STABLE = 20_000;
/** Connections in a row shorter than STABLE that are logged: a broker that ends each at once must not overwrite the device's log. */
export const MAX_SHORT = 3;

/** Longest topic of an incoming message, bytes: the platform's client buffers it whole; all subscribed topics are far shorter. */
export const MAX_INCOMING_TOPIC = 512;
/** Longest other packet, bytes after its fixed header: the platform's client buffers SUBACK whole. */
export const MAX_ANSWER = 64;

/** Topics per SUBSCRIBE packet. */
export const TOPICS_A_PACKET = 4;

/** Time for the result of a request to restart, ms. */
export const RESTART_DELAY = 1_000;

/** Interval at which the clock and the relay are checked, ms. */
export const HEARTBEAT = 1_000;
/** Components of the discovery document counted, or sent, per turn, before other work runs. */
export const COMPONENTS_A_TURN = 4;
/** Maximum bytes of a code point. */
export const MAX_UTF8 = 4;
/** Room required to begin a part of a message, bytes: avoids many small segments. */
export const MIN_ROOM = 512;
/** Every state is republished after this time, s, or after the publishing interval if that is longer … */
export const REPEAT = 60;
/** … and Home Assistant's `expire_after` is that time multiplied by this. */
export const EXPIRE_REPEATS = 3;
