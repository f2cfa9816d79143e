/**
 * What a connection remembers in numbers, in one Int32Array: on XS a number in it takes 4 bytes, a member of an object a slot of 16, and
 * a request has some 70 of them. Here is where each is; who uses it says more about it. Flags are 0 or 1.
 */

// The socket: see Channel.
/** Bytes that can be read. */
export const READABLE = 0;
/** The send window. */
export const WINDOW = 1;
/** The most the send window has ever been: all of it, since it is first told when nothing has been written. */
export const FULL_WINDOW = 2;
/** Writes under way of fewer than SMALL_WRITE_BYTES. */
export const SMALL_WRITES = 3;
/** Bytes that the peer has taken, or the network for it; wraps. */
export const ACKNOWLEDGED = 4;

// The connection: see Conversation.
export const STATE = 5;
/** When the state was entered and when it ends, in ticks. */
export const ENTERED_AT = 6;
export const DEADLINE = 7;
/** ACKNOWLEDGED when the deadline was set. */
export const SEND_MARK = 8;
/** Flag: its loop runs. */
export const RUNNING = 9;
/** Requests so far. */
export const REQUESTS = 10;
/** Flag: something went wrong, the connection ends with this response. */
export const FAILED = 11;
/** Flag: it is settled whether the connection ends with this response. */
export const SETTLED = 12;
/** Flag: the response's source has no bytes now. */
export const SOURCE_DRY = 13;
/** Bytes that are still read of a connection that is to be closed. */
export const LINGER_LEFT = 14;

// The request's head while it comes in: see head-parser.ts.
/** The bytes of the input that are not used yet: from, to. */
export const INPUT_AT = 15;
export const INPUT_END = 16;
export const PARSER_STATE = 17;
export const EMPTY_LINES = 18;
/** Bytes of the line so far, and of all header lines. */
export const LINE_BYTES = 19;
export const HEADER_BYTES = 20;
export const HEADER_COUNT = 21;
/** The number of the field whose line comes in, the bytes of its name so far, and where its value is kept. */
export const FIELD = 22;
export const NAME_LENGTH = 23;
export const VALUE_START = 24;
/** Flag: what is parsed are trailers. */
export const TRAILERS = 25;

// What is kept of the head: see request-head.ts.
/** Bytes kept so far. */
export const KEPT = 26;
export const METHOD_END = 27;
export const TARGET_END = 28;
export const PATH_START = 29;
export const PATH_END = 30;
export const QUERY_END = 31;
/** HTTP version. */
export const MAJOR = 32;
export const MINOR = 33;
/** Fields that have come, a bit for each. */
export const SEEN = 34;
/** What Transfer-Encoding asks for. */
export const CODING = 35;
/** Flags: what Connection and Expect ask for. */
export const ASKS_CLOSE = 36;
export const ASKS_KEEP_ALIVE = 37;
export const EXPECTS_CONTINUE = 38;
/** -1 without a Content-Length; LONGEST for all that are longer. */
export const CONTENT_LENGTH = 39;
/** What is wrong with the request, a number of problems.ts; 0 while nothing is. */
export const PROBLEM = 40;
/** Start and end of each kept field's value, by its number. A value never starts at 0, so 0 is "not there". */
export const VALUES = 41;
const AFTER_VALUES = 59;

// The request's body: see body-reader.ts.
export const BODY_STATE = AFTER_VALUES;
/** Bytes still to come of the body, or of the chunk. */
export const BODY_LEFT = 60;
export const SIZE_DIGITS = 61;
export const EXTENSION_BYTES = 62;
/** The bytes of the body that its upload has, and the most that it takes. */
export const BODY_LENGTH = 63;
export const BODY_LIMIT = 64;
/** Flags: the body is longer than its limit; its sink wants no more now; the handler has asked for it; `100 Continue` is due. */
export const OVERSIZE = 65;
export const BLOCKED = 66;
export const ASKED = 67;
export const CONTINUE_DUE = 68;
/** BODY_LENGTH when it last counted as moving. */
export const BODY_MARK = 69;

// The response: see Response.
export const STATUS = 70;
/** Flags: the head has been made; another request may follow; the request was HEAD; only the last chunk is missing. */
export const STARTED = 71;
export const PERSISTENT = 72;
export const HEAD_ONLY = 73;
export const LAST_CHUNK_DUE = 74;
/** How the body's end is told. */
export const FRAMING = 75;

const COUNT = 76;

/** The largest of them. */
export const LONGEST = 0x7fff_ffff;

type UpTo<Count extends number, Counted extends 0[] = [], All = never> = Counted["length"] extends Count
  ? All
  : UpTo<Count, [...Counted, 0], All | Counted["length"]>;

/** None of the above is ever missing. */
export type Numbers = Int32Array & Record<UpTo<typeof COUNT>, number>;

export const NUMBERS_BYTES = 4 * COUNT;

/** All 0, in the first NUMBERS_BYTES of `buffer`. */
export const numbersIn = (buffer: ArrayBuffer): Numbers => new Int32Array(buffer, 0, COUNT) as Numbers;
