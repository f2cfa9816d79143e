/** Every limit and timing constant of the bus. Times are milliseconds. */

/** Modbus Application Protocol V1.1b3, section 6.3: quantity of registers of one read. */
export const MAX_READ_QUANTITY = 125;
/** Modbus Application Protocol V1.1b3, section 6.12: quantity of registers of one write. */
export const MAX_WRITE_QUANTITY = 123;
/** Modbus Application Protocol V1.1b3, section 4.1: function code and data. */
export const MAX_PDU_BYTES = 253;
/** Modbus over serial line V1.02, section 2.2: individual slaves are 1 to 247. 0 (broadcast there) is allowed: some slaves answer as 0. */
export const MAX_ADDRESS = 247;

/** The UART's FIFO, each way. It also bounds requests: RTU allows no pause inside a frame, so they are written in one piece. */
export const FIFO_BYTES = 128;
export const MAX_REQUEST_BYTES = FIFO_BYTES;

/** 8N1: a start bit, eight data bits, a stop bit. */
export const BITS_PER_BYTE = 10;

/**
 * Slaves start to answer after 10 to 40 ms, some only after 250. With the default gap, a request and the interval of the check a silent one costs
 * 340 ms a try at 115,200 baud, 345 at 9,600.
 */
export const FIRST_BYTE_TIMEOUT = 250;
/** Of a slave that answered later than that so many times in a row: it is waited for longer. */
export const SLOW_FIRST_BYTE_TIMEOUT = 500;
export const LATE_REPLIES = 3;
/** Added to a reply's wire time for pauses within it and a busy script. */
export const REPLY_MARGIN = 50;
/** Below 30 known slaves ignore a request after a reply; below 75 stale bytes have been seen. */
export const MIN_GAP = 30;
export const DEFAULT_GAP = 75;
export const MAX_GAP = 1000;
/** Maximum delay of a request by foreign traffic: a bus that is never silent must not stop it. */
export const MAX_DEFERRAL = 500;
/** t1.5 and t3.5 (0.75 and 1.75 ms) cannot be measured by a script; after this much silence an incomplete frame counts as noise. */
export const IDLE_GAP = 20;
/** Interval of checking deadlines, and for bytes that the port has not announced. */
export const POLL_INTERVAL = 10;

/** The port is listened to for this long before the first byte is ever sent: a JK master speaks every 180 to 400 ms. */
export const FIRST_LISTEN = 1_000;
/** Once another master has been heard, nothing is sent until it has been silent for this long … */
export const MIN_SILENCE = 30_000;
/** … which doubles each time it returns, up to this, and is forgotten when it has stayed away for that long. */
export const MAX_SILENCE = 600_000;
/** A reply this soon after a request of ours to that station may be a late one to us. */
export const LATE_REPLY = 2_000;
/** An acknowledgement this soon after a write of ours to that station proves no other master, whose requests are heard as well. */
export const LATE_ACKNOWLEDGEMENT = 30_000;

/** A slave owes so many replies at most: those that were not in time, or that a stale one came in place of … */
export const MAX_OWED = 8;
/** … until none of its bus has been missed for so long. A late one may pass for the next, and that for the one after it. */
export const OWED_FOR = 5 * LATE_REPLY;

/** Reads of the port per callback: a bus that never falls silent must not hold the script. The rest is read at the next callback. */
export const MAX_READS = 4;

/** Requests of one transaction, the first included. */
export const MAX_TRIES = 6;
/** Stations of one bus: JK packs have addresses 0 to 15. */
export const MAX_STATIONS = 16;
/** Receive buffer: the longest frame being parsed plus one FIFO. */
export const DEFAULT_BUFFER_BYTES = 512;
